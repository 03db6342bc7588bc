import { describe, expect, it } from 'vitest';
import { withMessage } from '../../src/ui/page/core/last-message.js';
import type { Customer, InboundMessage, Message } from '../../src/ui/page/core/records.js';
import { buttonsOf, fileName, possibleMoves } from '../../src/ui/page/panels/handset/actions.js';
import { glimpseWords, initials, orderedConversations } from '../../src/ui/page/panels/handset/conversations.js';
import { freeNumber, magicOf } from '../../src/ui/page/core/phone.js';

const at = '2026-03-01T09:00:00.000Z';

const both = { from: '+12025550110', to: '+12025550110', type: 'text', created_at: at, history: [] } as const;
const sent = (fields: Partial<Message> = {}) =>
  ({
    id: 'm-5',
    seq: 5,
    direction: 'outbound',
    status: 'sent',
    text: 'Hello',
    ...both,
    ...fields,
  }) as unknown as Message;
const wrote = {
  id: 'm-6',
  seq: 6,
  direction: 'inbound',
  status: 'received',
  text: 'Hi',
  ...both,
} as unknown as InboundMessage;

function customer(phone: string, fields: Partial<Customer> = {}): Customer {
  const window = { open: false, closes_at: null };
  return { seq: 1, phone, profile_name: null, window, last_inbound_at: null, last_message: null, ...fields };
}

describe('what can be done to a message', () => {
  it.each([
    ['accepted', ['delivered', 'read', 'failed']],
    ['sent', ['delivered', 'read', 'failed']],
    ['delivered', ['read', 'failed']],
    ['read', []],
    ['failed', []],
  ] as const)('that is %s', (status, moves) => {
    expect(possibleMoves(sent({ status }))).toStrictEqual(moves);
  });

  it('is nothing where it came from the customer or carries a code', () => {
    expect([possibleMoves(wrote), possibleMoves(sent({ otp_id: 'o-1' }))]).toStrictEqual([[], []]);
  });
});

describe('buttons', () => {
  it('of an interactive message can be tapped', () => {
    const interactive = { body: 'Well?', buttons: [{ id: 'y', title: 'Yes' }] };
    expect(buttonsOf(sent({ type: 'interactive', interactive }))).toStrictEqual([
      { id: 'y', title: 'Yes', kind: 'tap', target: null },
    ]);
  });

  it('of a template are quick replies, or show what they lead to', () => {
    const buttons = [
      { type: 'quick_reply', text: 'Thanks' },
      { type: 'url', text: 'Track', url: 'https://shop.test' },
      { type: 'unheard_of', text: 'x' },
      { type: 'quick_reply' },
    ];
    const template = { name: 't', language: 'en', category: 'utility' as const, body: 'b', variables: [], buttons };
    expect(buttonsOf(sent({ type: 'template', template }))).toStrictEqual([
      { id: 'Thanks', title: 'Thanks', kind: 'tap', target: null },
      { id: 'Track', title: 'Track', kind: 'url', target: 'https://shop.test' },
    ]);
  });
});

describe('the name on a card', () => {
  it.each([
    ['https://files.test/a/invoice.pdf?x=1', 'invoice.pdf'],
    ['https://files.test/', 'files.test'],
    ['no address', 'no address'],
  ])('of %s', (url, name) => {
    expect(fileName(url)).toBe(name);
  });
});

describe('conversations', () => {
  const ada = withMessage(customer('+12025550110', { seq: 1, profile_name: 'Ada Lovelace' }), wrote);
  const grace = customer('+12025550111', { seq: 2, profile_name: 'Grace' });
  const late = withMessage(customer('+12025550112', { seq: 3 }), sent({ seq: 9, text: 'Your order left' }));

  it('stand by their latest message, or else by their first contact', () => {
    expect(orderedConversations([ada, grace, late], '').map(({ seq }) => seq)).toStrictEqual([3, 1, 2]);
  });

  it.each([
    ['lovel', [1]],
    ['ORDER', [3]],
    ['(202) 555-0111', [2]],
    ['nobody', []],
    ['( -', []],
    ['  ', [3, 1, 2]],
  ])('that fit %s', (search, seqs) => {
    expect(orderedConversations([ada, grace, late], search).map(({ seq }) => seq)).toStrictEqual(seqs);
  });

  it('show the latest message, and a later change of it, but none that is older', () => {
    const read = withMessage(late, sent({ seq: 9, status: 'read' }));
    expect(read.last_message?.status).toBe('read');
    expect(withMessage(late, sent({ seq: 8 }))).toBe(late);
  });

  it('say what a message without words is', () => {
    expect(glimpseWords(grace)).toBe('No messages yet');
    expect(glimpseWords(withMessage(grace, sent({ type: 'image', text: null })))).toBe('Image');
    expect(glimpseWords(withMessage(grace, sent({ type: 'document', text: 'Invoice' })))).toBe('Document: Invoice');
    const asked = sent({ type: 'interactive', text: null, interactive: { body: 'Well?', buttons: [] } });
    expect(glimpseWords(withMessage(grace, asked))).toBe('Well?');
  });

  it.each([
    ['Ada Lovelace', 'AL'],
    ['Ada King Lovelace', 'AL'],
    ['ada', 'A'],
    ['🦊 Fox', '🦊F'],
    [null, '10'],
  ])('of %s have a face', (name, letters) => {
    expect(initials({ profile_name: name, phone: '+12025550110' })).toBe(letters);
  });
});

describe('fictional numbers', () => {
  const info = { magic_numbers: [{ suffix: '10', name: 'x', description: 'Misbehaves.' }] } as unknown as NonNullable<
    Parameters<typeof magicOf>[1]
  >;

  it('are known by their end, in any area', () => {
    expect(magicOf('+14155550110', info)?.description).toBe('Misbehaves.');
    expect([magicOf('+14155550111', info), magicOf('+4915755550110', info)]).toStrictEqual([null, null]);
  });

  it('are offered when nobody has them and nothing special follows', () => {
    expect(freeNumber((phone) => phone === '+12025550111', info)).toBe('+12025550112');
  });
});
