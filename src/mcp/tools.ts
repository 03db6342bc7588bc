/** The tools of an agent. Results are short: ids for further queries, and links for people. */
import { z } from 'zod';
import { withQuery } from '../client/connection.js';
import { SandboxError } from '../client/sandbox-error.js';
import type { AdvanceResult } from '../client/types.js';
import { linkTo, overview, short, unlessMissing, type Item } from './results.js';
import type { AddTool } from './server.js';
import type { Session } from './session.js';

const phone = z.string().describe('phone number in E.164, such as +12025550123');
const filters = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .describe('fields that the items show, such as {"to": "+12025550123", "status": "delivered"}');
/** Errors quote the file, so only files that may be scenarios are read. */
const scenarioName = /^(?:[\w-]+|.+\.(?:ya?ml|json))$/i;
const scenarioText = z.string().describe('name of a known scenario, or the text of a scenario file in YAML');

export function addTools(session: Session, add: AddTool): void {
  addSessions(session, add);
  addActions(session, add);
  addQuestions(session, add);
}

function addSessions(session: Session, add: AddTool): void {
  add('start', {
    title: 'Start a sandbox',
    description:
      'Starts a new sandbox in this process and returns the base URL and the API key for the application. It stops with this server. The clock is frozen unless you choose another mode.',
    input: {
      scenario: z
        .string()
        .regex(scenarioName, 'must be the name of a shipped scenario, or the path of a .yaml, .yml or .json file')
        .optional(),
      clock: z.string().optional().describe('frozen, frozen:2026-03-01T09:00:00Z, real, x60 or auto'),
      seed: z.number().int().optional(),
      port: z.number().int().min(0).max(65_535).optional().describe('default: a free port'),
    },
    does: 'reachesOut',
    run: async (wish) => overview(await session.start(wish)),
  });
  add('attach', {
    title: 'Attach to a running sandbox',
    description:
      'Uses a running sandbox. The key names the account of the application under test. Without a URL, it returns to the sandbox that was attached first.',
    input: {
      url: z.string().optional().describe('such as http://127.0.0.1:4242'),
      key: z.string().optional().describe('default: test_default'),
      control_token: z.string().optional().describe('only for a sandbox with a token that was not attached before'),
    },
    does: 'reachesOut',
    run: async ({ url, key, control_token: controlToken }) =>
      overview(await session.attach({ url, key, controlToken })),
  });
  add('status', {
    title: 'Where things stand',
    description: 'Returns base URL, key and clock of the account.',
    input: {},
    does: 'reads',
    run: () => overview(session.account),
  });
}

function addActions(session: Session, add: AddTool): void {
  add('advance', {
    title: 'Advance the clock',
    description: 'Moves account time and returns when everything that was due has finished, including deliveries.',
    input: {
      by: z.string().optional().describe('duration, such as 5m or 24h'),
      to: z.string().optional().describe('instant in ISO 8601'),
      until: z.enum(['next', 'idle']).optional(),
    },
    run: async (how) => {
      const result = await session.account.call<AdvanceResult>('POST', '/_sandbox/clock/advance', how);
      const { now, ran, deliveries, pending } = result;
      return { now, deliveries, pending, ran_jobs: ran.length, last_jobs: ran.slice(-10) };
    },
  });
  add('inbound', {
    title: 'A customer writes',
    description: 'Sends a message from a customer, which opens their 24-hour window, or lets them tap a button.',
    input: {
      from: phone,
      text: z.string().optional(),
      button: z.object({ id: z.string(), title: z.string() }).optional().describe('the button to tap'),
      media_url: z.string().optional(),
    },
    run: async ({ from, text, button, media_url }) => {
      const body = { from, text, media_url, interactive: button };
      const result = await session.account.call<{ message_id: string }>('POST', '/_sandbox/inbound', body);
      return { ...result, page: linkTo(session.account, 'conversations', from) };
    },
  });
  add('send', {
    title: 'Send as the application would',
    description: 'Calls POST /v1/messages with the key of the account: a text, or a template with its variables.',
    input: {
      to: z.union([phone, z.array(phone)]),
      text: z.string().optional(),
      template: z
        .object({ name: z.string(), language: z.string(), variables: z.array(z.string()).default([]) })
        .optional(),
    },
    run: ({ to, text, template }) => {
      const body = template ? { to, type: 'template', template } : { to, type: 'text', text };
      return session.account.call('POST', '/v1/messages', body);
    },
  });
  add('rules', {
    title: 'Rules: list, add, remove',
    description:
      'Rules change responses and deliveries; they take precedence over the scenario. Example of a rule: {"id":"busy","when":"message.send","pick":{"first":2},"then":{"respond":{"status":429,"retry_after":"2s"}}}',
    input: {
      add: z.record(z.string(), z.unknown()).optional(),
      remove: z.string().optional().describe('id of a rule'),
    },
    run: async ({ add: added, remove }) => {
      const { account } = session;
      if (remove !== undefined) await account.rules.remove(remove);
      if (added) await account.call('POST', '/_sandbox/rules', added);
      return (await account.rules.list()).map(({ id, when, hits }) => ({ id, when, hits }));
    },
  });
  add('scenario_use', {
    title: 'Activate a scenario',
    description: 'Activates a scenario for the account. Errors name line, column and a corrected line.',
    input: { scenario: scenarioText },
    run: async ({ scenario }) => {
      const { name, activated_at, warnings } = await session.account.scenario.use(scenario);
      return { name, activated_at, warnings, page: linkTo(session.account, 'scenario') };
    },
  });
  add('explore', {
    title: 'Try every failure',
    description:
      'Runs a command, such as the end-to-end test of the application, once for each failure of the service, each time in a separate account, and returns the smallest failures that break it. The command finds the sandbox in MESSAGING_BASE_URL and MESSAGING_API_KEY.',
    input: {
      command: z.string().describe('shell command, such as npm test'),
      budget: z.string().default('30s').describe('real time after which no new try begins'),
      out: z.string().default('explore').describe('folder for the reports and a scenario for each break'),
    },
    does: 'reachesOut',
    run: async ({ command, budget, out }) => {
      const shell = process.platform === 'win32' ? ['cmd', '/c'] : ['sh', '-c'];
      const args = ['explore', '--json', '--budget', budget, '--out', out, '--', ...shell, command];
      const { stdout, stderr } = await session.runCommand(args);
      const last = stdout.trimEnd().split('\n').at(-1) ?? '';
      if (!last.startsWith('{"report":')) throw new SandboxError({ code: 'explore_failed', message: stderr.trim() });
      // What an agent needs first; the rest is in the files.
      const { tried, breaks, notes } = (JSON.parse(last) as { report: Item }).report;
      return { tried, breaks, notes, out };
    },
  });
}

