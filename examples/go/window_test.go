// The 24-hour window, tested from Go with the client:
//
//	cd examples/go && go test -count=1 ./...
package example

import (
	"errors"
	"net/http"
	"testing"
	"time"

	sandbox "github.com/messaging-sandbox/messaging-sandbox/clients/go"
)

const customer = "+12025550123"

func TestReplyWithinTheWindow(t *testing.T) {
	ctx := t.Context()
	// The application under test takes account.URL as its base URL and account.Key as its key.
	account := sandbox.New(t, sandbox.ResetInput{Clock: &sandbox.ClockInput{Mode: "frozen"}})
	reply := map[string]string{"to": customer, "type": "text", "text": "It has left."}
	if _, err := account.Customer(customer).Says(ctx, "Where is it?"); err != nil {
		t.Fatal(err)
	}

	if _, err := account.Clock.Advance(ctx, 23*time.Hour+59*time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := account.Call(ctx, "POST", "/v1/messages", reply, nil); err != nil {
		t.Fatalf("a reply within the window: %v", err)
	}

	if _, err := account.Clock.Advance(ctx, time.Minute); err != nil {
		t.Fatal(err)
	}
	var refused *sandbox.Error
	if err := account.Call(ctx, "POST", "/v1/messages", reply, nil); !errors.As(err, &refused) {
		t.Fatalf("a reply outside the window: %v", err)
	}
	if refused.Status != http.StatusBadRequest || refused.Code != "send_failed" {
		t.Fatalf("refused with %v, want send_failed (400)", refused)
	}
}

func TestTemplateReachesTheCustomer(t *testing.T) {
	ctx := t.Context()
	account := sandbox.New(t, sandbox.ResetInput{Clock: &sandbox.ClockInput{Mode: "frozen"}})
	shipped := sandbox.CreateTemplateRequest{
		Name: "order_shipped", Category: "utility", Language: "en", Body: "Order {{1}} has left.",
	}
	if _, err := account.Templates.Create(ctx, shipped); err != nil {
		t.Fatal(err)
	}
	if _, err := account.Templates.Approve(ctx, shipped.Name); err != nil {
		t.Fatal(err)
	}

	// Here the application sends: a template needs no open window.
	template := map[string]any{"name": shipped.Name, "language": "en", "variables": []string{"1042"}}
	send := map[string]any{"to": customer, "type": "template", "template": template}
	if err := account.Call(ctx, "POST", "/v1/messages", send, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := account.Clock.Advance(ctx, time.Minute); err != nil {
		t.Fatal(err)
	}
	messages, err := account.Messages(ctx, sandbox.Filter{To: customer})
	if err != nil || len(messages) != 1 || messages[0].Text != "Order 1042 has left." || messages[0].Status != "read" {
		t.Fatalf("the customer has %+v: %v", messages, err)
	}
}
