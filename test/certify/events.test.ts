import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { eventMaker } from '../../src/certify/events.js';
import { eventTypes } from '../../src/domain/words.js';
import { readApiDocument } from '../support/openapi-document.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addSchema(readApiDocument(), 'api');

const nowMs = Date.UTC(2026, 2, 1, 9);
const schemaOf = {
  'message.received': 'MessageReceivedEvent',
  'message.status': 'MessageStatusEvent',
  'otp.verified': 'OtpVerifiedEvent',
  'template.status': 'TemplateStatusEvent',
} as const;

const maker = (seed: number) => eventMaker(seed, () => nowMs);

describe('the events that checks send', () => {
  it.each(eventTypes)('%s is valid by openapi.yaml in each form, plain ASCII, and new each time', (type) => {
    const validate = ajv.compile({ $ref: `api#/components/schemas/${schemaOf[type]}` });
    const kinds = Object.values(maker(1).forms[type]).map((make) => make());
    expect(new Set(kinds.map(({ id }) => id)).size).toBe(kinds.length);
    for (const event of kinds) {
      const parsed = JSON.parse(event.body) as Record<string, unknown>;
      validate(parsed);
      expect(validate.errors ?? []).toStrictEqual([]);
      expect(parsed).toMatchObject({ id: event.id, type, created_at: '2026-03-01T09:00:00.000Z' });
      expect(event.body).toMatch(/^[\x20-\x7e]+$/);
    }
  });

  it('can be old', () => {
    const { body } = maker(1).received('text', { text: 'x' }, 3_600_000);
    expect(JSON.parse(body)).toMatchObject({
      created_at: '2026-03-01T08:00:00.000Z',
      data: { timestamp: '2026-03-01T08:00:00.000Z' },
    });
  });
});
