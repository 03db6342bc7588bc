import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/domain/event.js';
import { BODY_MODES } from '../../src/scenario/language/slots.js';
import { bodyToSend } from '../../src/webhooks/delivery/faults.js';
import { cases } from '../support/property.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';
import { spoil } from '../support/spoiled.js';

const { sandbox } = useSandbox({ clock: frozen });

it('exact leaves every byte alone, every other mode changes some', () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'message.status', data: { to: '+12025550110' } });
  expect(BODY_MODES.filter((mode) => bodyToSend(mode, body) === body)).toEqual(['exact']);
});

describe.each(BODY_MODES.filter((mode) => mode !== 'exact'))('%s', (body) => {
  it('is rightly signed over the bytes that are sent; the log keeps the event, and the retry carries it', async () => {
    const { requests, deliveries, event } = await spoil(sandbox, { body });
    const [first, retry] = requests;
    const payload = deliveries[0]?.payload;
    expect(first?.body).toBe(bodyToSend(body, payload ?? ''));
    expect(first?.body).not.toBe(payload);
    expect(retry?.body).toBe(payload);
    expect([first?.signature_valid, retry?.signature_valid]).toEqual([true, true]);
    expect(JSON.parse(payload ?? '')).toMatchObject({ id: event.id, type: 'message.received', data: event.data });
    expect(requests.map(({ headers }) => headers['x-service-event-id'])).toEqual([event.id, event.id]);
  });
});

it('reformatted: spaces and escapes as hardly any serialiser does', () => {
  const body = JSON.stringify({ data: { text: 'Größe 42 / „rot“' } });
  const other = bodyToSend('reformatted', body);
  expect(other).toContain('Gr\\u00f6\\u00dfe 42 \\/ \\u201erot\\u201c');
  expect(other).toMatch(/\n\t/);
  // A receiver that signs a re-serialised object signs other bytes.
  expect(JSON.stringify(JSON.parse(other))).toBe(body);
});

it('reformatted: means the same whatever the body says', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (body) => {
      expect(JSON.parse(bodyToSend('reformatted', body))).toEqual(JSON.parse(body));
    }),
    { numRuns: cases(200) },
  );
});

it.each(['{}', '{"a":1}', '{"id":"evt_1","data":{"text":"Größe"}}'])('truncate: half of %s is not JSON', (body) => {
  const half = bodyToSend('truncate', body);
  expect(body.startsWith(half)).toBe(true);
  expect(half.length).toBe(Math.ceil(body.length / 2));
  expect(() => JSON.parse(half) as unknown).toThrow();
});

it.each(eventTypes)('unknown_type: %s becomes an unknown type, and nothing else changes', (type) => {
  const event = { id: 'evt_1', type, created_at: '2026-03-01T09:00:00.000Z', data: { to: '+12025550110' } };
  const other = JSON.parse(bodyToSend('unknown_type', JSON.stringify(event))) as typeof event;
  expect(eventTypes).not.toContain(other.type);
  expect({ ...other, type }).toEqual(event);
});

it('huge: two megabytes of JSON around the unchanged event', () => {
  const event = { id: 'evt_1', type: 'message.status', data: { to: '+12025550110' } };
  const body = bodyToSend('huge', JSON.stringify(event));
  expect(body.length).toBeGreaterThan(2 * 1024 * 1024);
  expect(JSON.parse(body)).toMatchObject(event);
});
