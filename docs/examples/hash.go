package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

func main() {
	body := strings.NewReader(`{"algorithm": "sha1", "input": "abc"}`)
	response, err := http.Post("http://localhost:8000/api/hash", "application/json", body)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	var result struct{ Result, Error string }
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		panic(err)
	}
	fmt.Println(result.Result + result.Error)
}
