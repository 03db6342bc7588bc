import { expect, it } from 'vitest';
import { eventTypes } from '../../../src/domain/event.js';
import { ofUnknownType } from '../../../src/webhooks/delivery/faults/unknown-type.js';

it.each(eventTypes)('%s becomes a type that nobody knows, and nothing else changes', (type) => {
  const event = { id: 'evt_1', type, created_at: '2026-03-01T09:00:00.000Z', data: { to: '+12025550110' } };
  const other = JSON.parse(ofUnknownType(JSON.stringify(event))) as typeof event;
  expect(eventTypes).not.toContain(other.type);
  expect({ ...other, type }).toEqual(event);
});
