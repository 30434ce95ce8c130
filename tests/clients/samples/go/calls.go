package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	// Go sends X-API-Key along with a redirect to another host: follow none.
	refuse := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client, err := NewClientWithResponses(os.Getenv("BASE"),
		WithHTTPClient(&http.Client{Timeout: 30 * time.Second, CheckRedirect: refuse}),
		WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
			request.Header.Set("X-API-Key", os.Getenv("KEY"))
			return nil
		}))
	check(err)
	ctx := context.Background()

	key := "order-1001"
	body := NewVerification{SubjectType: NewVerificationSubjectTypeKyc, SubjectReference: "user_go"}
	answer, err := client.CreateVerificationWithResponse(ctx, &CreateVerificationParams{IdempotencyKey: &key}, body)
	check(err)
	if answer.JSON201 == nil {
		log.Fatal(answer.Status(), string(answer.Body)) // has a code, such as LIMIT_EXCEEDED
	}
	created := answer.JSON201.Data
	fmt.Println("created", created.VerificationUrl)

	again, err := client.CreateVerificationWithResponse(ctx, nil, body)
	check(err)
	if again.JSON409 != nil {
		fmt.Println("refused", again.JSON409.Code, again.JSON409.Data.VerificationId)
	}

	read, err := client.GetVerificationWithResponse(ctx, created.Id)
	check(err)
	fmt.Println("read", read.JSON200.Data.Status)
	limit := 100
	list, err := client.ListVerificationsWithResponse(ctx, &ListVerificationsParams{Limit: &limit})
	check(err)
	for _, listed := range list.JSON200.Data.Verifications {
		details, err := client.GetVerificationDetailsWithResponse(ctx, listed.Id)
		check(err)
		fmt.Println("details", details.JSON200.Data.Status, details.JSON200.Data.TotalSteps)
	}

	withdrawn, err := client.WithdrawVerificationWithResponse(ctx, created.Id, WithdrawVerificationJSONRequestBody{})
	check(err)
	fmt.Println("withdrawn", withdrawn.JSON200.Data.Status)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
