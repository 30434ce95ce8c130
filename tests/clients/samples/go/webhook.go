package main

import (
	"encoding/json"
	"net/http"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Receive verifies the raw body of a webhook: answer an error with 400. It returns nil for a test and for types of later versions.
func Receive(header http.Header, body []byte, secret string) (*VerificationWebhook, error) {
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return nil, err
	}
	if err := verifier.Verify(body, header); err != nil {
		return nil, err
	}
	var event VerificationWebhook
	if err := json.Unmarshal(body, &event); err != nil {
		return nil, err
	}
	if !event.Type.Valid() {
		return nil, nil
	}
	return &event, nil
}
