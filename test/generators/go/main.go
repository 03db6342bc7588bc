// Plays the flow of test/generators/support.ts with the client that oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	key := os.Getenv("MESSAGING_API_KEY")
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client := must(NewClientWithResponses(os.Getenv("MESSAGING_BASE_URL"), WithRequestEditorFn(authorize)))

	body := "Hello {{1}}"
	submitted := must(client.CreateTemplateWithResponse(ctx, CreateTemplateRequest{
		Name: "made_by_go", Category: Utility, Language: "en", Body: &body,
	})).JSON200
	template := must(client.GetTemplateWithResponse(ctx, submitted.TemplateId)).JSON200

	single := must(send(ctx, client, func(to *TemplateRecipients) error {
		return to.FromPhoneNumber("+12025550101")
	}).AsMessageAccepted())
	must(client.GetMessageWithResponse(ctx, single.MessageId))

	batch := must(send(ctx, client, func(to *TemplateRecipients) error {
		return to.FromRecipientList(RecipientList{"+12025550102", "555"})
	}).AsBatchResult())

	var text SendMessageRequest
	check(text.FromTextMessage(TextMessage{To: "+12025550199", Text: "Hello"}))
	rejected := must(client.SendMessageWithResponse(ctx, text)).JSON400

	var event WebhookEvent
	check(json.Unmarshal([]byte(os.Getenv("EVENT")), &event))
	status, ok := must(event.ValueByDiscriminator()).(MessageStatusEvent)
	if !ok {
		panic("the event is not a MessageStatusEvent")
	}

	fmt.Println(string(must(json.Marshal(map[string]any{
		"submitted": submitted.Status,
		"template":  template.Status,
		"accepted":  single.Status,
		"batch":     batch.Status,
		"failed":    batch.Results[1].Error.Code,
		"rejected":  rejected.Error.Code,
		"event":     status.Type,
		"status":    status.Data.Status,
	}))))
}

func send(ctx context.Context, client *ClientWithResponses, fill func(*TemplateRecipients) error) *SendResult {
	var to TemplateRecipients
	check(fill(&to))
	variables := []string{"42"}
	var request SendMessageRequest
	check(request.FromTemplateMessage(TemplateMessage{
		To:       to,
		Template: TemplateReference{Name: "order_shipped", Language: "en", Variables: &variables},
	}))
	return must(client.SendMessageWithResponse(ctx, request)).JSON200
}
