/** What is tried beside the catalogue: restarts of the application, and other settings of the dialect. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialectFaults, dialectFile, openWorlds, settingOf } from '../../src/cli/explore/worlds.js';
import { freeze } from '../../src/cli/scenario/run-clock.js';
import { createSandbox } from '../../src/client/create-sandbox.js';
import type { SandboxClient } from '../../src/client/client.js';
import { resolveConfig } from '../../src/config/index.js';
import { defaultDialect, parseDialect, withSettings } from '../../src/dialect/index.js';
import { usual } from '../../src/explore/baseline.js';
import { restarts } from '../../src/explore/more-faults.js';
import type { Facts } from '../../src/explore/types.js';
import { serverStory } from '../../src/runner/server-story.js';
import { commandStory, type PlayStory } from '../../src/runner/story.js';
import { startSandbox } from '../../src/sandbox.js';
import { machineTime } from '../../src/time/system-clock.js';
import { ManualHost } from '../support/manual-host.js';

const dir = mkdtempSync(join(tmpdir(), 'more-faults-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});
const file = (name: string, text: string) => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};

describe('a restart', () => {
  let sandbox: SandboxClient;
  beforeAll(async () => {
    sandbox = await createSandbox({ logLevel: 'error' });
  });
  afterAll(() => sandbox.close());

  const played = (story: PlayStory, name: string, placed: ReturnType<typeof restarts>) => {
    const account = sandbox.account(name);
    const variables = { MESSAGING_BASE_URL: sandbox.url, MESSAGING_API_KEY: name };
    return story({ variables, account, placed, timeoutMs: 60_000, patience: usual });
  };
  const [restart] = restarts(1);
  if (!restart) throw new Error('a call has no restart after it');

  it('shows that a server forgets its orders, which it does not without one', async () => {
    const app = file(
      'server.mjs',
      `import { createServer } from 'node:http';
      const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key, PORT: port } = process.env;
      const orders = [];
      createServer(async ({ method, url }, response) => {
        if (method === 'POST') {
          orders.push(url);
          await fetch(base + '/v1/templates', { headers: { Authorization: 'Bearer ' + key } });
        }
        response.end(JSON.stringify(orders));
      }).listen(Number(port));`,
    );
    const story = serverStory({
      app: `exec node ${app}`,
      waitFor: 'http://127.0.0.1:{port}/',
      story: file('story.yaml', 'timeline: [{ at: +1m, http: { method: POST, url: /42 } }]\nstate: [/orders]\n'),
      observe: [],
      restart: null,
    });
    const [without, after] = await Promise.all([played(story, 'without', []), played(story, 'after', [restart])]);
    const says = (orders: string[]) => ({ '/orders': { status: 200, body: orders } });
    expect(without).toMatchObject({ failure: null, restarted: false, said: says(['/42']) });
    expect(after).toMatchObject({ failure: null, restarted: true, said: says([]) });
  }, 60_000);

  it('is done by the command that is named, once the call is made', async () => {
    const mark = join(dir, 'restarted');
    const code = `import { existsSync } from 'node:fs';
      const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key } = process.env;
      await fetch(base + '/v1/templates', { headers: { Authorization: 'Bearer ' + key } });
      while (!existsSync(${JSON.stringify(mark)})) await new Promise((go) => setTimeout(go, 20));`;
    const command = ['node', '--input-type=module', '-e', code];
    const story = commandStory({ command, observe: [], restart: `touch ${mark}` });
    expect(await played(story, 'command', [restart])).toMatchObject({
      failure: null,
      timedOut: false,
      restarted: true,
    });
  }, 60_000);
});

it('holds from the activation of the scenario on, at which the clock may stand until the first call', async () => {
  const scenario = file(
    'given.yaml',
    'version: 1\ngiven: { templates: [{ name: a, category: utility, language: en, body: A }] }\n',
  );
  let nowMs = Date.UTC(2026, 2, 1);
  const hostTime = { ...machineTime, now: () => (nowMs += 1) };
  const rule = { id: 'a', when: 'message.send', then: { refuse: {} }, source: { file: '', line: 0 } } as const;
  const config = resolveConfig({ flags: { port: '0', 'log-level': 'error', scenario } });
  const sandbox = await startSandbox(config, { hostTime, rulesFor: () => [rule] });
  const { script, store } = sandbox.accounts.of('explored');
  expect([...store.tables.rules.all()]).toMatchObject([{ id: 'a', addedAtMs: script.activatedAtMs }]);
  await sandbox.close();
});

it('a clock that stands until the first call leaves the timeline alone, though the scenario asks for jumps', async () => {
  const timeline = '[{ at: +10m, inbound: { from: "+12025550111", text: Hi } }]';
  const clock = '{ mode: auto, quiet_real: 150ms }';
  const scenario = file('timeline.yaml', `version: 1\nclock: ${clock}\ntimeline: ${timeline}\n`);
  const host = new ManualHost();
  const config = resolveConfig({ flags: { port: '0', 'log-level': 'error', scenario } });
  const sandbox = await startSandbox(config, { hostTime: host });
  const account = sandbox.accounts.of('explored');
  freeze(account);
  host.tick(60_000);
  expect(account.clock.now()).toBe(account.script.activatedAtMs);
  await sandbox.close();
});

describe('a setting of the dialect', () => {
  const facts = { requests: [{ error: 'template_not_found' }, {}] } as unknown as Facts;
  const faults = dialectFaults(defaultDialect, facts);

  it('is changed alone, and written as a file that reads the same', () => {
    expect(faults.length).toBeGreaterThan(5);
    for (const placed of faults) {
      const setting = settingOf([placed]);
      if (!setting) throw new Error('a fault of the dialect has no setting');
      const changed = withSettings(defaultDialect, [[setting.key, setting.value]]);
      expect(changed).not.toEqual(defaultDialect);
      expect(changed).toEqual(parseDialect(dialectFile(setting), 'dialect.yml'));
    }
  });

  it('holds in a try with it, and in no other', async () => {
    const status = faults.find(({ fault }) => fault.setting?.key === 'errors.status.template_not_found');
    if (!status) throw new Error('the status of an error that the story meets is not tried');
    const worlds = await openWorlds(resolveConfig({ flags: { port: '0', 'log-level': 'error' } }));
    const missing = async (placed: Parameters<typeof worlds.world>[0]) => {
      const { variables, close } = await worlds.world(placed);
      const response = await fetch(`${variables['MESSAGING_BASE_URL'] ?? ''}/v1/messages`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${variables['MESSAGING_API_KEY'] ?? ''}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ to: '+12025550111', type: 'template', template: { name: 'none', language: 'en' } }),
      });
      await close();
      return response.status;
    };
    expect([await missing([status]), await missing([])]).toEqual([400, 404]);
    await worlds.end();
  });
});
