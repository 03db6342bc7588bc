/** Correctly signed events that a receiver has to accept, however unusual they look. */
import { attemptAt } from '../domain/retry-schedule.js';
import { eventTypes, type EventType } from '../domain/words.js';
import { pause } from '../time/system-clock.js';
import { unknownType } from '../webhooks/faults.js';
import { accepted, checksIn, evaluateAccepted, failed, type Finding, passed, skipped } from './run.js';
import type { MadeEvent } from './events.js';
import type { Observer, Receiver } from './receiver.js';

/** Interval of reading the counter of `--observe` while it catches up. */
const LOOK_EVERY_MS = 100;
/** Time for a queue behind the receiver to count an event twice, once both events are counted. */
const SETTLE_MS = 250;
const HOUR_MS = 3_600_000;
const TEXT = 'Where is my order?';

const forms: Readonly<Record<EventType, string>> = {
  'message.received': 'text, image, document and tapped button',
  'message.status': 'sent, delivered, read and failed',
  'otp.verified': 'the service sends it',
  'template.status': 'approved and rejected',
};

const goodEvents = checksIn(
  'good events',
  'A 2xx within 10 seconds, each time.',
  eventTypes.map((type) => ({
    id: `accepts-${type.replace('.', '-')}`,
    title: `Accepts ${type}`,
    why: 'An event without a 2xx response is sent again for 24 hours. Then the endpoint is paused and gets no more events.',
    sends: `${type} as ${forms[type]}, correctly signed.`,
    play: accepted((events) => Object.entries(events.forms[type]).map(([label, make]) => ({ label, event: make() }))),
  })),
);

