require "json"
require "net/http"

response = Net::HTTP.post(
  URI("http://localhost:8000/api/hash"),
  JSON.generate(algorithm: "sha1", input: "abc"),
)
puts JSON.parse(response.body)["result"]
