import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { BODY_MODES } from '../../../src/scenario/language/slots.js';
import { bodyToSend } from '../../../src/webhooks/delivery/faults/body.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { spoil } from '../../support/spoiled.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: frozen });
});
afterAll(() => sandbox.close());

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
