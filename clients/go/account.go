package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Account is what one API key owns. The application under test takes URL as its base URL and Key as its key.
type Account struct {
	URL       string
	Key       string
	Clock     ClockControl
	Templates TemplateControl
	Webhooks  WebhookControl
	Scenario  ScenarioControl
	Rules     RuleControl
	Snapshot  SnapshotControl
	Wait      WaitControl

	c *connection
}

func newAccount(c *connection) *Account {
	return &Account{
		URL: c.url, Key: c.key, c: c,
		Clock: ClockControl{c}, Templates: TemplateControl{c}, Webhooks: WebhookControl{c},
		Scenario: ScenarioControl{c}, Rules: RuleControl{c}, Snapshot: SnapshotControl{c}, Wait: WaitControl{c},
	}
}

// Call makes any call to either plane, and decodes its response into out unless out is nil.
func (a *Account) Call(ctx context.Context, method, path string, body, out any) error {
	return a.c.call(ctx, method, path, body, out)
}

// Messages are the messages that the account sent.
func (a *Account) Messages(ctx context.Context, filter Filter) ([]Message, error) {
	return list[Message](ctx, a.c, "/_sandbox/messages", filter)
}

// InboundMessages are the messages from customers.
func (a *Account) InboundMessages(ctx context.Context, filter Filter) ([]Message, error) {
	filter.Direction = "inbound"
	return list[Message](ctx, a.c, "/_sandbox/messages", filter)
}

func (a *Account) Events(ctx context.Context, filter Filter) ([]Event, error) {
	return list[Event](ctx, a.c, "/_sandbox/events", filter)
}

// Deliveries are events on their way to endpoints, with every attempt.
func (a *Account) Deliveries(ctx context.Context, filter Filter) ([]Delivery, error) {
	return list[Delivery](ctx, a.c, "/_sandbox/deliveries", filter)
}

func (a *Account) OTPs(ctx context.Context, filter Filter) ([]OTP, error) {
	return list[OTP](ctx, a.c, "/_sandbox/otps", filter)
}

// OTP is the latest one-time code sent to a number.
func (a *Account) OTP(ctx context.Context, to string) (OTP, error) {
	sent, err := a.OTPs(ctx, Filter{To: to, Order: "desc", Limit: 1})
	if err == nil && len(sent) == 0 {
		return OTP{}, &Error{Code: "not_found", Message: "No one-time code was sent to " + to + ". Send one, or call Wait.OTP."}
	}
	return first(sent, err)
}

// Requests are the calls in the journal. Their list shows no bodies, so each is read on its own.
func (a *Account) Requests(ctx context.Context, filter Filter) ([]JournalRequest, error) {
	calls, err := list[JournalRequest](ctx, a.c, "/_sandbox/requests", filter)
	for i := 0; i < len(calls) && err == nil; i++ {
		calls[i], err = get[JournalRequest](ctx, a.c, "GET", "/_sandbox/requests/"+calls[i].ID, nil)
	}
	return calls, err
}

// Emit sends a signed event: its "type", its "data", of which the rest is generated, and faults of its delivery as "webhook".
func (a *Account) Emit(ctx context.Context, event Object) (EmitResult, error) {
	return get[EmitResult](ctx, a.c, "POST", "/_sandbox/events", event)
}

// Redeliver delivers an event again with the same bytes; without an endpoint, to every subscribed one.
func (a *Account) Redeliver(ctx context.Context, eventID, webhookID string) (EmitResult, error) {
	body := Object{}
	if webhookID != "" {
		body["webhook_id"] = webhookID
	}
	return get[EmitResult](ctx, a.c, "POST", "/_sandbox/events/"+url.PathEscape(eventID)+"/redeliver", body)
}

// Customers are all customers who sent or received a message.
func (a *Account) Customers(ctx context.Context, filter Filter) ([]Customer, error) {
	return list[Customer](ctx, a.c, "/_sandbox/customers", filter)
}

// Info describes the sandbox, such as when it was started.
func (a *Account) Info(ctx context.Context) (Info, error) {
	return get[Info](ctx, a.c, "GET", "/_sandbox/info", nil)
}

// Remove deletes the account with all its data; the next call with its key starts a new one.
func (a *Account) Remove(ctx context.Context) error {
	err := a.c.call(ctx, "DELETE", "/_sandbox/accounts/"+url.PathEscape(a.Key), nil, nil)
	if refused := (*Error)(nil); errors.As(err, &refused) && refused.Code == "not_found" {
		return nil
	}
	return err
}

