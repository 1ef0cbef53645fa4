const response = await fetch("http://localhost:8000/api/hash", {
  method: "POST",
  body: JSON.stringify({ algorithm: "sha1", input: "abc" }),
});
const { result, error } = await response.json();
console.log(response.ok ? result : error);
