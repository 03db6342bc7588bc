// The 24-hour window, tested from Go with the standard library alone. Needs a running sandbox:
//
//	npx messaging-sandbox start    and then    cd examples/go && go test -count=1 ./...
package example

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"testing"
)

const customer = "+12025550123"

// account is one API key, and so one world: its calls see nothing of other tests.
type account struct {
	t   *testing.T
	key string
}

func newAccount(t *testing.T) account {
	t.Helper()
	// t.Name() is unique in its package only, and packages run side by side; so the key ends in random letters.
	suffix := make([]byte, 8)
	if _, err := rand.Read(suffix); err != nil {
		t.Fatal(err)
	}
	own := account{t, "go-" + t.Name() + "-" + hex.EncodeToString(suffix)}
	own.call("PUT", "/_sandbox/clock", map[string]any{"mode": "frozen"}, http.StatusOK)
	return own
}

// call makes one JSON call, checks its status, and returns what was answered.
func (own account) call(method, path string, body any, want int) map[string]any {
	own.t.Helper()
	base := os.Getenv("MESSAGING_BASE_URL")
	if base == "" {
		base = "http://127.0.0.1:4242"
	}
	text, err := json.Marshal(body)
	if err != nil {
		own.t.Fatal(err)
	}
	request, err := http.NewRequest(method, base+path, bytes.NewReader(text))
	if err != nil {
		own.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+own.key)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		own.t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		own.t.Fatal(err)
	}
	if answer.StatusCode != want {
		own.t.Fatalf("%s %s answered %d, want %d: %s", method, path, answer.StatusCode, want, raw)
	}
	var found map[string]any
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &found); err != nil {
			own.t.Fatal(err)
		}
	}
	return found
}

func TestReplyWithinTheWindow(t *testing.T) {
	own := newAccount(t)
	reply := map[string]any{"to": customer, "type": "text", "text": "It has left."}
	own.call("POST", "/_sandbox/inbound", map[string]any{"from": customer, "text": "Where is it?"}, http.StatusOK)

	own.call("POST", "/_sandbox/clock/advance", map[string]any{"by": "23h59m"}, http.StatusOK)
	if sent := own.call("POST", "/v1/messages", reply, http.StatusOK); sent["status"] != "accepted" {
		t.Fatalf("status is %v, want accepted", sent["status"])
	}

	own.call("POST", "/_sandbox/clock/advance", map[string]any{"by": "1m"}, http.StatusOK)
	refused := own.call("POST", "/v1/messages", reply, http.StatusBadRequest)
	if code := refused["error"].(map[string]any)["code"]; code != "send_failed" {
		t.Fatalf("code is %v, want send_failed", code)
	}
}
