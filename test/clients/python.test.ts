/** Runs the Python client's own tests: installed as users install it, against a sandbox in this process. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import controlDocument from '../../src/generated/control.json' with { type: 'json' };
import type { Sandbox } from '../../src/sandbox.js';
import { scenarioJsonSchema } from '../../src/language/scenario.js';
import { pythonWithClient, skipLoudly, type Python } from '../support/languages.js';
import { startTestSandbox } from '../support/sandbox.js';

let python: Python | null;
let sandbox: Sandbox;
beforeAll(async () => {
  [python, sandbox] = await Promise.all([pythonWithClient(), startTestSandbox()]);
}, 180_000);
afterAll(() => sandbox.close());

it('passes its own tests, on two workers that share a sandbox', { timeout: 180_000 }, async ({ skip }) => {
  if (!python) {
    skipLoudly(skip, 'clients/python, because python3 (3.11 or later) or its packages are missing');
    return;
  }
  const env = {
    MESSAGING_BASE_URL: sandbox.url,
    MESSAGING_SANDBOX_COMMAND: `${process.execPath} ${inject('cli').main}`,
  };
  const ran = await python.run(['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-n', '2'], env, 'clients/python');
  // One of them starts the image, which needs a container engine.
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^26 passed, 1 skipped/m) as string });
});

/** mypy reports an ignored error that is none. */
const typed = `from messaging_sandbox import Account

def rules(account: Account) -> None:
    account.messages(direction="inbound", limit=1)
    account.messages(directoin="inbound")  # type: ignore[call-arg]
    account.messages(status="delivred")  # type: ignore[arg-type]
    account.wait.message(status="read").status == "reed"  # type: ignore[comparison-overlap]
    account.wait.delivery(state="delivred")  # type: ignore[arg-type]
    account.templates.create(nam="a", category="utility", language="en")  # type: ignore[call-arg]
    account.reset(clok={"mode": "frozen"})  # type: ignore[call-arg]
    account.rules.add(when="message.send", match={"phone": "+1*", "not": {"type": ["text"]}}, then={"respond": {"status": 503}})
    account.rules.add(when="message.sent", then={})  # type: ignore[arg-type]
    account.rules.add(when="message.send", match={"telephone": "+1*"}, then={})  # type: ignore[typeddict-unknown-key]
    account.rules.add(when="message.send", then={"respond": {"stauts": 503}})  # type: ignore[typeddict-unknown-key]
    account.rules.add(when="message.send", than={})  # type: ignore[call-arg]
`;

it('is typed throughout, so that a misspelt key is an error', { timeout: 180_000 }, async ({ skip }) => {
  if (!python) {
    skipLoudly(skip, 'the types of clients/python, because python3 (3.11 or later) or its packages are missing');
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'python-types-'));
  try {
    await writeFile(join(folder, 'rules.py'), typed);
    const cache = join(tmpdir(), 'mypy-messaging-sandbox');
    const args = ['-m', 'mypy', '--strict', '--cache-dir', cache, 'src', join(folder, 'rules.py')];
    const ran = await python.run(args, {}, 'clients/python');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('no issues found') as string });
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('has the words of the documents', () => {
  const text = readFileSync('clients/python/src/messaging_sandbox/models.py', 'utf8');
  const words = (name: string) => {
    const [, list = ''] = new RegExp(`^${name} = Literal\\[(.*)\\]`, 'm').exec(text) ?? [];
    return [...list.matchAll(/"([^"]+)"/g)].map(([, word]) => word).sort();
  };
  const { schemas } = controlDocument.components;
  const sorted = (list: readonly string[]) => [...list].sort();
  expect(words('MessageStatus')).toStrictEqual(sorted([...schemas.MessageStatus.enum, 'received']));
  expect(words('TemplateStatus')).toStrictEqual(sorted(schemas.TemplateStatus.enum));
  expect(words('DeliveryState')).toStrictEqual(sorted(schemas.DeliveryState.enum));
  expect(words('OtpState')).toStrictEqual(sorted(schemas.Otp.properties.state.enum));
  expect(words('EventType')).toStrictEqual(sorted(schemas.EventType.enum));
});

it('has the keys of the scenario language', () => {
  const { definitions } = scenarioJsonSchema() as {
    definitions: Record<string, { properties?: object }>;
  };
  const classes = { Respond: 'Respond', Then: 'Slots', WebhookSlot: 'WebhookSlot', Pick: 'Pick', RuleInput: 'Rule' };
  const text = readFileSync('clients/python/src/messaging_sandbox/inputs.py', 'utf8');
  for (const [name, definition] of Object.entries(classes)) {
    const [, body = ''] = new RegExp(`^class ${name}\\(.*\\n((?: {4}.*\\n|\\n(?! *class))*)`, 'm').exec(text) ?? [];
    const keys = [...body.matchAll(/^ {4}(\w+): /gm)].map(([, key]) => key);
    expect(keys.sort(), name).toStrictEqual(Object.keys(definitions[definition]?.properties ?? {}).sort());
  }
});
