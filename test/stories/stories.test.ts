/** The stories of the documentation: each is passed by a right application, and failed by one with a common error. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { knownScenarios, loadNamed } from '../../src/beside/scenario-file.js';
import type { Played } from '../../src/beside/result.js';
import { runScenario } from '../../src/beside/run-scenario.js';
import { SignalRelay } from '../../src/beside/user-command.js';

const dir = mkdtempSync(join(tmpdir(), 'stories-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

const relay = new SignalRelay();
afterAll(() => {
  relay.release();
});

/** Plays a story with an application of this code. */
async function play(yaml: string, code: string): Promise<Played> {
  const name = /^name: (.+)$/m.exec(yaml)?.[1] ?? '';
  const path = join(dir, `${name}.yaml`);
  writeFileSync(path, yaml);
  return runScenario(loadNamed(await knownScenarios(), path), {
    command: [],
    relay,
    commandOutput: 'stderr',
    pace: 'flow',
    quietMs: null,
    app: `"${process.execPath}" test/stories/app.mjs '${code.replaceAll("'", `'"'"'`)}'`,
    waitFor: { url: 'http://127.0.0.1:{port}/state', timeoutMs: 30_000 },
    strict: false,
  });
}

const storyOf = (name: string) => readFileSync(`examples/stories/${name}.yaml`, 'utf8');

const counts = `state.received = 0; const seen = new Set();
  on.event = ({ id, type }) => { if (type === 'message.received' && !seen.has(id)) { seen.add(id); state.received += 1; } };`;

/** The code of a right application, and of a wrong one. */
const applications: Readonly<Record<string, readonly [right: string, wrong: string]>> = {
  campaign: [
    `state.blocked = []; on.events = ['message.status'];
     on.event = ({ data }) => { if (data.status === 'failed') state.blocked.push(data.to); };
     on.call = async (_, { to }) => { for (const one of to) if (!state.blocked.includes(one)) await template(one, 'offer'); };`,
    `state.blocked = [];
     on.call = async (_, { to }) => { for (const one of to) await template(one, 'offer'); };`,
  ],
  'third-submission': [
    `const submit = () => api('POST', '/v1/templates', { name: 'offer_' + (n += 1), category: 'utility', language: 'en', body: 'Hi' });
     let n = 0; on.events = ['template.status'];
     on.event = async ({ data }) => { if (data.status === 'rejected') await submit(); };
     on.call = submit;`,
    `on.events = ['template.status'];
     on.call = () => api('POST', '/v1/templates', { name: 'offer', category: 'utility', language: 'en', body: 'Hi' });`,
  ],
  'seven-hours': [
    counts,
    `state.received = 0; on.event = ({ type }) => { if (type === 'message.received') state.received += 1; };`,
  ],
  limits: [
    `const send = async (to) => { const { status, after } = await text(to, 'Hi'); if (status === 429) { await sleep(after * 1000); await send(to); } };
     on.call = async (_, { to }) => { for (const one of to) await send(one); };`,
    `const send = async (to) => { const { status } = await text(to, 'Hi'); if (status === 429) { await sleep(50); await send(to); } };
     on.call = async (_, { to }) => { for (const one of to) await send(one); };`,
  ],
  window: [
    `on.call = async (_, { to }) => { const { error } = await text(to, 'Hi'); if (error) await template(to, 'may_we_write'); };`,
    `on.call = (_, { to }) => text(to, 'Hi');`,
  ],
  codes: [
    `let id; on.call = async (url, body) => {
       if (url === '/login') ({ otp_id: id } = await api('POST', '/v1/otp/send', body));
       else await api('POST', '/v1/otp/verify', { otp_id: id, code: body.code }); };`,
    `let id; on.call = async (url, body) => {
       if (url === '/login') ({ otp_id: id } = await api('POST', '/v1/otp/send', body));
       else await api('POST', '/v1/otp/verify', { otp_id: id, code: String(Number(body.code)) }); };`,
  ],
  'early-status': [
    `const early = new Map(); let id; on.events = ['message.status'];
     on.event = ({ data }) => { early.set(data.message_id, data.status); if (data.message_id === id) state.status = data.status; };
     on.call = async (_, { to }) => { ({ message_id: id } = await text(to, 'Hi')); state.status = early.get(id) ?? 'unknown'; };`,
    `let id; on.events = ['message.status'];
     on.event = ({ data }) => { if (data.message_id === id) state.status = data.status; };
     on.call = async (_, { to }) => { ({ message_id: id } = await text(to, 'Hi')); };`,
  ],
  'lost-reports': [
    `let id; on.call = async (url, { to }) => {
       if (url === '/send') ({ message_id: id } = await text(to, 'Hi'));
       else ({ status: state.status } = await api('GET', '/v1/messages/' + id).then((one) => ({ status: one.status }))); };`,
    `let id; on.event = ({ data }) => { state.status = data.status; };
     on.call = async (url, { to }) => { if (url === '/send') ({ message_id: id } = await text(to, 'Hi')); };`,
  ],
  'paused-template': [
    `const left = [];
     on.call = async (_, { to = [] }) => {
       left.push(...to);
       while (left.length > 0 && !(await template(left[0], 'offer')).error) left.shift(); };`,
    `on.call = async (_, { to = [] }) => { for (const one of to) await template(one, 'offer'); };`,
  ],
  signature: [
    `state.received = 0; on.event = (_, isGenuine) => { if (!isGenuine) return 401; state.received += 1; };`,
    `state.received = 0; on.event = () => { state.received += 1; };`,
  ],
  stop: [
    `const stopped = new Set();
     on.event = ({ type, data }) => { if (type === 'message.received' && data.text === 'STOP') stopped.add(data.from); };
     on.call = async (_, { to }) => { for (const one of to) if (!stopped.has(one)) await template(one, 'offer'); };`,
    `on.call = async (_, { to }) => { for (const one of to) await template(one, 'offer'); };`,
  ],
};

describe.concurrent.each(Object.entries(applications))('the story %s', (name, [right, wrong]) => {
  it('is passed by a right application', async () => {
    const { passed, verdicts, cutShort, impossible } = await play(storyOf(name), right);
    const failed = verdicts.flatMap(({ checks }) => checks.filter((check) => !check.passed));
    expect({ passed, failed, cutShort, impossible }).toEqual({
      passed: true,
      failed: [],
      cutShort: null,
      impossible: [],
    });
  });

  it('is failed by a wrong one', async () => {
    const { passed, verdicts, cutShort } = await play(storyOf(name), wrong);
    const failed = verdicts.flatMap(({ checks }) => checks.filter((check) => !check.passed));
    expect([passed, failed.length > 0, cutShort]).toEqual([false, true, null]);
  });
});