const unusual = checksIn('unusual but legal', 'A 2xx, each time.', [
  {
    id: 'unicode-text',
    title: 'Accepts emoji and every script',
    why: 'Customers write in every language. A signature over text in another encoding, or a column for three-byte characters, loses their messages.',
    sends:
      'message.received with accents, emoji, Arabic, Hebrew, CJK and unusual spaces as raw UTF-8, signed over those bytes.',
    play: accepted((events) =>
      [
        ['accents', 'Größe 42, naïve café, Łódź'],
        ['emoji', 'Thanks 👍🏽 👩‍👩‍👧 🇵🇱'],
        ['right to left', 'أين طلبي؟ איפה ההזמנה שלי'],
        ['CJK', '注文はどこですか 주문은 어디에'],
        ['unusual spaces', 'line\u2028separator, zero\u200bwidth, e\u0301 as two'],
      ].map(([label = '', text = '']) => ({ label, event: events.received('text', { text }) })),
    ),
  },
  {
    id: 'reformatted-body',
    title: 'Accepts a body with unusual spacing',
    why: 'A receiver that parses the body and signs its own copy works only as long as both sides write JSON in the same way. The next release of either can change that.',
    sends:
      'message.received and message.status with line breaks, tabs and escaped slashes (\\/), signed over those bytes.',
    expects: 'A 2xx, each time: the signature covers the raw body.',
    play: accepted((events) => {
      const photo = events.received('image', { media_url: 'https://media.example.com/a/b.jpg' });
      const status = events.status('delivered');
      return [photo, status].map((event) => ({
        label: event.type,
        event,
        body: event.as('reformatted'),
      }));
    }),
  },
  {
    id: 'escaped-body',
    title: 'Accepts a body with unusual escapes',
    why: 'JSON may write any character as an escape, and may end with a line break. A receiver that verifies a parsed and rewritten object rejects such events.',
    sends:
      'message.received whose text is written as \\u escapes, then another that ends with a line break, signed over those bytes.',
    play: accepted((events) => {
      const letters = events.received('text', { text: TEXT });
      const ending = events.received('text', { text: TEXT });
      const escaped = TEXT.replace(/[a-z]/gi, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
      return [
        { label: 'letters as escapes', event: letters, body: letters.body.replace(TEXT, escaped) },
        { label: 'line break at the end', event: ending, body: `${ending.body}\n` },
      ];
    }),
  },
  {
    id: 'duplicates',
    title: 'Accepts the same event twice',
    why: 'After a lost or late response, the same event is sent again. If the receiver responds to that with an error, the event is repeated until the endpoint is paused.',
    sends:
      'The same bytes twice, one after the other, as attempts 1 and 2 of one delivery: message.received, then otp.verified.',
    play: accepted((events) =>
      [events.sample('message.received'), events.sample('otp.verified')].flatMap((event) =>
        [1, 2].map((attempt) => ({ label: `${event.type}, attempt ${attempt}`, event, attempt })),
      ),
    ),
  },
  {
    id: 'concurrent-duplicates',
    title: 'Accepts the same event twice at the same time',
    level: 'recommended',
    why: 'A repetition can overtake the work on the first attempt. A receiver that checks first and inserts afterwards then fails on its own unique index.',
    sends: 'The same message.received twice, at the same time.',
    expects: 'A 2xx for both.',
    async play(receiver) {
      const event = receiver.parts.events.sample('message.received');
      const shipments = [1, 2].map((attempt) => ({ label: `attempt ${attempt}`, event, attempt }));
      return evaluateAccepted(await Promise.all(shipments.map((shipment) => receiver.send(shipment))));
    },
  },
  {
    id: 'deduplicates',
    title: 'Counts a repeated event once',
    why: 'Every event can arrive more than once. Without a check of its id, the customer gets two replies, and the order is shipped twice.',
    sends: 'A message.received twice, then another one once. Before and after, a GET to the URL of --observe.',
    expects: 'The number of received events grows by two.',
    async play(receiver) {
      const { observe } = receiver.parts;
      return observe ? compareCounts(receiver, observe) : skipped('not observable; name a counter with --observe URL');
    },
  },
  {
    id: 'disorder',
    title: 'Accepts events out of order',
    why: 'A failed delivery comes back minutes later, after the events that followed it, and a status can be skipped. "read" can be the first event of a message.',
    sends: 'Three message.status events of one unknown message: read, then delivered, then sent.',
    play: accepted((events) => {
      const message = events.message();
      return (['read', 'delivered', 'sent'] as const).map((status) => ({
        label: status,
        event: events.status(status, message),
      }));
    }),
  },
  {
    id: 'late-event',
    title: 'Accepts an event that is 23 hours old',
    why: 'Events are retried for 24 hours with the same bytes, creation time included. A receiver that rejects old events loses everything that it missed during its own outage.',
    sends: `message.received whose created_at is 23 hours ago, as attempt ${attemptAt(23 * HOUR_MS)}, correctly signed.`,
    expects: 'A 2xx.',
    play: accepted((events) => [
      {
        label: '23 hours old',
        event: events.received('text', { text: 'Is anybody there?' }, 23 * HOUR_MS),
        attempt: attemptAt(23 * HOUR_MS),
      },
    ]),
  },
  {
    id: 'unknown-type',
    title: 'Accepts an unknown type of event',
    why: 'Services add new events. A receiver that fails on them is paused after 24 hours, and then loses all other events too.',
    sends: 'A signed event of type message.status.not_known_yet, then one of type message.received.not_known_yet.',
    expects: 'A 2xx, each time: unknown events are ignored.',
    play: accepted((events) =>
      (['message.status', 'message.received'] as const).map((type) => {
        const known = events.sample(type);
        const label = unknownType(type);
        return { label, event: { ...known, body: known.as('unknown_type'), type: label } satisfies MadeEvent };
      }),
    ),
  },
  {
    id: 'unknown-property',
    title: 'Ignores unknown properties',
    level: 'recommended',
    why: 'A new property is the smallest change that a service can make, and may appear without notice. If a schema forbids unknown properties, the change causes an outage.',
    sends: 'message.received with an additional property next to data and another inside it, correctly signed.',
    expects: 'A 2xx.',
    play: accepted((events) => {
      const event = events.sample('message.received');
      const known = JSON.parse(event.body) as Readonly<Record<string, unknown>>;
      const widened = Object.entries(known).map(([key, value]) => [
        key,
        typeof value === 'object' && value !== null ? { ...value, new_there: { deep: [1, null] } } : value,
      ]);
      const body = JSON.stringify({ ...(Object.fromEntries(widened) as object), new_here: true });
      return [{ label: 'with more properties', event, body }];
    }),
  },
  {
    id: 'signature-header-only',
    title: 'Needs no header except the signature',
    level: 'recommended',
    why: 'The service guarantees X-Service-Signature and no other header. X-Service-Event and similar headers are an addition of this sandbox; the body contains the type and id.',
    sends: 'One event of each type with only Content-Type and X-Service-Signature.',
    play: accepted((events) =>
      eventTypes.map((type) => ({ label: type, event: events.sample(type), extraHeaders: false })),
    ),
  },
]);

async function compareCounts(receiver: Receiver, observe: Observer): Promise<Finding> {
  const { events, timeoutMs, host } = receiver.parts;
  const twice = events.sample('message.received');
  const before = await observe();
  const accepted = evaluateAccepted(
    await receiver.sendEach([
      { label: 'attempt 1', event: twice },
      { label: 'attempt 2', event: twice, attempt: 2 },
      { label: 'another event', event: events.sample('message.received') },
    ]),
  );
  if (accepted.result === 'failed') return accepted;
  for (let waitedMs = 0; waitedMs < timeoutMs && (await observe()) < before + 2; waitedMs += LOOK_EVERY_MS) {
    await pause(LOOK_EVERY_MS, host);
  }
  await pause(SETTLE_MS, host);
  const after = await observe();
  const found = `the counter went from ${before} to ${after} after two events, one of them sent twice`;
  return (after === before + 2 ? passed : failed)(found);
}

export const acceptedChecks = [...goodEvents, ...unusual];
