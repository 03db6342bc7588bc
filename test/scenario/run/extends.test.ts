import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { newWorld, type Control } from '../../support/client.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen, latestMessage } from '../../support/scenes.js';

const to = '+12025550110';

let folder: string;
let sandbox: Sandbox;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
  const base = {
    version: 1,
    seed: 5,
    defaults: { lifecycle: 'blocked', review: { status: 'pending' } },
    given: {
      templates: [
        { name: 'greeting', category: 'utility', language: 'en', body: 'Hello' },
        { name: 'shared', category: 'utility', language: 'en', body: 'From the base' },
      ],
    },
    timeline: [{ at: '+1m', inbound: { phone: to, text: 'from base' } }],
    expect: [{ at: 'finish', that: 'messages', min: 1 }],
  };
  const top = {
    version: 1,
    name: 'top',
    extends: ['base'],
    defaults: { lifecycle: 'unread' },
    given: { templates: [{ name: 'shared', category: 'marketing', language: 'de', body: 'From the top' }] },
    expect: [{ at: 'finish', that: 'messages', max: 5 }],
  };
  writeFileSync(join(folder, 'base.json'), JSON.stringify(base));
  writeFileSync(join(folder, 'top.json'), JSON.stringify(top));
  sandbox = await startTestSandbox({ clock: frozen, scenarios: [join(folder, 'top.json')] });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

it('extends: the file itself wins, the base adds what it does not say', async () => {
  const world = newWorld(sandbox);
  const active = await world.get<Control['ActiveScenario']>('/_sandbox/scenario');
  expect(active).toMatchObject({ name: 'top', file: join(folder, 'top.json'), scenario: { seed: 5 } });
  expect((await world.items('/_sandbox/templates')).map(({ name, body }) => [name, body])).toEqual([
    ['shared', 'From the top'],
    ['greeting', 'Hello'],
  ]);
  const id = await world.template('mine', {}, false);
  await world.send(to, 'greeting', []);
  await world.advance('1h');
  expect(await world.get(`/v1/templates/${id}`)).toMatchObject({ status: 'pending' });
  expect(await latestMessage(world, to)).toMatchObject({ status: 'delivered' });
  expect(await world.events('?type=message.received')).toMatchObject([{ data: { text: 'from base' } }]);
  expect((await world.get<Control['Verdict']>('/_sandbox/verdict')).checks).toHaveLength(2);
});
