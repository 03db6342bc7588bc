package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const phone = "+12025550123"

var (
	nine   = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	frozen = ResetInput{Clock: &ClockInput{Mode: "frozen", Now: nine}}
)

// must passes the value on, and ends the test for an error.
func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func codeOf(err error) string {
	var failed *Error
	if errors.As(err, &failed) {
		return failed.Code
	}
	return ""
}

func TestWindowOfADay(t *testing.T) {
	t.Parallel()
	ctx, account := t.Context(), New(t, frozen)
	inbound := must[InboundResult](t)(account.Customer(phone).Says(ctx, "Where is my order?"))
	if got := inbound.WindowClosesAt.Sub(nine); got != 24*time.Hour {
		t.Errorf("the window closes after %v, want 24h", got)
	}
	must[AdvanceResult](t)(account.Clock.Advance(ctx, 24*time.Hour))
	if customer := must[Customer](t)(account.Customer(phone).Get(ctx)); customer.Window.Open {
		t.Error("the window is open after a day")
	}
	inbox := must[[]Message](t)(account.InboundMessages(ctx, Filter{From: phone}))
	if len(inbox) != 1 || inbox[0].Text != "Where is my order?" {
		t.Errorf("inbound messages are %+v", inbox)
	}
}

func TestOTP(t *testing.T) {
	t.Parallel()
	ctx, account := t.Context(), New(t, frozen)
	login := CreateTemplateRequest{Name: "login", Category: "authentication", Language: "en"}
	if made := must[Template](t)(account.Templates.Create(ctx, login)); made.Status != "pending" {
		t.Errorf("the template is %s, want pending", made.Status)
	}
	must[Template](t)(account.Templates.Approve(ctx, "login"))
	if _, err := account.OTP(ctx, phone); codeOf(err) != "not_found" {
		t.Errorf("OTP before a code was sent: %v", err)
	}
	var sent struct {
		ID string `json:"otp_id"`
	}
	if err := account.Call(ctx, "POST", "/v1/otp/send", map[string]any{"to": phone}, &sent); err != nil {
		t.Fatal(err)
	}
	code := must[OTP](t)(account.OTP(ctx, phone))
	if got := code.ExpiresAt.Sub(code.CreatedAt); got != 5*time.Minute || code.OTPID != sent.ID || code.VerifiedAt != nil {
		t.Errorf("the code is %+v", code)
	}
	must[AdvanceResult](t)(account.Clock.AdvanceTo(ctx, nine.Add(5*time.Minute)))
	err := account.Call(ctx, "POST", "/v1/otp/verify", map[string]any{"otp_id": sent.ID, "code": code.Code}, nil)
	var failed *Error
	if !errors.As(err, &failed) || failed.Status != http.StatusGone || failed.Code != "otp_expired" || failed.Message == "" {
		t.Errorf("late verification: %v", err)
	}
}

func TestButtons(t *testing.T) {
	t.Parallel()
	ctx, account := t.Context(), New(t, frozen)
	customer := account.Customer(phone)
	must[InboundResult](t)(customer.Says(ctx, "Hi"))
	message := map[string]any{"to": phone, "type": "interactive", "interactive": map[string]any{
		"body": "Leave it?", "buttons": []Button{{ID: "y", Title: "Yes"}},
	}}
	if err := account.Call(ctx, "POST", "/v1/messages", message, nil); err != nil {
		t.Fatal(err)
	}
	must[AdvanceResult](t)(account.Clock.Advance(ctx, time.Minute))
	must[InboundResult](t)(customer.Taps(ctx, "Yes"))
	if _, err := customer.Taps(ctx, "No"); codeOf(err) != "not_found" || !strings.Contains(err.Error(), `"Yes"`) {
		t.Errorf("a button that was not shown: %v", err)
	}
	event := must[Event](t)(account.Wait.Event(ctx, Filter{Type: "message.received", DataType: "interactive"}))
	if reply, _ := event.Data["interactive"].(map[string]any); reply["id"] != "y" {
		t.Errorf("the event is %+v", event)
	}
	if shown := must[[]Message](t)(customer.Received(ctx)); len(shown) != 1 || shown[0].Interactive.Buttons[0].Title != "Yes" {
		t.Errorf("the handset shows %+v", shown)
	}
}

