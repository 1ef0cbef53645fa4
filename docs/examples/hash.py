import json
from urllib.request import Request, urlopen

body = json.dumps({"algorithm": "sha1", "input": "abc"}).encode()
with urlopen(Request("http://localhost:8000/api/hash", body)) as response:
    print(json.load(response)["result"])
