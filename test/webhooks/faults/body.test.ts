import { expect, it } from 'vitest';
import { BODY_MODES } from '../../../src/scenarios/schema/slots.js';
import { bodyToSend } from '../../../src/webhooks/faults/body.js';

const body = JSON.stringify({ id: 'evt_1', type: 'message.status', data: { to: '+12025550110' } });

it('exact leaves every byte alone, every other mode changes some', () => {
  expect(BODY_MODES.filter((mode) => bodyToSend(mode, body) === body)).toEqual(['exact']);
});
