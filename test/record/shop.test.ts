/** A recorded run of the shop is green with the shop, and fails with its careless twin and with no application at all. */
import type { SandboxAccount } from '../../src/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The part of the shop's own test support that is used here; its sources are plain JavaScript. */
interface Shop {
  readonly account: SandboxAccount;
  advance(by: string): Promise<void>;
  settle(): Promise<void>;
  post(path: string, body?: object): Promise<unknown>;
}
interface Options {
  readonly scenario?: string;
  readonly start?: unknown;
}
interface Together {
  readonly openSandbox: () => Promise<void>;
  readonly closeSandbox: () => Promise<void>;
  readonly openShop: (t: { readonly after: (end: () => unknown) => void }, options: Options) => Promise<Shop>;
}
const examples = '../../examples/shop';
const { closeSandbox, openSandbox, openShop } = (await import(`${examples}/test/together.js`)) as Together;
const { startShop: startCareless } = (await import(`${examples}/careless/shop.js`)) as { readonly startShop: unknown };

const ada = '+12025550113';
const ends: (() => unknown)[] = [];
const open = (options: Options = {}) => openShop({ after: (end) => ends.push(end) }, options);

beforeAll(openSandbox);
afterAll(async () => {
  for (const end of ends) await end();
  await closeSandbox();
});

/** What the shop's own people do: in the recording, and again beside the scenario. */
async function staff(shop: Shop): Promise<void> {
  await shop.advance('3h');
  await shop.post('/orders', { number: '42', phone: ada, name: 'Ada' });
  await shop.post('/orders/42/ship');
  await shop.post('/logins', { phone: '+12025550114' });
  await shop.advance('2m');
}

async function recorded(): Promise<string> {
  const shop = await open();
  await staff(shop);
  await shop.account.rules.add({
    id: 'busy',
    when: 'message.send',
    match: { type: 'text' },
    pick: { calls: 1 },
    then: { respond: { status: 503, retry_after: '2s' } },
  });
  await shop.account.rules.add({ id: 'never', when: 'otp.verify', then: { respond: { status: 500 } } });
  await shop.account.customer(ada).says('Where is my order?');
  await shop.settle();
  await shop.advance('5m');
  await shop.account.emit('message.status', { status: 'read' }, { webhook: { signature: 'wrong_secret' } });
  await shop.settle();
  return shop.account.record();
}

async function play(scenario: string, start?: unknown) {
  const shop = await open({ scenario, ...(start !== undefined && { start }) });
  await staff(shop);
  await shop.advance('10m');
  return shop.account.scenario.verdict();
}

describe('a recorded run of the shop', () => {
  let scenario: string;
  beforeAll(async () => {
    scenario = await recorded();
  });

  it('says what the other side did, which rules applied, and what the shop did', () => {
    expect(scenario.replace(/, name: [A-Z]\w+ [A-Z][\w' ]+? }/, ', name: NAME }')).toMatchInlineSnapshot(`
      "version: 1
      name: recorded
      description: Recorded from 2026-03-02T09:00:00.000Z to 2026-03-02T12:07:00.000Z.
      clock: 2026-03-02T09:00:00.000Z
      rules:
        - {
            id: busy,
            when: message.send,
            match: { type: text },
            pick: { calls: 1 },
            then: { respond: { status: 503, retry_after: 2s } },
            active: { after: +3h2m }
          }
      timeline:
        - { at: +3h2m, inbound: { phone: "+12025550113", text: Where is my order?, name: NAME } }
        - { at: +3h7m, emit: { type: message.status, data: { to: "+12025550113", type: text, status: read }, webhook: { signature: wrong_secret } } }
      expect:
        - { at: finish, that: requests, where: { operation: webhook.create, status: 2xx }, min: 1 }
        - { at: finish, that: templates, where: { name: [ order_shipped, may_we_write, login_code ] }, min: 3 }
        - { at: finish, that: messages, where: { direction: outbound, type: template, template: order_shipped, to: "+12025550113" }, count: 1 }
        - { at: finish, that: messages, where: { direction: outbound, type: text, to: "+12025550113" }, count: 1 }
        - { at: finish, that: messages, where: { to: "+12025550113" }, in_order: [ { direction: inbound }, { direction: outbound } ] }
        - { at: finish, that: otps, count: 1 }
        - { at: finish, that: attempts, where: { event: template.status }, has: { status: 2xx } }
        - { at: finish, that: attempts, where: { event: message.status }, has: { status: [ 2xx, 4xx ] } }
        - { at: finish, that: attempts, where: { event: message.received }, has: { status: 2xx } }
        - { at: finish, that: requests, where: { error: "*", rule: [ { not: "*" }, magic-* ] }, max: 0 }
        - { at: finish, that: messages, where: { direction: outbound }, max: 2, duplicate: 0 }
      "
    `);
  });

  it('is green with the shop', async () => {
    const { passed, checks, warnings } = await play(scenario);
    expect({ failed: checks.filter((check) => !check.passed), warnings }).toEqual({ failed: [], warnings: undefined });
    expect(passed).toBe(true);
    expect(checks.length).toBeGreaterThan(5);
  });

  it('fails with the careless shop', async () => {
    const { passed, checks } = await play(scenario, startCareless);
    expect(passed).toBe(false);
    expect(checks.filter((check) => !check.passed).map(({ that }) => that)).toMatchInlineSnapshot(`
      [
        "templates where {"name":["order_shipped","may_we_write","login_code"]}",
        "otps",
        "requests where {"error":"*","rule":[{"not":"*"},"magic-*"]}",
      ]
    `);
  });

  it('fails with no application, in everything that asks it to do something', async () => {
    const { account } = await open();
    const alone = account.account('alone');
    await alone.scenario.use(scenario);
    await alone.clock.advance('4h');
    const { passed, checks } = await alone.scenario.verdict();
    expect(passed).toBe(false);
    const asks = checks.filter(({ expected: words }) => !/^(?:at most|no duplicates)/.test(words));
    expect(asks.length).toBeGreaterThan(4);
    expect(asks.filter((check) => check.passed)).toEqual([]);
  });
});
