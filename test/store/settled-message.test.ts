import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, StatusEntry } from '../../src/domain/message.js';
import { wamidOf } from '../../src/random/wamid.js';
import { settledFrom, settledLine } from '../../src/store/tables/settled-line.js';
import { messageSettling } from '../../src/store/tables/settled-message.js';
import { SharedParts } from '../../src/store/tables/shared-parts.js';
import { message, startMs } from './samples.js';

const statuses = ['accepted', 'sent', 'delivered', 'read', 'failed', 'received'] as const;
const channelError = fc.record({
  code: fc.string(),
  message: fc.string({ unit: 'binary' }),
  channel_code: fc.option(fc.nat()),
});

const history: fc.Arbitrary<StatusEntry[]> = fc.oneof(
  fc
    .tuple(fc.nat(4), fc.nat(5000))
    .map(([length, step]) => statuses.slice(0, length).map((status, i) => ({ status, atMs: startMs + i * step }))),
  fc.array(
    fc.record(
      {
        status: fc.constantFrom(...statuses),
        // The instants of a scaled clock have fractions.
        atMs: fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e12, max: 1e12 })),
        error: channelError,
        by: fc.constantFrom('command', 'timeline'),
      },
      { requiredKeys: ['status', 'atMs'] },
    ),
  ),
);

const template = fc.record(
  {
    id: fc.uuid(),
    name: fc.constantFrom('order_shipped', 'code'),
    language: fc.constantFrom('en', 'de'),
    category: fc.constant('utility'),
    body: fc.constantFrom('Order {{1}} left', '“{{1}}” 🚚'),
    variables: fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }),
    buttons: fc.constantFrom([], [{ type: 'url', text: 'Track' }]),
  },
  { requiredKeys: ['id', 'name', 'language', 'category', 'body', 'variables'] },
);

const anyMessage: fc.Arbitrary<Message> = fc
  .record(
    {
      id: fc.oneof(fc.uuid(), fc.string({ unit: 'binary' })),
      seq: fc.nat(),
      wamid: fc.oneof(fc.constant(wamidOf('+12025550150', '0123456789ABCDEF01')), fc.string()),
      origin: fc.constantFrom('api', 'otp', 'inbound'),
      customer: fc.oneof(fc.constant('+12025550150'), fc.string({ unit: 'binary' })),
      type: fc.oneof(fc.constantFrom('text', 'template'), fc.string()),
      content: fc.oneof(
        fc.record({ text: fc.string({ unit: 'binary' }) }),
        fc.record({ template }),
        fc.record({ template, text: fc.string() }),
      ),
      status: fc.constantFrom(...statuses),
      error: fc.option(channelError),
      createdAtMs: fc.oneof(fc.constant(startMs), fc.double({ noNaN: true, min: 0, max: 1e12 })),
      history,
      batchId: fc.constantFrom('batch-1', 'batch-2'),
      otpId: fc.uuid(),
      addedByALaterVersion: fc.jsonValue(),
      explain: fc.record(
        {
          by: fc.constantFrom('default', 'rule'),
          text: fc.constantFrom('No rule matched.', 'Rule 1.'),
          id: fc.string(),
        },
        { requiredKeys: ['by', 'text'] },
      ),
    },
    { noNullPrototype: true, requiredKeys: Object.keys(message('m', 1)) as (keyof Message)[] },
  )
  .map((value) => value as Message);

describe('a message at rest', () => {
  it('is made whole again exactly, alone and among others like it', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { minLength: 1, maxLength: 8 }), (messages) => {
        const parts = new SharedParts();
        const settling = messageSettling(parts, 0);
        const settled = [...messages, ...messages].map((each) => settling.pack(each));
        expect(
          settled.map((each) => JSON.parse(JSON.stringify(settling.unpack(each, parts.values))) as unknown),
        ).toEqual(JSON.parse(JSON.stringify([...messages, ...messages])));
      }),
    );
  });

  it('is known to the indexes as the message would be', () => {
    fc.assert(
      fc.property(anyMessage, (each) => {
        const settling = messageSettling(new SharedParts(), 0);
        const { origin, customer, type, status } = settling.keysOf(settling.pack(each));
        expect({ origin, customer, type, status }).toEqual({
          origin: each.origin,
          customer: each.customer,
          type: each.type,
          status: each.status,
        });
      }),
    );
  });

  it('is a line of JSON from which it comes back', () => {
    fc.assert(
      fc.property(anyMessage, (each) => {
        const settled = messageSettling(new SharedParts(), 0).pack(each);
        const line = settledLine(settled);
        expect(line).not.toContain('\n');
        expect(settledFrom(JSON.parse(line) as unknown[])).toEqual(settled);
      }),
    );
  });

  it('takes a small part of what it took', () => {
    const settling = messageSettling(new SharedParts(), 0);
    const whole: Message = {
      ...message('8d5c2a4e-0b7f-4c11-9a55-2f1f6f1f2f10', 7),
      wamid: wamidOf('+12025550150', '0123456789ABCDEF01'),
      status: 'read',
      history: statuses.slice(0, 4).map((status, i) => ({ status, atMs: startMs + 300 * i })),
    };
    settling.pack(whole);
    expect(settling.pack(whole).text.length).toBeLessThan(JSON.stringify(whole).length / 3);
  });
});

describe('parts that messages share', () => {
  it('are numbered from their second coming on', () => {
    const parts = new SharedParts();
    expect([parts.numberOf('a'), parts.numberOf('b'), parts.numberOf('a'), parts.numberOf('a')]).toEqual([
      null,
      null,
      0,
      0,
    ]);
    expect(parts.values).toEqual(['a']);
  });

  it('go on after a start with the numbers they had', () => {
    const parts = new SharedParts();
    parts.restore([{ text: 'x' }, 'a']);
    expect([parts.numberOf('a'), parts.numberOf({ text: 'x' }), parts.values[0]]).toEqual([1, 0, { text: 'x' }]);
  });

  it('keep their numbers however many others come by', () => {
    const parts = new SharedParts();
    parts.numberOf('a');
    const number = parts.numberOf('a');
    for (let n = 0; n < 10_000; n += 1) parts.numberOf(`once ${String(n)}`);
    expect(parts.values[number ?? -1]).toBe('a');
    expect(parts.values.length).toBe(1);
  });
});
