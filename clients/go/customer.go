package sandbox

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// CustomerControl is the person with a phone number, played by the test.
type CustomerControl struct {
	Phone string
	c     *connection
}

func (a *Account) Customer(phone string) CustomerControl { return CustomerControl{phone, a.c} }

func (k CustomerControl) path() string { return "/_sandbox/customers/" + url.PathEscape(k.Phone) }

// Says writes to the account, which opens the window. If the text is empty, one is generated.
func (k CustomerControl) Says(ctx context.Context, text string) (InboundResult, error) {
	if text == "" {
		return k.Sends(ctx, nil)
	}
	return k.Sends(ctx, Object{"text": text})
}

// Sends writes any message: with media, as a reply, or under another name, as POST /_sandbox/inbound takes it.
func (k CustomerControl) Sends(ctx context.Context, message Object) (InboundResult, error) {
	return get[InboundResult](ctx, k.c, "POST", "/_sandbox/inbound", with(message, "from", k.Phone))
}

// Taps taps a button of the latest message that has it, by title or id.
func (k CustomerControl) Taps(ctx context.Context, button string) (InboundResult, error) {
	shown, err := list[Message](ctx, k.c, k.path()+"/messages", Filter{Direction: "outbound", Order: "desc"})
	if err != nil {
		return InboundResult{}, err
	}
	var known []string
	for _, message := range shown {
		for _, reply := range replies(message) {
			if button == reply.Title || button == reply.ID {
				return k.Sends(ctx, Object{"type": "interactive", "interactive": reply})
			}
			known = append(known, fmt.Sprintf("%q", reply.Title))
		}
	}
	message := fmt.Sprintf("%s has no button %q to tap. Buttons: %s.", k.Phone, button, strings.Join(known, ", "))
	return InboundResult{}, &Error{Code: "not_found", Message: message}
}

// replies are the buttons to tap: quick replies of an interactive message or of a template.
func replies(message Message) []Button {
	if message.Interactive != nil {
		return message.Interactive.Buttons
	}
	var found []Button
	if message.Template != nil {
		for _, button := range message.Template.Buttons {
			if text, ok := button["text"].(string); ok && button["type"] == "quick_reply" {
				found = append(found, Button{ID: text, Title: text})
			}
		}
	}
	return found
}

func (k CustomerControl) OpenWindow(ctx context.Context) (Customer, error) {
	return k.window(ctx, Object{"open": true})
}

func (k CustomerControl) CloseWindow(ctx context.Context) (Customer, error) {
	return k.window(ctx, Object{"open": false})
}

func (k CustomerControl) CloseWindowAt(ctx context.Context, at time.Time) (Customer, error) {
	return k.window(ctx, Object{"closes_at": at})
}

func (k CustomerControl) window(ctx context.Context, input Object) (Customer, error) {
	return get[Customer](ctx, k.c, "PUT", k.path()+"/window", input)
}

// Received are the messages that the customer's handset shows.
func (k CustomerControl) Received(ctx context.Context) ([]Message, error) {
	return list[Message](ctx, k.c, k.path()+"/messages", Filter{Direction: "outbound"})
}

func (k CustomerControl) Get(ctx context.Context) (Customer, error) {
	return get[Customer](ctx, k.c, "GET", k.path(), nil)
}

// SinkControl is a built-in receiver. URL is what to register.
type SinkControl struct {
	Name string
	URL  string
	c    *connection
}

func (a *Account) Sink(name string) SinkControl {
	return SinkControl{name, "https://sink.sandbox/" + name, a.c}
}

func (k SinkControl) Received(ctx context.Context, filter Filter) ([]SinkRequest, error) {
	return list[SinkRequest](ctx, k.c, "/_sandbox/sink/"+url.PathEscape(k.Name)+"/received", filter)
}

// Respond sets the next responses, each with its number of repetitions; the last one is used from then on.
func (k SinkControl) Respond(ctx context.Context, responses ...SinkResponse) error {
	return k.c.call(ctx, "PUT", "/_sandbox/sink/"+url.PathEscape(k.Name), Object{"respond": responses}, nil)
}
