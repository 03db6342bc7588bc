import { describe, expect, it } from 'vitest';
import type { Expectation } from '../../../src/language/expect.js';
import type { Rule } from '../../../src/language/rule.js';
import { newWorld, World, type Control } from '../../support/client.js';
import { receiver } from '../../support/receivers.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, play, stage, trySend, usual } from '../../support/scenes.js';

const to = '+12025550110';

const { sandbox } = useSandbox({ clock: frozen });

const verdict = (world: World) => world.get<Control['Verdict']>('/_sandbox/verdict');
const judging = (expectations: readonly Expectation[], rules: readonly Rule[] = []) =>
  stage(sandbox, rules, { name: 'Exam, part <1> | "é"', expect: [...expectations] });

describe('at finish', () => {
  const image = { type: 'image', media_url: 'https://shop.test/1.png' };
  const question = { type: 'interactive', interactive: { body: 'Well?', buttons: [{ id: 'yes', title: 'Yes' }] } };
  it.each<[string, object, object, boolean]>([
    ['the same picture', image, image, true],
    ['another picture', image, { ...image, media_url: 'https://shop.test/2.png' }, false],
    ['a picture as a document', image, { ...image, type: 'document' }, false],
    ['the same question', question, question, true],
    ['another question', question, { ...question, interactive: { ...question.interactive, body: 'Or?' } }, false],
    [
      'other buttons',
      question,
      { ...question, interactive: { ...question.interactive, buttons: [{ id: 'no', title: 'No' }] } },
      false,
    ],
  ])('a message repeats an earlier one: %s', async (_what, first, second, repeats) => {
    const world = await judging([{ at: 'finish', that: 'messages', where: { direction: 'outbound' }, duplicate: 0 }]);
    await world.inbound(to);
    for (const message of [first, second]) await world.post('/v1/messages', { to, ...message });
    expect((await verdict(world)).passed).toBe(!repeats);
  });

  it.each<[string, Expectation['that'], Partial<Expectation>]>([
    ['requests by operation and status', 'requests', { where: { operation: 'message.send', status: '2xx' }, count: 1 }],
    ['requests by template and recipient', 'requests', { where: { template: 'order_shipped', to }, count: 1 }],
    ['requests by rule', 'requests', { where: { rule: 'fate' }, count: 1 }],
    ['messages by text', 'messages', { where: { text: 'Order 42 left' }, count: 1 }],
    ['messages by state', 'messages', { has: { status: 'failed' } }],
    ['messages by what failed', 'messages', { where: { 'error.channel_code': '131049' }, count: 1 }],
    ['webhooks by alias', 'webhooks', { where: { alias: 'app' }, has: { status: 'active' } }],
    ['deliveries by message state', 'deliveries', { where: { message_status: 'failed' }, has: { state: 'delivered' } }],
    ['attempts by answer', 'attempts', { has: { status: '2xx' } }],
    ['attempts by rule', 'attempts', { where: { rule: 'unusual' }, count: 2 }],
    ['events by state in order', 'events', { in_order: [{ status: 'sent' }, { status: 'failed' }] }],
    ['templates by name', 'templates', { where: { name: 'order_*' }, has: { status: 'approved' } }],
    ['otps by state', 'otps', { where: { state: 'active', template: 'login' }, count: 1 }],
  ])('finds %s', async (_what, that, judgement) => {
    const world = await judging(
      [{ at: 'finish', that, ...judgement }],
      [
        { id: 'fate', when: 'message.send', then: { lifecycle: 'blocked' } },
        { id: 'unusual', when: 'webhook.deliver', then: { webhook: { body: 'reformatted' } } },
      ],
    );
    await trySend(world, to);
    await world.post('/v1/otp/send', { to });
    await world.advance('1m');
    expect(await verdict(world)).toMatchObject({ passed: true });
    const empty = await judging([{ at: 'finish', that, ...judgement }]);
    const expected = that === 'webhooks' || that === 'templates';
    expect((await verdict(empty)).checks[0]?.passed).toBe(expected);
  });
});

