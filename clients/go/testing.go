package sandbox

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Start starts a sandbox for a test and its subtests, and stops it when they are over. It takes the flags of the command
// line. With MESSAGING_BASE_URL in the environment and no flags, it connects to the sandbox that runs there.
func Start(t testing.TB, flags ...string) *Sandbox {
	t.Helper()
	s, err := open(t.Context(), flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// shared is the sandbox of this test binary. It ends with the process, which is the other end of its lifeline.
var shared = sync.OnceValues(func() (*Sandbox, error) { return open(context.Background()) })

// New returns an empty account of one test, in a sandbox that all tests of the package share. It is deleted when the
// test is over; the account of a failed test is kept, and the test prints the end of its journal and its verdict. A ResetInput
// says how it starts: its clock, its scenario.
func New(t testing.TB, how ...ResetInput) *Account {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s.New(t, how...)
}

// New returns an empty account of one test, as the function New does.
func (s *Sandbox) New(t testing.TB, how ...ResetInput) *Account {
	t.Helper()
	account := s.Account(keyOf(t))
	for _, each := range how {
		if err := account.Reset(t.Context(), each); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		// The context of the test has ended by now.
		ctx := context.Background()
		if explored() != "" {
			if err := reportEnd(account.Key, t.Failed()); err != nil {
				t.Error(err)
			}
		} else if t.Failed() {
			t.Logf("sandbox account %s\n%s", account.Key, account.Report(ctx))
		} else if err := s.DeleteAccount(ctx, account.Key); err != nil {
			t.Errorf("delete the account %s: %v", account.Key, err)
		}
	})
	return account
}

func open(ctx context.Context, flags ...string) (*Sandbox, error) {
	if url := os.Getenv("MESSAGING_BASE_URL"); url != "" && len(flags) == 0 {
		return Connect(ctx, url)
	}
	return Run(ctx, flags...)
}

var notInKeys = regexp.MustCompile(`[^A-Za-z0-9.]+`)

// keyOf makes a key that the reader recognises, and that no other test, package or run has. An exploration finds the
// accounts by their keys, which are the same in each run.
func keyOf(t testing.TB) string {
	name := strings.Trim(notInKeys.ReplaceAllString(t.Name(), "-"), "-")
	if try := explored(); try != "" {
		key := fmt.Sprintf("%s.%s-%s", try, filepath.Base(os.Args[0]), name)
		if n := used.next(key); n > 1 {
			key = fmt.Sprintf("%s.%d", key, n)
		}
		return key
	}
	return name + "-" + strings.ToLower(rand.Text())
}

// explored returns the name of a run of "messaging-sandbox explore", which judges each test by itself; empty if there is
// none.
func explored() string { return os.Getenv("SANDBOX_TRY") }

// counts is how often each key was asked for: a test may have several accounts.
type counts struct {
	mutex sync.Mutex
	of    map[string]int
}

var used = counts{of: map[string]int{}}

func (c *counts) next(key string) int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.of[key]++
	return c.of[key]
}

// reportEnd writes for an exploration how a test ended.
func reportEnd(key string, failed bool) error {
	end := "passed"
	if failed {
		end = "failed"
	}
	tests, err := os.OpenFile(filepath.Join(os.Getenv("SANDBOX_TMP"), ".tests"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer tests.Close()
	_, err = fmt.Fprintln(tests, key, end)
	return err
}
