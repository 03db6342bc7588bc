package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Error is a failed call. Without a response of a sandbox, Status is 0 and Code is one of invalid_option,
// start_failed, unreachable and not_a_sandbox.
type Error struct {
	Code    string
	Message string
	// Status is the HTTP status.
	Status int
	// Details are the single reasons, such as the lines of a scenario or what came closest in a wait.
	Details []map[string]any
	cause   error
}

func (e *Error) Error() string {
	if e.Status == 0 {
		return e.Code + ": " + e.Message
	}
	return fmt.Sprintf("%s (%d): %s", e.Code, e.Status, e.Message)
}

func (e *Error) Unwrap() error { return e.cause }

// Duration is a time.Duration in the notation of the sandbox, such as 24h or 1h30m.
type Duration time.Duration

func (d Duration) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%dms", time.Duration(d).Milliseconds()), nil
}

// connection makes calls with one key.
type connection struct {
	http  *http.Client
	url   string
	key   string
	token string
}

// call makes a call to either plane and decodes its JSON into out, unless that is nil. A text as body is YAML.
func (c *connection) call(ctx context.Context, method, path string, body, out any) error {
	var content []byte
	kind := "application/json"
	switch given := body.(type) {
	case nil:
	case string:
		content, kind = []byte(given), "application/yaml"
	default:
		var err error
		if content, err = json.Marshal(body); err != nil {
			return &Error{Code: "invalid_option", Message: err.Error(), cause: err}
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(content))
	if err != nil {
		return &Error{Code: "invalid_option", Message: err.Error(), cause: err}
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	if c.token != "" {
		request.Header.Set("X-Sandbox-Token", c.token)
	}
	if body != nil {
		request.Header.Set("Content-Type", kind)
	}
	response, err := c.http.Do(request)
	if err != nil {
		hint := "Check the URL, and that the sandbox is running."
		return &Error{Code: "unreachable", Message: fmt.Sprintf("%s cannot be reached: %v. %s", c.url, err, hint), cause: err}
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return &Error{Code: "unreachable", Message: fmt.Sprintf("%s %s: the response broke off: %v", method, c.url+path, err), cause: err}
	}
	if response.StatusCode >= 300 {
		return refusal(method+" "+c.url+path, response.StatusCode, answer)
	}
	if text, ok := out.(*string); ok {
		*text = string(answer)
		return nil
	}
	if out == nil || len(answer) == 0 {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		message := fmt.Sprintf("%s %s: the response cannot be read: %v", method, c.url+path, err)
		return &Error{Code: "not_a_sandbox", Message: message, Status: response.StatusCode, cause: err}
	}
	return nil
}

func refusal(call string, status int, answer []byte) error {
	var body struct {
		Error struct {
			Code       string
			Message    string
			Details    []map[string]any
			NearMisses []map[string]any `json:"near_misses"`
		}
	}
	if err := json.Unmarshal(answer, &body); err != nil || body.Error.Code == "" {
		message := fmt.Sprintf("%s: the response %d does not come from a sandbox. Is the URL right?", call, status)
		return &Error{Code: "not_a_sandbox", Message: message, Status: status}
	}
	given := body.Error
	lines := []string{given.Message}
	for _, detail := range given.Details {
		if text := fmt.Sprint(detail["message"]); !strings.Contains(given.Message, text) {
			lines = append(lines, "  "+text)
		}
	}
	for _, miss := range given.NearMisses {
		lines = append(lines, "  "+nearMiss(miss))
	}
	details := append(given.Details, given.NearMisses...)
	return &Error{Code: given.Code, Message: strings.Join(lines, "\n"), Status: status, Details: details}
}

// nearMiss describes how an entry differs from the expected one.
func nearMiss(miss map[string]any) string {
	var parts []string
	differs, _ := miss["differs"].([]any)
	for _, each := range differs {
		if field, ok := each.(map[string]any); ok {
			parts = append(parts, fmt.Sprintf("%v is %v, not %v", field["field"], field["found"], field["expected"]))
		}
	}
	return fmt.Sprintf("%v: %s", miss["id"], strings.Join(parts, "; "))
}

func get[T any](ctx context.Context, c *connection, method, path string, body any) (T, error) {
	var out T
	err := c.call(ctx, method, path, body, &out)
	return out, err
}

// list reads a list to its end, or to its limit.
func list[T any](ctx context.Context, c *connection, path string, filter Filter) ([]T, error) {
	query := queryOf(filter)
	limited := query.Has("limit")
	if !limited {
		query.Set("limit", "1000")
	}
	cursor := "after"
	if query.Get("order") == "desc" {
		cursor = "before"
	}
	items := []T{}
	for {
		var page struct {
			Items []T
			Next  *int64
		}
		if err := c.call(ctx, "GET", path+"?"+query.Encode(), nil, &page); err != nil {
			return nil, err
		}
		items = append(items, page.Items...)
		if limited || page.Next == nil {
			return items, nil
		}
		query.Set(cursor, strconv.FormatInt(*page.Next, 10))
	}
}

// queryOf writes the fields of a filter that are set, under the names that they have in JSON.
func queryOf(filter Filter) url.Values {
	query, fields := url.Values{}, map[string]json.RawMessage{}
	// A filter holds texts, numbers and booleans, which have a JSON.
	text, _ := json.Marshal(filter)
	_ = json.Unmarshal(text, &fields)
	for name, value := range fields {
		var word string
		if json.Unmarshal(value, &word) != nil {
			word = string(value)
		}
		query.Set(name, word)
	}
	return query
}

// with returns a copy of an object with one more field.
func with(object Object, name string, value any) Object {
	copied := Object{name: value}
	for each, given := range object {
		copied[each] = given
	}
	return copied
}

// wait asks for count entries until the deadline of the context, at most 60 seconds; without one, for 5 seconds.
func wait[T any](ctx context.Context, c *connection, subject string, count int, filter Filter) ([]T, error) {
	query := queryOf(filter)
	query.Set("for", subject)
	query.Set("count", strconv.Itoa(count))
	if deadline, ok := ctx.Deadline(); ok {
		left := min(time.Until(deadline), time.Minute)
		query.Set("timeout", fmt.Sprintf("%dms", max(left, 0).Milliseconds()))
	}
	ctx, cancel := pastDeadline(ctx)
	defer cancel()
	var found struct{ Items []T }
	if err := c.call(ctx, "GET", "/_sandbox/wait?"+query.Encode(), nil, &found); err != nil {
		return nil, withClock(ctx, c, err)
	}
	return found.Items, nil
}

// pastDeadline gives a wait some seconds after the deadline, because the response says what came closest. A context that
// is cancelled ends it at once.
func pastDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		} else {
			time.AfterFunc(5*time.Second, cancel)
		}
	})
	return longer, func() {
		stop()
		cancel()
	}
}

// withClock adds the usual reason for a timeout: the clock is stopped.
func withClock(ctx context.Context, c *connection, err error) error {
	var failed *Error
	if !errors.As(err, &failed) || failed.Code != "wait_timeout" {
		return err
	}
	clock, problem := get[Clock](ctx, c, "GET", "/_sandbox/clock", nil)
	if problem != nil || clock.Mode != "frozen" || clock.NextDue == nil {
		return err
	}
	const hint = "The clock is frozen at %s; a job is due at %s: call Clock.Advance."
	failed.Message += "\n" + fmt.Sprintf(hint, clock.Now.Format(time.RFC3339), clock.NextDue.Format(time.RFC3339))
	return failed
}

func first[T any](items []T, err error) (T, error) {
	var none T
	if err != nil || len(items) == 0 {
		return none, err
	}
	return items[0], nil
}