describe('links a failed check to the records that failed it', () => {
  const failing: Expectation[] = [
    { at: 'finish', that: 'requests', where: { operation: 'message.send' }, max: 0 },
    { at: 'finish', that: 'messages', where: { direction: 'outbound' }, has: { status: 'read' } },
    { at: 'finish', that: 'messages', where: { direction: 'inbound' }, max: 0 },
    { at: 'finish', that: 'deliveries', where: { event: 'message.status' }, max: 0 },
    { at: 'finish', that: 'attempts', where: { event: 'message.status' }, max: 0 },
    { at: 'finish', that: 'events', where: { type: 'message.received' }, max: 0 },
    { at: 'finish', that: 'otps', max: 0 },
    { at: 'finish', that: 'webhooks', max: 0 },
    { at: 'finish', that: 'templates', where: { name: 'order_shipped' }, max: 0 },
    { at: '+1s', that: 'requests', where: { operation: 'otp.send' }, max: 0 },
    { at: 'finish', that: 'requests', min: 1 },
    { at: '+9h', that: 'requests', max: 0 },
  ];

  async function failed(): Promise<World> {
    const world = await judging(failing, [{ when: 'message.send', then: { lifecycle: 'blocked' } }]);
    await world.inbound(to);
    await trySend(world, to);
    await world.post('/v1/otp/send', { to });
    await world.advance('1m');
    return world;
  }

  it('by addresses in the control plane that answer with the record', async () => {
    const world = await failed();
    const { checks } = await verdict(world);
    const linked = checks.flatMap(({ records = [] }) => records);
    expect(linked.length).toBeGreaterThan(10);
    for (const { id, url, page } of linked) {
      expect(page).toMatch(new RegExp(`^/_sandbox/ui#/${world.key}/[a-z/]+/${id}$`));
      expect(JSON.stringify(await world.get(url))).toContain(id);
    }
    expect(checks.map(({ records }) => records !== undefined)).toEqual(
      failing.map(({ at, min }) => at !== '+9h' && min === undefined),
    );
    const [sent] = await world.items<{ id: string }>('/_sandbox/requests?operation=sendMessage');
    expect(checks[0]?.records?.map(({ id }) => id)).toEqual([sent?.id]);
  });

  it('in Markdown and in JUnit by addresses of the web UI', async () => {
    const world = await failed();
    const [{ text, page } = { text: '', page: '' }] = (await verdict(world)).checks[0]?.records ?? [];
    expect(text).toBe(`POST /v1/messages to ${to} at +0s: 200`);
    const written = async (format: string) =>
      (await world.call<string>('GET', `/_sandbox/verdict?format=${format}`)).body;
    expect(await written('markdown')).toContain(` 1 request<br>[${text}](${sandbox.url}${page}) |`);
    expect(await written('junit')).toContain(`found 1 request">${text} ${sandbox.url}${page}</failure>`);
  });
});

it('counts the attempts that the application answered with an error, but not those with a fault', async () => {
  let calls = 0;
  const { url } = await receiver((response) => void response.writeHead((calls += 1) === 2 ? 200 : 500).end());
  const world = newWorld(sandbox);
  const forged: Rule = { when: 'webhook.deliver', pick: { calls: 3 }, then: { webhook: { signature: 'missing' } } };
  await play(world, { rules: [forged], expect_no_calls: true });
  await world.post('/v1/webhooks', { url: url(), events: ['message.received'] });
  for (const text of ['one', 'two', 'three']) {
    await world.inbound(to, { text });
    await world.advance('1s');
  }
  expect(calls).toBe(3);
  expect(await verdict(world)).toMatchObject({
    passed: true,
    warnings: ['1 of 2 delivery attempts got 500 from the application, first at +0s.'],
  });
});

it('a verdict on an account that does not exist creates none', async () => {
  const [world, nobody] = [newWorld(sandbox), newWorld(sandbox)];
  expect(await nobody.call('GET', '/_sandbox/verdict')).toMatchObject({ status: 404 });
  const keys = (await world.items<{ key: string }>('/_sandbox/accounts?limit=1000')).map(({ key }) => key);
  expect(keys).not.toContain(nobody.key);
});

