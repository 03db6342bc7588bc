import { expect, it } from 'vitest';
import type { Api } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, latestMessage, ruleOf, stage, trySend } from '../../support/scenes.js';

const [ada, bob, grace] = ['+12025550110', '+12025550111', '+12025550112'];

const { sandbox } = useSandbox({ clock: frozen });

it('a single send is answered with the refusal, and no message exists', async () => {
  const world = await stage(sandbox, [
    { id: 'not-bob', when: 'message.send', match: { to: bob }, then: { refuse: { code: 'undeliverable' } } },
  ]);
  const answer = await trySend(world, bob);
  expect([answer.status, answer.body.error.code, ruleOf(answer)]).toEqual([400, 'undeliverable', 'not-bob']);
  expect(answer.body.error.message).toMatch(/\.$/);
  expect(await world.items('/_sandbox/messages')).toEqual([]);
  expect(await latestCall(world)).toMatchObject({ error: 'undeliverable', explain: { by: 'rule', id: 'not-bob' } });
  expect((await trySend(world, ada)).status).toBe(200);
});

it('a failure of the channel may be called by its number', async () => {
  const world = await stage(sandbox, [{ when: 'message.send', then: { refuse: { code: '131050' } } }]);
  const answer = await trySend<Api['BatchResult']>(world, [ada]);
  expect(answer.body.results[0]).toMatchObject({ error: { code: 'recipient_opted_out', channel_code: 131050 } });
  const unknown = await world.call('POST', '/_sandbox/rules', {
    when: 'message.send',
    then: { refuse: { code: 131999 } },
  });
  expect([unknown.status, unknown.body.error.details?.[0]]).toMatchObject([400, { code: 'unknown_word' }]);
});

it('a conversation message too, though not before its window is judged', async () => {
  const world = await stage(sandbox, [{ when: 'message.send', then: { refuse: { message: 'Not today.' } } }]);
  const text = { to: ada, type: 'text', text: 'Hi' };
  const closed = await world.call('POST', '/v1/messages', text);
  expect(closed.body.error.message).toContain('window');
  await world.inbound(ada);
  const open = await world.call('POST', '/v1/messages', text);
  expect([open.status, open.body.error]).toEqual([400, { code: 'send_failed', message: 'Not today.' }]);
});

it('in a batch only the entry fails; the others are sent and results keep their order', async () => {
  const world = await stage(sandbox, [
    { id: 'not-bob', when: 'message.send', match: { to: bob }, then: { refuse: { code: 'recipient_opted_out' } } },
    {
      id: 'not-grace',
      when: 'message.send',
      match: { to: grace, batch: true },
      then: { respond: { refuse: { code: 'quota_used_up', message: 'Enough for today.' } } },
    },
  ]);
  const answer = await trySend<Api['BatchResult']>(world, [ada, bob, grace, 'nobody']);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ recipient_count: 4, failed_count: 3, status: 'queued' });
  const [first, second, third, fourth] = answer.body.results;
  expect(first).toMatchObject({ to: ada, ok: true });
  expect(second).toEqual({
    to: bob,
    ok: false,
    error: { code: 'recipient_opted_out', message: expect.stringMatching(/\.$/) as string, channel_code: 131050 },
  });
  expect(third).toEqual({
    to: grace,
    ok: false,
    error: { code: 'quota_used_up', message: 'Enough for today.', channel_code: null },
  });
  expect(fourth).toMatchObject({ to: 'nobody', ok: false, error: { code: 'validation_error' } });
  expect(ruleOf(answer)).toBe('not-bob');
  expect(await world.items('/_sandbox/messages')).toHaveLength(1);
  expect((await latestMessage(world, ada)).explain).toMatchObject({ by: 'default' });
  // Alone, Grace is not refused: the rule wants a batch.
  expect((await trySend(world, grace)).status).toBe(200);
});

it('a batch is answered as a whole when a rule responds for one of its recipients', async () => {
  const world = await stage(sandbox, [
    { id: 'down', when: 'message.send', match: { to: bob }, then: { respond: { status: 503 } } },
    { id: 'blocked', when: 'message.send', match: { to: ada }, then: { lifecycle: 'blocked' } },
  ]);
  const answer = await trySend(world, [ada, bob]);
  expect([answer.status, ruleOf(answer)]).toEqual([503, 'down']);
  expect(await world.items('/_sandbox/messages')).toEqual([]);
});

it('a rule that refuses beats a magic number that answers, alone and in a batch', async () => {
  const always500 = '+12025550142';
  const world = await stage(sandbox, [
    { id: 'refuses', when: 'message.send', match: { to: always500 }, then: { refuse: { code: 'policy_blocked' } } },
  ]);
  const alone = await trySend(world, always500);
  expect([alone.status, alone.body.error.code, ruleOf(alone)]).toEqual([400, 'policy_blocked', 'refuses']);
  const answer = await trySend<Api['BatchResult']>(world, [ada, always500]);
  expect(answer.status).toBe(200);
  expect(answer.body.results).toMatchObject([{ ok: true }, { ok: false, error: { code: 'policy_blocked' } }]);
});

it('between one that refuses and one that answers the first decides; the other is not counted', async () => {
  const refuses = {
    id: 'refuses',
    when: 'message.send',
    pick: { first: 1 },
    then: { refuse: { code: 'no_more', message: 'Enough.' } },
  } as const;
  const answers = {
    id: 'answers',
    when: 'message.send',
    pick: { first: 1 },
    then: { respond: { status: 503 } },
  } as const;
  for (const [rules, statuses] of [
    [
      [refuses, answers],
      [400, 503, 200],
    ],
    [
      [answers, refuses],
      [503, 400, 200],
    ],
  ] as const) {
    const world = await stage(sandbox, [...rules]);
    for (const status of statuses) expect((await trySend(world, ada)).status).toBe(status);
  }
});

it('an answer that is only late leaves the refusal to whoever comes after', async () => {
  const world = await stage(sandbox, [
    { id: 'late', when: 'message.send', then: { respond: { headers: { 'X-Late': 'yes' } } } },
    { id: 'refuses', when: 'message.send', then: { refuse: { code: 'no_more', message: 'Enough.' } } },
  ]);
  expect((await trySend(world, ada)).body.error.code).toBe('no_more');
});