// Idle returns when nothing is in progress.
func (a *Account) Idle(ctx context.Context) error {
	return a.c.call(ctx, "POST", "/_sandbox/idle", nil, nil)
}

// Reset empties the account, and says how it starts again.
func (a *Account) Reset(ctx context.Context, how ResetInput) error {
	return a.c.call(ctx, "POST", "/_sandbox/reset", how, nil)
}

// Fork copies the current state of the account to a new key, with a frozen clock.
func (a *Account) Fork(ctx context.Context, to string) (*Account, error) {
	path := "/_sandbox/accounts/" + url.PathEscape(a.Key) + "/fork"
	err := a.c.call(ctx, "POST", path, Object{"to": to}, nil)
	copied := *a.c
	copied.key = to
	return newAccount(&copied), err
}

// Report is what a failed test shows: the end of the journal, and the verdict if a scenario is active.
func (a *Account) Report(ctx context.Context) string {
	calls, err := a.Requests(ctx, Filter{Order: "desc", Limit: 10})
	if err != nil {
		return err.Error()
	}
	var lines []string
	for _, call := range calls {
		line := fmt.Sprintf("%s %s %s %d %s", call.At.Format(time.TimeOnly), call.Method, call.Path, call.Status, call.Error)
		lines = append([]string{strings.TrimSpace(line)}, lines...)
	}
	if len(lines) == 0 {
		lines = []string{"The journal is empty."}
	}
	var verdict string
	var failed *Error
	err = a.c.call(ctx, "GET", "/_sandbox/verdict?format=markdown", nil, &verdict)
	// Without a scenario there is no verdict.
	if err != nil && (!errors.As(err, &failed) || failed.Code != "not_found") {
		verdict = err.Error()
	}
	return strings.TrimSpace(strings.Join(append(lines, verdict), "\n"))
}

// ClockControl moves the clock of an account.
type ClockControl struct{ c *connection }

func (k ClockControl) Get(ctx context.Context) (Clock, error) {
	return get[Clock](ctx, k.c, "GET", "/_sandbox/clock", nil)
}

func (k ClockControl) Now(ctx context.Context) (time.Time, error) {
	clock, err := k.Get(ctx)
	return clock.Now, err
}

// Advance lives through time, and returns when everything that was due has finished, webhook responses included.
func (k ClockControl) Advance(ctx context.Context, by time.Duration) (AdvanceResult, error) {
	return k.AdvanceBy(ctx, AdvanceInput{By: Duration(by)})
}

func (k ClockControl) AdvanceTo(ctx context.Context, to time.Time) (AdvanceResult, error) {
	return k.AdvanceBy(ctx, AdvanceInput{To: to})
}

// AdvanceBy advances with all options: to the next job, until no job is pending, or with an idle period in real time.
func (k ClockControl) AdvanceBy(ctx context.Context, how AdvanceInput) (AdvanceResult, error) {
	return get[AdvanceResult](ctx, k.c, "POST", "/_sandbox/clock/advance", how)
}

// Freeze stops the clock: from now on, only advances move it.
func (k ClockControl) Freeze(ctx context.Context) (Clock, error) {
	return k.put(ctx, ClockInput{Mode: "frozen"})
}

func (k ClockControl) FreezeAt(ctx context.Context, at time.Time) (Clock, error) {
	return k.put(ctx, ClockInput{Mode: "frozen", Now: at})
}

// Run lets time pass, scale times as fast as real time.
func (k ClockControl) Run(ctx context.Context, scale float64) (Clock, error) {
	if scale == 1 {
		return k.put(ctx, ClockInput{Mode: "real"})
	}
	return k.put(ctx, ClockInput{Mode: "scaled", Scale: scale})
}

func (k ClockControl) Set(ctx context.Context, to time.Time) (Clock, error) {
	return k.put(ctx, ClockInput{Now: to})
}

func (k ClockControl) put(ctx context.Context, input ClockInput) (Clock, error) {
	return get[Clock](ctx, k.c, "PUT", "/_sandbox/clock", input)
}

// TemplateControl submits templates, and decides on them as the platform owner.
type TemplateControl struct{ c *connection }

func (k TemplateControl) List(ctx context.Context, filter Filter) ([]Template, error) {
	return list[Template](ctx, k.c, "/_sandbox/templates", filter)
}

