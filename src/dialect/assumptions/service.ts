import { statusSetting } from '../settings.js';
import type { Assumption } from './assumption.js';

/** Sections 5 to 8: keys, events, errors, limits. */
export const service: readonly Assumption[] = [
  {
    section: '5',
    point: 'How keys are issued',
    choice: 'Any non-empty Bearer token is a key with its own account; `--api-keys` restricts them',
    reason: 'A test worker needs no set-up and is isolated from others.',
  },
  {
    section: '5',
    point: 'What keys the signature',
    choice: 'The whole secret string, including `whsec_`, as UTF-8',
    reason: 'The document says "keyed with the secret", and this is the string that it shows.',
  },
  {
    section: '6',
    point: 'Payload of the events',
    choice: '`{"id": "evt_…", "type", "created_at", "data"}`, the same bytes on every attempt',
    reason: 'Retries cause duplicates, and an id lets a receiver recognise them; equal bytes keep the signature valid.',
  },
  {
    section: '6',
    point: 'Event name in a header',
    choice:
      '`X-Service-Event`, `X-Service-Event-Id`, `X-Service-Delivery`, `X-Service-Attempt`, and `traceparent` of the call, in addition to the signature',
    reason:
      'Receivers can route and recognise duplicates before parsing; turn the headers off to test that yours does not need them.',
    setting: 'webhooks.extra_headers',
  },
  {
    section: '7',
    point: 'Error envelope',
    choice: '`{"error": {"code", "message", "details"?}}`, details `[{"field", "message"}]`',
    reason:
      'Structured and with a message, as the document says; nested, so that success and failure never look alike.',
    setting: 'errors.envelope',
  },
  {
    section: '7',
    point: 'Further codes, and the status of each',
    choice: 'The table of errors below',
    reason: 'The usual meaning of each HTTP status.',
    setting: statusSetting,
  },
  {
    section: '7',
    point: 'Which check comes first',
    choice: 'Key (401), path (404), method (405), media type (415), size (413), JSON and fields (400), then the rules',
    reason: 'An unauthenticated caller learns nothing about the API.',
  },
  {
    section: '8',
    point: 'Size of a request',
    choice: '1 MB',
    reason: 'Far above any valid request, and small enough to hold in memory.',
  },
  {
    section: '8',
    point: 'Rate limits',
    choice: 'None, unless a scenario sets one',
    reason: 'A limit that was not requested would make tests fail at random.',
  },
];
