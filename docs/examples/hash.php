<?php
$context = stream_context_create(["http" => [
    "method" => "POST",
    "header" => "Content-Type: application/json",
    "content" => json_encode(["algorithm" => "sha1", "input" => "abc"]),
    "ignore_errors" => true,
]]);
$object = json_decode(file_get_contents("http://localhost:8000/api/hash", false, $context));
echo $object->result ?? $object->error, "\n";