func (k TemplateControl) Get(ctx context.Context, name string) (Template, error) {
	found, err := k.List(ctx, Filter{Name: name, Order: "desc", Limit: 1})
	if err == nil && len(found) == 0 {
		return Template{}, &Error{Code: "not_found", Message: fmt.Sprintf("This account has no template %q.", name)}
	}
	return first(found, err)
}

// Create submits a template, as the application would. It is then pending.
func (k TemplateControl) Create(ctx context.Context, template CreateTemplateRequest) (Template, error) {
	var made struct {
		ID string `json:"template_id"`
	}
	if err := k.c.call(ctx, "POST", "/v1/templates", template, &made); err != nil {
		return Template{}, err
	}
	return get[Template](ctx, k.c, "GET", "/_sandbox/templates/"+made.ID, nil)
}

func (k TemplateControl) Approve(ctx context.Context, name string) (Template, error) {
	return k.act(ctx, name, "review", Object{"decision": "approved"})
}

func (k TemplateControl) Reject(ctx context.Context, name, reason string) (Template, error) {
	return k.act(ctx, name, "review", Object{"decision": "rejected", "reason": reason})
}

func (k TemplateControl) Pause(ctx context.Context, name string) (Template, error) {
	return k.act(ctx, name, "status", Object{"status": "paused"})
}

// Resume resumes a paused template, which is then approved.
func (k TemplateControl) Resume(ctx context.Context, name string) (Template, error) {
	return k.act(ctx, name, "status", Object{"status": "approved"})
}

func (k TemplateControl) Remove(ctx context.Context, name string) (Template, error) {
	return k.act(ctx, name, "status", Object{"status": "deleted"})
}

func (k TemplateControl) act(ctx context.Context, name, call string, body any) (Template, error) {
	found, err := k.Get(ctx, name)
	if err != nil {
		return Template{}, err
	}
	return get[Template](ctx, k.c, "POST", "/_sandbox/templates/"+found.ID+"/"+call, body)
}

// WebhookControl lists the endpoints that the application registered, with their secrets.
type WebhookControl struct{ c *connection }

func (k WebhookControl) List(ctx context.Context, filter Filter) ([]Endpoint, error) {
	return list[Endpoint](ctx, k.c, "/_sandbox/webhooks", filter)
}

// Register registers an endpoint, as the application would; without events, for all of them.
func (k WebhookControl) Register(ctx context.Context, address string, events ...string) (WebhookRegistration, error) {
	if len(events) == 0 {
		events = []string{"message.received", "message.status", "otp.verified", "template.status"}
	}
	body := Object{"url": address, "events": events}
	return get[WebhookRegistration](ctx, k.c, "POST", "/v1/webhooks", body)
}

func (k WebhookControl) Pause(ctx context.Context, id string) (Endpoint, error) {
	return k.setStatus(ctx, id, "paused")
}

// Resume activates an endpoint again and resets its failure streak.
func (k WebhookControl) Resume(ctx context.Context, id string) (Endpoint, error) {
	return k.setStatus(ctx, id, "active")
}

// Remove removes an endpoint, as the application would.
func (k WebhookControl) Remove(ctx context.Context, id string) error {
	return k.c.call(ctx, "DELETE", "/v1/webhooks/"+url.PathEscape(id), nil, nil)
}

func (k WebhookControl) setStatus(ctx context.Context, id, status string) (Endpoint, error) {
	path := "/_sandbox/webhooks/" + url.PathEscape(id)
	return get[Endpoint](ctx, k.c, "PUT", path, Object{"status": status})
}

// ScenarioControl scripts what goes wrong, and returns the verdict on what the application did.
type ScenarioControl struct{ c *connection }

// Use activates a scenario: its name, the text of its file, or its content as an Object.
func (k ScenarioControl) Use(ctx context.Context, scenario any) (ActiveScenario, error) {
	return get[ActiveScenario](ctx, k.c, "PUT", "/_sandbox/scenario", named(scenario))
}

// named takes a text without line breaks and mappings for the name of a scenario.
func named(scenario any) any {
	if text, ok := scenario.(string); ok && !strings.ContainsAny(text, "\n{") && !strings.Contains(text, ": ") {
		return Object{"name": text}
	}
	return scenario
}

func (k ScenarioControl) Get(ctx context.Context) (ActiveScenario, error) {
	return get[ActiveScenario](ctx, k.c, "GET", "/_sandbox/scenario", nil)
}

