/** What the data of an event may be is what the document says, value for value and word for word. */
import { describe, expect, it } from 'vitest';
import { eventTypes, type EventType } from '../../src/domain/words.js';
import { dataFields, faultsOfData } from '../../src/domain/event-data.js';
import { DocumentCheck } from '../support/document-check.js';
import { allowed } from '../../scripts/describe-schema.js';
import { objectAt, readApiDocument } from '../support/openapi-document.js';

const document = readApiDocument();
const check = new DocumentCheck();

const uuid = '0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90';
const timestamp = '2026-03-01T09:00:00.000Z';
const failure = { code: 'undeliverable', message: 'No.', channel_code: 131026 };
const wamid = 'wamid.HBgLMTIwMjU1NTAxMDEVAgAR';
const whom = '+12025550101';

const right: Readonly<Record<EventType, Readonly<Record<string, unknown>>>> = {
  'message.received': {
    message_id: uuid,
    wamid,
    from: whom,
    to: whom,
    type: 'text',
    text: 'hi',
    media_url: 'x',
    interactive: { id: 'a', title: 'b' },
    profile_name: 'Ada',
    timestamp,
  },
  'message.status': { message_id: uuid, wamid, to: whom, type: 'text', status: 'failed', error: failure, timestamp },
  'otp.verified': { otp_id: uuid, to: whom, verified_at: timestamp },
  'template.status': {
    template_id: uuid,
    name: 'order_shipped',
    language: 'en',
    category: 'utility',
    status: 'rejected',
    rejection_reason: null,
    timestamp,
  },
};

const words = `x X text video template sent accepted failed approved paused rejected marketing Utility en pt-BR zh-Hans-CN e en-
  order_shipped 1st 12025550101 +0202555010 +123456 +1234567890123456 2026-03-01 2026-03-01T09:00:00Z
  2026-03-01T10:00:00.000+01:00 wamid. wamid.a=`;

/** Values of every kind, and some near to what is right. */
const values: readonly unknown[] = [
  ...[null, true, 0, 5, 1.5, -1, [], ['x'], {}, '', ' ', ...words.split(/\s+/)],
  ...[whom, `${whom}\n`, uuid, uuid.toUpperCase(), `${uuid}0`, timestamp, wamid, 'a'.repeat(513)],
  ...[{ id: 'a' }, { id: 'a', title: 'b' }, { id: 1, title: 'b' }, { id: 'a', title: 'b', more: 1 }, failure],
  ...[null, 'x', 1.5].map((channel_code) => ({ ...failure, channel_code })),
  ...[{ message: '' }, { code: 'Bad Code' }, { more: 1 }].map((other) => ({ ...failure, ...other })),
  { code: 'x' },
];

type Schema = Parameters<typeof allowed>[0];

/** The schema with what it refers to. */
const whole = ({ $ref, anyOf, ...own }: Schema & { readonly $ref?: string }): Schema => ({
  ...($ref !== undefined && whole(objectAt(document, ...$ref.slice(2).split('/')))),
  ...(anyOf && { anyOf: anyOf.map(whole) }),
  ...own,
});

const schemaOf = (type: EventType): Schema =>
  objectAt(document, 'webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema');

describe.each(eventTypes)('the data of %s', (type) => {
  const documentTakes = (data: object) => {
    const event = { id: 'evt_000000000000000000000000', type, created_at: timestamp, data };
    return check.event(JSON.stringify(event)).filter((error) => error.startsWith('/data'));
  };

  it('has the fields of the document, each told of in its words', () => {
    const data = whole(whole(schemaOf(type)).properties?.['data'] ?? {});
    const fields = data.properties ?? {};
    expect(dataFields(type).toSorted()).toEqual(Object.keys(fields).toSorted());
    for (const [name, schema] of Object.entries(fields)) {
      const [fault] = faultsOfData(type, { [name]: [] });
      expect([name, fault?.allowed]).toEqual([name, allowed(whole(schema as Schema))]);
    }
  });

  it('is taken where the document takes it, and refused where it refuses', () => {
    expect(documentTakes(right[type])).toEqual([]);
    expect(faultsOfData(type, right[type])).toEqual([]);
    for (const name of [...dataFields(type), 'unknown_field', 'constructor']) {
      for (const value of values) {
        const data = { ...right[type], [name]: value };
        const verdict = { name, value, taken: documentTakes(data).length === 0 };
        expect({ name, value, taken: faultsOfData(type, { [name]: value }).length === 0 }).toEqual(verdict);
      }
    }
  });
});
