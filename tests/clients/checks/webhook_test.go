package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
)

// Passes the webhook of the environment to the sample, then one with another body.
func TestReceive(t *testing.T) {
	sent := map[string]string{}
	if err := json.Unmarshal([]byte(os.Getenv("HEADERS")), &sent); err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	for name, value := range sent {
		header.Set(name, value)
	}
	body, secret := os.Getenv("BODY"), os.Getenv("SECRET")
	event, err := Receive(header, []byte(body), secret)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("received", event.Type, event.Data.VerificationId)
	if _, err := Receive(header, []byte(body+" "), secret); err != nil {
		fmt.Println("forged")
	}
}