// Check validates a scenario without activating it.
func (k ScenarioControl) Check(ctx context.Context, scenario any) error {
	return k.c.call(ctx, "POST", "/_sandbox/scenarios/check", named(scenario), nil)
}

func (k ScenarioControl) List(ctx context.Context, filter Filter) ([]KnownScenario, error) {
	return list[KnownScenario](ctx, k.c, "/_sandbox/scenarios", filter)
}

func (k ScenarioControl) Clear(ctx context.Context) error {
	return k.c.call(ctx, "DELETE", "/_sandbox/scenario", nil, nil)
}

// Play plays a scenario to its end, or the active one if it is nil, and returns the verdict, passed or not. Time jumps
// whenever the application is idle.
func (k ScenarioControl) Play(ctx context.Context, scenario any, how PlayInput) (Verdict, error) {
	how.Scenario = scenario
	if object, ok := named(scenario).(Object); ok && len(object) == 1 && object["name"] != nil {
		how.Name, how.Scenario = fmt.Sprint(object["name"]), nil
	}
	played, err := get[struct {
		Ended   *PlayEnd
		Verdict Verdict
	}](ctx, k.c, "POST", "/_sandbox/scenario/play", how)
	played.Verdict.Ended = played.Ended
	return played.Verdict, err
}

func (k ScenarioControl) Verdict(ctx context.Context) (Verdict, error) {
	return get[Verdict](ctx, k.c, "GET", "/_sandbox/verdict", nil)
}

// RuleControl adds rules while the sandbox runs, ahead of the rules of the scenario.
type RuleControl struct{ c *connection }

func (k RuleControl) Add(ctx context.Context, rule RuleInput) (Rule, error) {
	return get[Rule](ctx, k.c, "POST", "/_sandbox/rules", rule)
}

func (k RuleControl) List(ctx context.Context, filter Filter) ([]Rule, error) {
	return list[Rule](ctx, k.c, "/_sandbox/rules", filter)
}

func (k RuleControl) Remove(ctx context.Context, id string) error {
	return k.c.call(ctx, "DELETE", "/_sandbox/rules/"+url.PathEscape(id), nil, nil)
}

// SnapshotControl keeps the whole account under a name.
type SnapshotControl struct{ c *connection }

func (k SnapshotControl) Take(ctx context.Context, name string) (SnapshotInfo, error) {
	return get[SnapshotInfo](ctx, k.c, "POST", "/_sandbox/snapshots", Object{"name": name})
}

func (k SnapshotControl) Restore(ctx context.Context, name string) (SnapshotInfo, error) {
	return get[SnapshotInfo](ctx, k.c, "POST", "/_sandbox/snapshots/"+url.PathEscape(name)+"/restore", nil)
}

// WaitControl waits in real time, until the deadline of the context or for 5 seconds. What happened already counts
// too, from After on. The plural waits for count entries.
type WaitControl struct{ c *connection }

func (k WaitControl) Event(ctx context.Context, filter Filter) (Event, error) {
	return first(k.Events(ctx, 1, filter))
}

func (k WaitControl) Events(ctx context.Context, count int, filter Filter) ([]Event, error) {
	return wait[Event](ctx, k.c, "event", count, filter)
}

func (k WaitControl) Delivery(ctx context.Context, filter Filter) (Delivery, error) {
	return first(k.Deliveries(ctx, 1, filter))
}

func (k WaitControl) Deliveries(ctx context.Context, count int, filter Filter) ([]Delivery, error) {
	return wait[Delivery](ctx, k.c, "delivery", count, filter)
}

func (k WaitControl) Message(ctx context.Context, filter Filter) (Message, error) {
	return first(k.Messages(ctx, 1, filter))
}

func (k WaitControl) Messages(ctx context.Context, count int, filter Filter) ([]Message, error) {
	return wait[Message](ctx, k.c, "message", count, filter)
}

func (k WaitControl) Request(ctx context.Context, filter Filter) (JournalRequest, error) {
	return first(k.Requests(ctx, 1, filter))
}

func (k WaitControl) Requests(ctx context.Context, count int, filter Filter) ([]JournalRequest, error) {
	return wait[JournalRequest](ctx, k.c, "request", count, filter)
}

func (k WaitControl) OTP(ctx context.Context, filter Filter) (OTP, error) {
	return first(wait[OTP](ctx, k.c, "otp", 1, filter))
}
