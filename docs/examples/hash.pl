use HTTP::Tiny;
use JSON::PP;

my $response = HTTP::Tiny->new->post("http://localhost:8000/api/hash",
    { content => encode_json({ algorithm => "sha1", input => "abc" }) });
print decode_json($response->{content})->{result}, "\n";
