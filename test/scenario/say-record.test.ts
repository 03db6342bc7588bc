/** Records in words. */
import { expect, it } from 'vitest';
import { sayRecord } from '../../src/rules/say-record.js';
import type { EvidenceRecord } from '../../src/rules/evidence.js';
import type { ExpectSubject } from '../../src/language/hooks.js';

const to = '+12025550111';
const at = '2026-03-01T09:05:00.250Z';
const startMs = Date.parse('2026-03-01T09:00:00Z');
const message = { direction: 'outbound', to, type: 'text', status: 'sent', at };

it.each<[ExpectSubject, EvidenceRecord, string]>([
  ['messages', { ...message, text: 'On its way.' }, `outbound text to ${to} at +5m: "On its way."`],
  [
    'messages',
    { ...message, type: 'template', template: 'offer', text: 'New' },
    `outbound template offer to ${to} at +5m: "New"`,
  ],
  [
    'messages',
    { ...message, direction: 'inbound', interactive: { id: 'a', title: 'Yes' } },
    `inbound text from ${to} at +5m: "Yes"`,
  ],
  [
    'messages',
    { ...message, type: 'image', media_url: 'https://a.test/b.png' },
    `outbound image to ${to} at +5m: "https://a.test/b.png"`,
  ],
  [
    'messages',
    { ...message, status: 'failed', error: { code: 'undeliverable' }, text: 'Hi' },
    `outbound text to ${to} at +5m: "Hi", failed (undeliverable)`,
  ],
  ['messages', { ...message, text: 'x'.repeat(100) }, `outbound text to ${to} at +5m: "${'x'.repeat(80)}…"`],
  [
    'requests',
    { method: 'POST', path: '/v1/messages', to, status: 400, error: 'window_closed', at },
    `POST /v1/messages to ${to} at +5m: 400 window_closed`,
  ],
  [
    'requests',
    { method: 'POST', path: '/v1/messages', to: [to, to], status: null, at },
    'POST /v1/messages to 2 numbers at +5m: no response',
  ],
  [
    'attempts',
    { alias: 'app', event: 'message.status', message_status: 'read', to, number: 2, status: 500, at },
    `attempt 2 of message.status (read) for ${to} at app at +5m: 500`,
  ],
  [
    'attempts',
    { url: 'https://a.test', event: 'otp.verified', number: 1, status: null, failure: 'time-out after 10 s', at },
    'attempt 1 of otp.verified at https://a.test at +5m: time-out after 10 s',
  ],
  [
    'deliveries',
    { alias: 'app', event: 'message.received', to, state: 'held', at },
    `message.received for ${to} to app at +5m: held`,
  ],
  ['webhooks', { alias: 'app', url: 'https://a.test', status: 'paused' }, 'endpoint app (https://a.test): paused'],
  [
    'templates',
    { name: 'offer', category: 'marketing', language: 'en', status: 'rejected' },
    'template offer (marketing, en): rejected',
  ],
  ['otps', { to, state: 'locked', at }, `code to ${to} at +5m: locked`],
  ['events', { type: 'message.received', from: to, text: 'STOP', at }, `message.received from ${to} at +5m: "STOP"`],
  ['events', { type: 'template.status', name: 'offer', status: 'approved', at }, 'template.status (approved) at +5m'],
])('%s: %j', (that, record, text) => {
  expect(sayRecord(that, record, startMs)).toBe(text);
});