func TestRuleAndSink(t *testing.T) {
	t.Parallel()
	ctx, account := t.Context(), New(t, frozen)
	sink := account.Sink("audit")
	must[WebhookRegistration](t)(account.Webhooks.Register(ctx, sink.URL, "message.received"))
	if err := sink.Respond(ctx, SinkResponse{Status: 503, Times: 1}, SinkResponse{Status: 200, Delay: Duration(time.Second)}); err != nil {
		t.Fatal(err)
	}
	must[InboundResult](t)(account.Customer(phone).Says(ctx, "Hi"))
	must[AdvanceResult](t)(account.Clock.Advance(ctx, time.Hour))
	delivery := must[Delivery](t)(account.Wait.Delivery(ctx, Filter{State: "delivered"}))
	if len(delivery.Attempts) != 2 || delivery.Attempts[0].Status != 503 {
		t.Errorf("the attempts are %+v", delivery.Attempts)
	}
	for _, request := range must[[]SinkRequest](t)(sink.Received(ctx, Filter{})) {
		if request.SignatureValid == nil || !*request.SignatureValid {
			t.Errorf("the signature of %s is not valid", request.Body)
		}
	}
	rule := must[Rule](t)(account.Rules.Add(ctx, RuleInput{
		When: "template.create", Match: &RuleMatch{Not: &RuleMatch{Name: []string{"b"}}}, Pick: &RulePick{Calls: "1"},
		Then: RuleSlots{Respond: &RuleRespond{Status: 503}},
	}))
	_, err := account.Templates.Create(ctx, CreateTemplateRequest{Name: "a", Category: "utility", Language: "en", Body: "Hi"})
	var failed *Error
	if !errors.As(err, &failed) || failed.Status != http.StatusServiceUnavailable {
		t.Errorf("the rule did not apply: %v", err)
	}
	calls := must[[]JournalRequest](t)(account.Requests(ctx, Filter{Operation: "createTemplate"}))
	if body, _ := calls[0].Request.Body.(map[string]any); len(calls) != 1 || body["name"] != "a" {
		t.Errorf("the journal has %+v", calls)
	}
	if hits := must[[]Rule](t)(account.Rules.List(ctx, Filter{ID: rule.ID}))[0].Hits; hits != 1 {
		t.Errorf("the rule has %d hits, want 1", hits)
	}
}

func TestScenarioAndVerdict(t *testing.T) {
	t.Parallel()
	ctx, account := t.Context(), New(t, frozen)
	const text = "version: 1\nexpect:\n  - { at: finish, that: requests, where: { operation: message.send }, min: 1 }\n"
	_, err := account.Scenario.Use(ctx, "version: 1\nrulez: []\n")
	var failed *Error
	if !errors.As(err, &failed) || failed.Code != "scenario_invalid" || failed.Details[0]["line"] != 2.0 {
		t.Errorf("an invalid scenario: %v", err)
	}
	must[ActiveScenario](t)(account.Scenario.Use(ctx, text))
	if verdict := must[Verdict](t)(account.Scenario.Verdict(ctx)); verdict.Passed {
		t.Errorf("the verdict is %+v", verdict)
	}
	played := must[Verdict](t)(account.Scenario.Play(ctx, text, PlayInput{}))
	if played.Passed || played.Ended == nil || played.Ended.Because != "nothing was due" {
		t.Errorf("the verdict of the play is %+v", played)
	}
	if active := must[ActiveScenario](t)(account.Scenario.Use(ctx, "flaky-api")); active.Name != "flaky-api" {
		t.Errorf("active is %s", active.Name)
	}
}