it('without a call of the application, as JUnit and as Markdown', async () => {
  const world = await judging([]);
  const junit = await world.call<string>('GET', '/_sandbox/verdict?format=junit');
  expect(junit.body).toContain(
    '<testsuite name="Exam, part &lt;1&gt; | &quot;é&quot;" tests="1" failures="1" skipped="0" time="0.000">',
  );
  expect(junit.body).toContain('<failure message="The application made no call');
  const markdown = await world.call<string>('GET', '/_sandbox/verdict?format=markdown');
  expect(markdown.headers.get('content-type')).toContain('text/markdown');
  expect(markdown.body).toMatch(/^# Verdict on Exam, part &lt;1> \\\| "é": failed\n\nThe application made no call/);
});

describe('over several accounts', () => {
  type All = Control['AccountsVerdict'];
  const sent: Expectation[] = [{ at: 'finish', that: 'messages', where: { direction: 'outbound' }, count: 1 }];

  /** Accounts `<run>-0` (one message), `<run>-1` (two messages) and `<run>-other` without a scenario. */
  async function workers(run: string): Promise<World> {
    for (const [index, messages] of [1, 2].entries()) {
      const world = new World(sandbox.url, `${run}-${index}`);
      await play(world, { given: usual, name: 'exam', expect: sent });
      for (let count = 0; count < messages; count += 1) await trySend(world, to);
    }
    const other = new World(sandbox.url, `${run}-other`);
    await other.get('/v1/templates');
    return other;
  }

  it('judges each that has a scenario, and passes when all do', async () => {
    const world = await workers('first');
    const all = await world.get<All>('/_sandbox/verdict?accounts=first-*');
    expect(all).toMatchObject({
      passed: false,
      accounts: [
        { account: 'first-0', scenario: 'exam', passed: true },
        { account: 'first-1', scenario: 'exam', passed: false, checks: [{ found: '2 messages' }] },
      ],
    });
    expect(all.accounts).toHaveLength(2);
    expect(await world.get('/_sandbox/verdict?accounts=first-0*')).toMatchObject({ passed: true });
    const keys = (await world.get<All>('/_sandbox/verdict?accounts=all')).accounts.map(({ account }) => account);
    expect(keys).toEqual(expect.arrayContaining(['first-0', 'first-1']));
    expect(keys).not.toContain('first-other');
  });

  it('counts accounts that did not take part, creates none, and is red if none did', async () => {
    await workers('second');
    const caller = new World(sandbox.url, 'second-caller');
    await play(caller, { name: 'exam', expect: sent });
    await caller.get('/v1/templates');
    const all = await caller.get<All>('/_sandbox/verdict?accounts=second-*');
    expect([all.accounts.map(({ account }) => account), all.apart]).toEqual([['second-0', 'second-1'], 1]);
    expect(await caller.get('/_sandbox/verdict?accounts=second-caller*')).toEqual({
      passed: false,
      reason: 'no_part',
      accounts: [],
      apart: 1,
    });
    const stranger = new World(sandbox.url, 'second-stranger');
    await stranger.get('/_sandbox/verdict?accounts=second-*');
    expect(sandbox.accounts.get('second-stranger')).toBeUndefined();
  });

  it('keeps the verdict of accounts that were reset or deleted after they took part', async () => {
    await workers('third');
    await new World(sandbox.url, 'third-0').post('/_sandbox/reset');
    const caller = new World(sandbox.url, 'third-caller');
    await caller.delete('/_sandbox/accounts/third-1');
    const all = await caller.get<All>('/_sandbox/verdict?accounts=third-*');
    expect(all).toMatchObject({
      passed: false,
      accounts: [
        { account: 'third-0', passed: true },
        { account: 'third-1', passed: false },
      ],
    });
  });

  it('a rule that applied and a step that was played are a part, too', async () => {
    const rules = [{ id: 'slow', when: 'message.send' as const, then: { lifecycle: 'unread' } }];
    const [ruled, stepped] = [new World(sandbox.url, 'part-ruled'), new World(sandbox.url, 'part-stepped')];
    await play(ruled, { given: usual, name: 'exam', rules });
    await play(stepped, { name: 'exam', timeline: [{ at: '+0s', inbound: { phone: to, text: 'Hi' } }] });
    const keys = async () =>
      (await ruled.get<All>('/_sandbox/verdict?accounts=part-*')).accounts.map(({ account }) => account);
    expect(await keys()).toEqual(['part-stepped']);
    await trySend(ruled, to);
    expect(await keys()).toEqual(['part-ruled', 'part-stepped']);
  });

  it('says what is wrong with a selection that fits nothing, or is none', async () => {
    const world = await workers('fourth');
    const nobody = await world.call('GET', '/_sandbox/verdict?accounts=fourth-9*');
    expect([nobody.status, nobody.body.error.message]).toEqual([404, expect.stringContaining('"fourth-9"') as string]);
    expect((await world.call('GET', '/_sandbox/verdict?accounts=fourth-1')).status).toBe(400);
  });
});
