$body = @{ algorithm = "sha1"; input = "abc" } | ConvertTo-Json
$type = "application/json; charset=utf-8"
(Invoke-RestMethod http://localhost:8000/api/hash -Method Post -Body $body -ContentType $type).result