function addQuestions(session: Session, add: AddTool): void {
  add('scenario_check', {
    title: 'Check a scenario',
    description: 'Validates a scenario without activating it, and returns every error and warning.',
    input: { scenario: scenarioText },
    does: 'reads',
    run: async ({ scenario }) => {
      const { warnings } = await session.account.scenario.check(scenario);
      return { valid: true, warnings };
    },
  });
  add('wait', {
    title: 'Wait until something happens',
    description: 'Waits in real time for an event, a delivery, a message or a request. Past ones also count.',
    input: {
      for: z.enum(['event', 'delivery', 'message', 'request']),
      where: filters.optional(),
      count: z.number().int().min(1).max(100).default(1),
      timeout: z.string().default('5s').describe('real time, at most 60s'),
    },
    does: 'reads',
    run: async ({ for: kind, where, count, timeout }) => {
      const waiters = session.account.waitFor as unknown as Record<string, (wanted: object) => Promise<Item[]>>;
      return (await waiters[kind]?.({ ...where, count, timeout }))?.map(short);
    },
  });
  add('verdict', {
    title: 'Verdict',
    description: 'Returns whether the application did what the active scenario expects, and each check that failed.',
    input: {},
    does: 'reads',
    run: async () => {
      const { scenario, passed, checks, reason } = await session.account.scenario.verdict();
      const failed = checks.filter((check) => !check.passed);
      return { scenario, passed, reason, checks: checks.length, failed, page: linkTo(session.account, 'scenario') };
    },
  });
  add('search', {
    title: 'Search what happened',
    description:
      'Lists requests (the journal), messages, events, deliveries, otps, customers or templates, newest first.',
    input: {
      in: z
        .enum(['requests', 'messages', 'events', 'deliveries', 'otps', 'customers', 'templates'])
        .default('requests'),
      where: filters.optional(),
      limit: z.number().int().min(1).max(100).default(20),
    },
    does: 'reads',
    run: async ({ in: list, where, limit }) => {
      const path = withQuery(`/_sandbox/${list}`, { order: 'desc', ...where, limit });
      const { items, next } = await session.account.call<{ items: Item[]; next: number | null }>('GET', path);
      return { items: items.map(short), more: next !== null };
    },
  });
  add('explain', {
    title: 'Explain',
    description:
      'Explains the outcome of a request, message or delivery: the rule, magic number or default that decided it, and its history or attempts. Takes the id of a result.',
    input: { id: z.string() },
    does: 'reads',
    run: async ({ id }) => {
      const lists = id.startsWith('req_') ? ['requests'] : ['messages', 'deliveries', 'otps'];
      for (const list of lists) {
        const path = `/_sandbox/${list}/${encodeURIComponent(id)}`;
        const item = await session.account.call<Item>('GET', path).catch(unlessMissing);
        const page = linkTo(session.account, list === 'requests' ? 'requests' : 'webhooks');
        if (item) return { kind: list, ...item, page };
      }
      return { found: false, message: `No request, message, delivery or one-time code has the id ${id}.` };
    },
  });
  add('record', {
    title: 'Record what happened',
    description: 'Returns the history as a scenario that reproduces it.',
    input: {
      from: z.number().int().min(1).optional().describe('seq of the first record'),
      to: z.number().int().min(1).optional(),
    },
    does: 'reads',
    run: (range) => session.account.call('GET', withQuery('/_sandbox/record', range)),
  });
}
