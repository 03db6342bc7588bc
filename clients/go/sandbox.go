// Package sandbox is a client of messaging-sandbox, a local server that stands in for a business messaging service.
// [New] gives a test its own account, [Start] starts a new sandbox.
package sandbox

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Sandbox is a sandbox that this process started, or one that runs elsewhere.
type Sandbox struct {
	URL   string
	token string
	http  *http.Client
	stop  func()
}

// Option is a setting of Connect.
type Option func(*Sandbox)

// WithControlToken sets the control token: the value of --control-token at the start of the sandbox.
func WithControlToken(token string) Option { return func(s *Sandbox) { s.token = token } }

// Connect returns the client of a sandbox that runs already, once it has responded. An empty URL stands for
// MESSAGING_BASE_URL, and without that for http://127.0.0.1:4242. The control token is MESSAGING_CONTROL_TOKEN by default.
func Connect(ctx context.Context, url string, options ...Option) (*Sandbox, error) {
	s := newSandbox(cmp.Or(url, os.Getenv("MESSAGING_BASE_URL"), "http://127.0.0.1:4242"), func() {})
	if base, ok := strings.CutSuffix(s.URL, "/v1"); ok {
		return nil, &Error{Code: "invalid_option", Message: "Invalid URL " + s.URL + " of a sandbox. Leave out the /v1: " + base + "."}
	}
	s.token = os.Getenv("MESSAGING_CONTROL_TOKEN")
	for _, option := range options {
		option(s)
	}
	if err := s.Account("").Call(ctx, "GET", "/_sandbox/info", nil, nil); err != nil {
		return nil, err
	}
	return s, nil
}

func newSandbox(url string, stop func()) *Sandbox {
	// Two local programs need no proxy, whatever the environment says.
	client := &http.Client{Transport: &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 16}}
	return &Sandbox{URL: strings.TrimRight(url, "/"), http: client, stop: stop}
}

// Run starts the command messaging-sandbox: MESSAGING_SANDBOX_COMMAND, or the one in node_modules, or the one on the PATH.
// It takes the flags of the command line, such as "--clock", "frozen". It ends with Close, or with this process.
func Run(ctx context.Context, flags ...string) (*Sandbox, error) {
	command, err := findCommand()
	if err != nil {
		return nil, err
	}
	arguments := append([]string{"exec", "--port", "0", "--log-level", "warn"}, flags...)
	arguments = append(append(arguments, "--"), watch()...)
	process := exec.Command(command[0], append(command[1:], arguments...)...)
	process.Env = settingsFree(os.Environ())
	var log bytes.Buffer
	process.Stderr = &log
	lifeline, err := process.StdinPipe()
	if err != nil {
		return nil, startFailed(err.Error(), err)
	}
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, startFailed(err.Error(), err)
	}
	if err := process.Start(); err != nil {
		return nil, startFailed(command[0]+" cannot be run: "+err.Error(), err)
	}
	unwatch := context.AfterFunc(ctx, func() { _ = process.Process.Kill() })
	defer unwatch()
	url, _ := bufio.NewReader(output).ReadString('\n')
	stop := func() {
		_ = lifeline.Close()
		_ = process.Wait()
	}
	if url = strings.TrimSpace(url); url == "" {
		stop()
		return nil, startFailed(strings.TrimSpace(log.String()), ctx.Err())
	}
	return newSandbox(url, stop), nil
}

// watch prints where the sandbox is, and ends with the pipe to it: with Close, or however this process ends.
func watch() []string {
	if runtime.GOOS == "windows" {
		return []string{"node", "-e", "console.log(process.env.MESSAGING_BASE_URL); process.stdin.resume()"}
	}
	return []string{"sh", "-c", `echo "$MESSAGING_BASE_URL"; cat >/dev/null`}
}

func findCommand() ([]string, error) {
	if given := strings.Fields(os.Getenv("MESSAGING_SANDBOX_COMMAND")); len(given) > 0 {
		return given, nil
	}
	folder, err := os.Getwd()
	for err == nil {
		if path, err := exec.LookPath(filepath.Join(folder, "node_modules", ".bin", "messaging-sandbox")); err == nil {
			return []string{path}, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			break
		}
		folder = parent
	}
	if path, err := exec.LookPath("messaging-sandbox"); err == nil {
		return []string{path}, nil
	}
	const message = "The command messaging-sandbox is neither in node_modules nor on the PATH. Install the npm package, " +
		"set MESSAGING_SANDBOX_COMMAND, or start a sandbox and set MESSAGING_BASE_URL."
	return nil, startFailed(message, nil)
}

// settingsFree leaves out the settings of the shell: what a test sees does not depend on them.
func settingsFree(environment []string) []string {
	var kept []string
	for _, entry := range environment {
		if !strings.HasPrefix(entry, "SANDBOX_") {
			kept = append(kept, entry)
		}
	}
	return kept
}

func startFailed(message string, cause error) error {
	return &Error{Code: "start_failed", Message: message, cause: cause}
}

// Account returns the account of a key; it is created on first use. An empty key stands for MESSAGING_API_KEY, and without
// that for test_default.
func (s *Sandbox) Account(key string) *Account {
	key = cmp.Or(key, os.Getenv("MESSAGING_API_KEY"), "test_default")
	return newAccount(&connection{http: s.http, url: s.URL, key: key, token: s.token})
}

// DeleteAccount deletes an account with its jobs and attempts in flight.
func (s *Sandbox) DeleteAccount(ctx context.Context, key string) error {
	return s.Account(key).Remove(ctx)
}

// Close stops a sandbox that Run started, and leaves others alone.
func (s *Sandbox) Close() {
	s.http.CloseIdleConnections()
	s.stop()
}
