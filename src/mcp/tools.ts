/** Results are short: ids for further queries, and links for people. */
import { z } from 'zod';
import { withQuery } from '../client/connection.js';
import { SandboxError } from '../client/sandbox-error.js';
import type { AdvanceResult } from '../client/types.js';
import { type Item, type Session, short } from './session.js';

export type RunCommand = (args: readonly string[]) => Promise<{ readonly stdout: string; readonly stderr: string }>;

type Shape = Record<string, z.ZodType>;

/** `reads`: the tool changes nothing. `reachesOut`: it starts a process or a server, or connects to one. */
function tool<Input extends Shape>(
  name: string,
  does: 'reads' | 'acts' | 'reachesOut',
  description: string,
  input: Input,
  run: (input: z.infer<z.ZodObject<Input>>) => unknown,
) {
  return { name, does, description, input: input as Shape, run: run as (input: object) => unknown };
}

const phone = z.string().describe('phone number in E.164, such as +12025550123');
const filters = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .describe('fields that the items show, such as {"to": "+12025550123", "status": "delivered"}');
const limit = z.number().int().min(1).max(100);
const scenario = z.string().describe('name of a known scenario, or the text of a scenario file in YAML');
const text = z.string().optional();
const lists = ['requests', 'messages', 'events', 'deliveries', 'otps', 'customers', 'templates'] as const;

// Errors quote the file, so only files that may be scenarios are read.
const file = z
  .string()
  .regex(
    /^(?:[\w-]+|.+\.(?:ya?ml|json))$/i,
    'must be the name of a shipped scenario, or the path of a .yaml, .yml or .json file',
  );