func TestWaitSaysWhatCameClosest(t *testing.T) {
	t.Parallel()
	account := New(t, frozen)
	must[InboundResult](t)(account.Customer(phone).Says(t.Context(), "Hi"))
	must[Template](t)(account.Templates.Create(t.Context(), CreateTemplateRequest{
		Name: "later", Category: "utility", Language: "en", Body: "Hi",
	}))
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err := account.Wait.Event(ctx, Filter{Type: "message.received", Text: "Bye"})
	if codeOf(err) != "wait_timeout" || !strings.Contains(err.Error(), "text is Hi, not Bye") {
		t.Errorf("a wait in vain: %v", err)
	}
	if !strings.Contains(err.Error(), "The clock is frozen at 2026-03-01T09:00:00Z") {
		t.Errorf("no hint to the clock: %v", err)
	}
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	if _, err := account.Wait.OTP(cancelled, Filter{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled wait: %v", err)
	}
}

func TestListReadsEveryPage(t *testing.T) {
	t.Parallel()
	ctx, account := t.Context(), New(t, frozen)
	news := CreateTemplateRequest{Name: "news", Category: "marketing", Language: "en", Body: "Hi"}
	must[Template](t)(account.Templates.Create(ctx, news))
	must[Template](t)(account.Templates.Approve(ctx, "news"))
	for batch := range 11 {
		var to []string
		for number := range 100 {
			to = append(to, fmt.Sprintf("+4915%02d0000%02d", batch, number))
		}
		message := map[string]any{"to": to, "type": "template", "template": map[string]any{"name": "news", "language": "en"}}
		if err := account.Call(ctx, "POST", "/v1/messages", message, nil); err != nil {
			t.Fatal(err)
		}
	}
	all := must[[]Message](t)(account.Messages(ctx, Filter{}))
	if len(all) != 1100 || all[0].Seq >= all[1099].Seq {
		t.Fatalf("%d messages, want 1100 in order", len(all))
	}
	if two := must[[]Message](t)(account.Messages(ctx, Filter{Limit: 2, Order: "desc"})); len(two) != 2 || two[0].ID != all[1099].ID {
		t.Errorf("the latest two are %+v", two)
	}
	if back := must[[]Message](t)(account.Messages(ctx, Filter{Order: "desc"})); len(back) != 1100 || back[1099].ID != all[0].ID {
		t.Errorf("%d messages backwards, want 1100", len(back))
	}
}

func TestSnapshotBringsBack(t *testing.T) {
	t.Parallel()
	ctx, account := t.Context(), New(t, frozen)
	must[SnapshotInfo](t)(account.Snapshot.Take(ctx, "empty"))
	must[InboundResult](t)(account.Customer(phone).Says(ctx, "Hi"))
	fork := must[*Account](t)(account.Fork(ctx, account.Key+"-fork"))
	must[SnapshotInfo](t)(account.Snapshot.Restore(ctx, "empty"))
	if found := must[[]Message](t)(fork.InboundMessages(ctx, Filter{})); len(found) != 1 {
		t.Errorf("the fork has %+v", found)
	}
	if found := must[[]Message](t)(account.InboundMessages(ctx, Filter{})); len(found) != 0 {
		t.Errorf("after the restore there are %+v", found)
	}
}

func TestAccountsOfTestsAreApart(t *testing.T) {
	if first, second := New(t), New(t); first.Key == second.Key || !strings.HasPrefix(first.Key, t.Name()) {
		t.Errorf("the keys are %s and %s", first.Key, second.Key)
	}
}

func TestStartAndClose(t *testing.T) {
	ctx := t.Context()
	s, err := Run(ctx, "--clock", "frozen:2026-03-01T09:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	if now := must[time.Time](t)(s.Account("one").Clock.Now(ctx)); !now.Equal(nine) {
		t.Errorf("it is %v, want %v", now, nine)
	}
	if err := s.DeleteAccount(ctx, "one"); err != nil {
		t.Error(err)
	}
	s.Close()
	if _, err := Connect(ctx, s.URL); codeOf(err) != "unreachable" {
		t.Errorf("after Close: %v", err)
	}
}

func TestStartSaysWhatIsWrong(t *testing.T) {
	_, err := Run(t.Context(), "--clock", "froze")
	if codeOf(err) != "start_failed" || !strings.Contains(err.Error(), "froze") {
		t.Errorf("a wrong flag: %v", err)
	}
	t.Setenv("MESSAGING_SANDBOX_COMMAND", "")
	t.Setenv("PATH", "")
	t.Chdir(t.TempDir())
	if _, err := Run(t.Context()); codeOf(err) != "start_failed" || !strings.Contains(err.Error(), "MESSAGING_BASE_URL") {
		t.Errorf("no command: %v", err)
	}
}

func TestPauseResumeRemove(t *testing.T) {
	t.Parallel()
	ctx, account := t.Context(), New(t, frozen)
	must[Template](t)(account.Templates.Create(ctx, CreateTemplateRequest{Name: "news", Category: "utility", Language: "en", Body: "Hi"}))
	must[Template](t)(account.Templates.Approve(ctx, "news"))
	for _, step := range []struct {
		status TemplateStatus
		of     func(context.Context, string) (Template, error)
	}{{TemplatePaused, account.Templates.Pause}, {TemplateApproved, account.Templates.Resume}, {TemplateDeleted, account.Templates.Remove}} {
		if template := must[Template](t)(step.of(ctx, "news")); template.Status != step.status {
			t.Errorf("the template is %s, want %s", template.Status, step.status)
		}
	}
	id := must[WebhookRegistration](t)(account.Webhooks.Register(ctx, account.Sink("audit").URL, "message.status")).WebhookID
	if paused := must[Endpoint](t)(account.Webhooks.Pause(ctx, id)); paused.Status != EndpointPaused {
		t.Errorf("the endpoint is %s", paused.Status)
	}
	if resumed := must[Endpoint](t)(account.Webhooks.Resume(ctx, id)); resumed.Status != "active" {
		t.Errorf("the endpoint is %s", resumed.Status)
	}
	must[InboundResult](t)(account.Customer(phone).Says(ctx, "Hi"))
	event := must[[]Event](t)(account.Events(ctx, Filter{Type: "message.received"}))[0]
	if again := must[EmitResult](t)(account.Redeliver(ctx, event.ID, id)); len(again.Deliveries) != 1 {
		t.Errorf("redelivered: %+v", again)
	}
	if err := account.Webhooks.Remove(ctx, id); err != nil {
		t.Error(err)
	}
	if known := must[[]Customer](t)(account.Customers(ctx, Filter{})); len(known) != 1 || known[0].Phone != phone {
		t.Errorf("the customers are %+v", known)
	}
	if err := account.Scenario.Check(ctx, "flaky-apo"); codeOf(err) != "not_found" {
		t.Errorf("an unknown scenario: %v", err)
	}
	if known := must[[]KnownScenario](t)(account.Scenario.List(ctx, Filter{Name: "flaky-api"})); len(known) != 1 {
		t.Errorf("the scenarios are %+v", known)
	}
	if info := must[Info](t)(account.Info(ctx)); time.Since(info.StartedAt) > 24*time.Hour {
		t.Errorf("started at %v", info.StartedAt)
	}
	if err := account.Remove(ctx); err != nil {
		t.Error(err)
	}
}

func TestConnectToSomethingElse(t *testing.T) {
	if _, err := Connect(t.Context(), "http://127.0.0.1:1"); codeOf(err) != "unreachable" {
		t.Errorf("nothing there: %v", err)
	}
	if _, err := Connect(t.Context(), "http://127.0.0.1:4242/v1/"); codeOf(err) != "invalid_option" || !strings.Contains(err.Error(), "Leave out the /v1") {
		t.Errorf("a URL with /v1: %v", err)
	}
}

// A failed test prints what happened. It runs in a separate process, because it has to fail.
func TestFailurePrintsTheJournal(t *testing.T) {
	if os.Getenv("SANDBOX_GO_FAIL") != "" {
		account := New(t, frozen)
		_ = account.Call(t.Context(), "GET", "/v1/messages/none", nil, nil)
		must[ActiveScenario](t)(account.Scenario.Use(t.Context(), "flaky-api"))
		t.Fatal("on purpose")
	}
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(os.Args[0], "-test.run=^TestFailurePrintsTheJournal$")
	command.Env = append(os.Environ(), "SANDBOX_GO_FAIL=1", "MESSAGING_BASE_URL="+s.URL)
	output, err := command.CombinedOutput()
	if err == nil {
		t.Fatal("the inner test passed")
	}
	for _, part := range []string{"sandbox account TestFailurePrintsTheJournal-", "GET /v1/messages/none 404 not_found", "flaky-api"} {
		if !strings.Contains(string(output), part) {
			t.Errorf("the output has no %q:\n%s", part, output)
		}
	}
}

func TestExplorationGetsTheEndOfEachTest(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("SANDBOX_TRY", "explore-x-1")
	t.Setenv("SANDBOX_TMP", folder)
	var keys []string
	t.Run("sends", func(t *testing.T) { keys = append(keys, New(t).Key, New(t).Key) })
	if prefix := "explore-x-1."; !strings.HasPrefix(keys[0], prefix) || !strings.HasSuffix(keys[0], "-sends") {
		t.Errorf("the key is %s", keys[0])
	}
	if keys[1] != keys[0]+".2" {
		t.Errorf("the key of the second account is %s", keys[1])
	}
	// Accounts end in the opposite order.
	want := keys[1] + " passed\n" + keys[0] + " passed\n"
	if got := string(must[[]byte](t)(os.ReadFile(filepath.Join(folder, ".tests")))); got != want {
		t.Errorf("the ends are %q, want %q", got, want)
	}
}
