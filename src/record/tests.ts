/** Writes a recording as a test, which plays the scenario alongside the application and checks the verdict. */
import { scenarioName } from './scenario.js';

export const testLanguages = ['vitest', 'pytest', 'go'] as const;
export type TestLanguage = (typeof testLanguages)[number];

export interface TestParts {
  /** The text of the scenario file. */
  readonly scenario: string;
  /** The length of the recording as a duration. */
  readonly length: string;
  readonly lengthMs: number;
}

const writers: Readonly<Record<TestLanguage, (parts: TestParts) => string>> = { vitest, pytest, go };

export function recordedTest(language: TestLanguage, parts: TestParts): string {
  return writers[language](parts);
}

function vitest({ scenario, length }: TestParts): string {
  return `import { expect, test } from 'vitest';
import { useSandbox } from 'messaging-sandbox/vitest';

const sandbox = useSandbox();

/** Starts the application under test, and does what its users did while this was recorded. */
async function runApplication(baseUrl: string, apiKey: string): Promise<void> {
  // For example: await startServer({ baseUrl, apiKey });
}

test('${scenarioName}', async () => {
  await sandbox.scenario.use(scenario);
  await runApplication(sandbox.url, sandbox.apiKey);
  await sandbox.idle();
  await sandbox.clock.advance('${length}');
  const { passed, checks } = await sandbox.scenario.verdict();
  expect(checks.filter((check) => !check.passed)).toEqual([]);
  expect(passed).toBe(true);
});

const scenario = \`
${scenario.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\`;
`;
}

function pytest({ scenario, length }: TestParts): string {
  const text = scenario.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  return `from messaging_sandbox import Account


def run_application(base_url: str, api_key: str) -> None:
    """Starts the application under test, and does what its users did while this was recorded."""


def test_${scenarioName}(account: Account):
    account.scenario.use(SCENARIO)
    run_application(account.url, account.key)
    account.idle()
    account.clock.advance("${length}")
    verdict = account.scenario.verdict()
    assert [check for check in verdict.checks if not check.passed] == []
    assert verdict.passed


SCENARIO = """
${text}"""
`;
}

function go({ scenario, lengthMs }: TestParts): string {
  return `package ${scenarioName}

import (
	"context"
	"testing"
	"time"

	sandbox "github.com/messaging-sandbox/messaging-sandbox/clients/go"
)

// runApplication starts the application under test, and does what its users did while this was recorded.
func runApplication(ctx context.Context, baseURL, apiKey string) {
}

func TestRecorded(t *testing.T) {
	ctx, account := t.Context(), sandbox.New(t)
	if _, err := account.Scenario.Use(ctx, scenario); err != nil {
		t.Fatal(err)
	}
	runApplication(ctx, account.URL, account.Key)
	if err := account.Idle(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := account.Clock.Advance(ctx, ${lengthMs}*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	verdict, err := account.Scenario.Verdict(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range verdict.Checks {
		if !check.Passed {
			t.Errorf("%s: expected %s, found %s", check.That, check.Expected, check.Found)
		}
	}
	if !verdict.Passed {
		t.Error("the verdict is not passed: the application made no call")
	}
}

const scenario = \`
${scenario.split('`').join('` + "`" + `')}\`
`;
}