export function toolsOf(session: Session, runCommand: RunCommand) {
  const call = <T>(...made: Parameters<typeof session.account.call>): Promise<T> => session.account.call<T>(...made);
  return [
    tool(
      'start',
      'reachesOut',
      'Starts a new sandbox in this process and returns the base URL and the API key for the application. It stops with this server. The clock is frozen unless you choose another mode.',
      {
        scenario: file.optional(),
        clock: text.describe('frozen, frozen:2026-03-01T09:00:00Z, real, x60 or auto'),
        seed: z.number().int().optional(),
        port: z.number().int().min(0).max(65_535).optional().describe('default: a free port'),
      },
      async (wish) => {
        await session.start(wish);
        return session.overview();
      },
    ),
    tool(
      'attach',
      'reachesOut',
      'Uses a running sandbox. The key names the account of the application under test. Without a URL, it returns to the sandbox that was attached first.',
      {
        url: text.describe('such as http://127.0.0.1:4242'),
        key: text.describe('default: test_default'),
        control_token: text.describe('only for a sandbox with a token that was not attached before'),
      },
      async ({ control_token: controlToken, ...given }) => {
        const known = Object.entries({ ...given, controlToken }).filter(([, value]) => value !== undefined);
        await session.attach(Object.fromEntries(known));
        return session.overview();
      },
    ),
    tool('status', 'reads', 'Returns base URL, key and clock of the account.', {}, () => session.overview()),
    tool(
      'advance',
      'acts',
      'Moves account time and returns when everything that was due has finished, including deliveries.',
      {
        by: text.describe('duration, such as 5m or 24h'),
        to: text.describe('instant in ISO 8601'),
        until: z.enum(['next', 'idle']).optional(),
      },
      async (how) => {
        const result = await call<AdvanceResult>('POST', '/_sandbox/clock/advance', how);
        const { now, ran, deliveries, pending } = result;
        return { now, deliveries, pending, ran_jobs: ran.length, last_jobs: ran.slice(-10) };
      },
    ),
    tool(
      'inbound',
      'acts',
      'Sends a message from a customer, which opens their 24-hour window, or lets them tap a button.',
      {
        from: phone,
        text,
        button: z.object({ id: z.string(), title: z.string() }).optional().describe('the button to tap'),
        media_url: text,
      },
      async ({ button: interactive, ...given }) => {
        const result = await call<Item>('POST', '/_sandbox/inbound', { ...given, interactive });
        return { ...result, page: session.page('conversations', given.from) };
      },
    ),
    tool(
      'send',
      'acts',
      'Calls POST /v1/messages with the key of the account, as the application would: a text, or a template with its variables.',
      {
        to: z.union([phone, z.array(phone)]),
        text,
        template: z
          .object({ name: z.string(), language: z.string(), variables: z.array(z.string()).default([]) })
          .optional(),
      },
      ({ to, text, template }) =>
        call('POST', '/v1/messages', template ? { to, type: 'template', template } : { to, type: 'text', text }),
    ),
    tool(
      'rules',
      'acts',
      'Lists, adds and removes rules, which change responses and deliveries; they take precedence over the scenario. Example of a rule: {"id":"busy","when":"message.send","pick":{"calls":"1..2"},"then":{"respond":{"status":429,"retry_after":"2s"}}}',
      { add: z.record(z.string(), z.unknown()).optional(), remove: text.describe('id of a rule') },
      async ({ add, remove }) => {
        const { rules } = session.account;
        if (remove !== undefined) await rules.remove(remove);
        if (add) await call('POST', '/_sandbox/rules', add);
        return (await rules.list()).map(({ id, when, hits }) => ({ id, when, hits }));
      },
    ),
    tool(
      'scenario_use',
      'acts',
      'Activates a scenario for the account. Errors name line, column and a corrected line.',
      { scenario },
      async (given) => {
        const { name, activated_at, warnings } = await session.account.scenario.use(given.scenario);
        return { name, activated_at, warnings, page: session.page('scenario') };
      },
    ),
    tool(
      'explore',
      'reachesOut',
      'Runs a command, such as the end-to-end test of the application, once for each failure of the service, each time in a separate account, and returns the smallest failures that break it. The command finds the sandbox in MESSAGING_BASE_URL and MESSAGING_API_KEY.',
      {
        command: z.string().describe('shell command, such as npm test'),
        budget: z.string().default('30s').describe('real time after which no new try begins'),
        out: z.string().default('explore').describe('folder for the reports and a scenario for each break'),
      },
      async ({ command, budget, out }) => {
        const shell = process.platform === 'win32' ? ['cmd', '/c'] : ['sh', '-c'];
        const args = ['explore', '--json', '--budget', budget, '--out', out, '--', ...shell, command];
        const { stdout, stderr } = await runCommand(args);
        const last = stdout.trimEnd().split('\n').at(-1) ?? '';
        if (!last.startsWith('{"report":')) throw new SandboxError({ code: 'explore_failed', message: stderr.trim() });
        // What an agent needs first; the rest is in the files.
        const { tried, breaks, notes } = (JSON.parse(last) as { report: Item }).report;
        return { tried, breaks, notes, out };
      },
    ),
    tool(
      'scenario_check',
      'reads',
      'Validates a scenario without activating it, and returns every error and warning.',
      { scenario },
      async (given) => ({ valid: true, warnings: (await session.account.scenario.check(given.scenario)).warnings }),
    ),
    tool(
      'wait',
      'reads',
      'Waits in real time for an event, a delivery, a message or a request. Past ones also count.',
      {
        for: z.enum(['event', 'delivery', 'message', 'request']),
        where: filters.optional(),
        count: limit.default(1),
        timeout: z.string().default('5s').describe('real time, at most 60s'),
      },
      async ({ for: kind, where, count, timeout }) => {
        const waitFor = session.account.waitFor[kind] as (wanted: object) => Promise<unknown>;
        return ((await waitFor({ ...where, count, timeout })) as Item[]).map(short);
      },
    ),
    tool(
      'verdict',
      'reads',
      'Returns whether the application did what the active scenario expects, and each check that failed.',
      {},
      async () => {
        const { scenario: name, passed, checks, reason } = await session.account.scenario.verdict();
        const failed = checks.filter((check) => !check.passed);
        return { scenario: name, passed, reason, checks: checks.length, failed, page: session.page('scenario') };
      },
    ),
    tool(
      'search',
      'reads',
      'Lists requests (the journal), messages, events, deliveries, otps, customers or templates, newest first.',
      { in: z.enum(lists).default('requests'), where: filters.optional(), limit: limit.default(20) },
      async ({ in: list, where, limit: most }) => {
        const path = withQuery(`/_sandbox/${list}`, { order: 'desc', ...where, limit: most });
        const { items, next } = await call<{ items: Item[]; next: number | null }>('GET', path);
        return { items: items.map(short), more: next !== null };
      },
    ),
    tool(
      'explain',
      'reads',
      'Explains the outcome of a request, message or delivery: the rule, magic number or default that decided it, and its history or attempts. Takes the id of a result.',
      { id: z.string() },
      async ({ id }) => {
        for (const kind of id.startsWith('req_') ? ['requests'] : ['messages', 'deliveries', 'otps']) {
          const item = await call<Item>('GET', `/_sandbox/${kind}/${encodeURIComponent(id)}`).catch(
            (error: unknown) => {
              if (error instanceof SandboxError && error.status === 404) return null;
              throw error;
            },
          );
          if (item) return { kind, ...item, page: session.page(kind === 'requests' ? kind : 'webhooks') };
        }
        return { found: false, message: `No request, message, delivery or one-time code has the id ${id}.` };
      },
    ),
    tool('record', 'reads', 'Returns the history as a scenario that reproduces it.', {}, () =>
      session.account.record(),
    ),
  ];
}
