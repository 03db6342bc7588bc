import { eventTypes } from '../domain/words.js';
import { signatureHeader } from '../webhooks/faults.js';
import { sign } from '../webhooks/sign.js';
import { acceptedChecks } from './accepted-checks.js';
import {
  type Check,
  accepted,
  checksIn,
  evaluateRejected,
  failed,
  failureOf,
  isRejection,
  passed,
  skipped,
  statusWords,
} from './run.js';
import type { Exchange, Receiver, Shipment } from './receiver.js';
import { serviceChecks, whileCallsAreSlow } from './service-checks.js';

/** Null omits the header. */
type Forger = (secret: string, body: string) => string | null;

const wrongSecret: Forger = (secret, body) => signatureHeader('wrong_secret', secret, body);
const missing: Forger = (secret, body) => signatureHeader('missing', secret, body);
const malformed: Forger = (secret, body) => signatureHeader('malformed', secret, body);
/** Correct for the same event with one changed character. */
const otherBody: Forger = (secret, body) => sign(secret, body.replace('message_id', 'message_iD'));

/** The signature has the correct length, and is wrong from the `count`-th hex digit on. */
function rightUpTo(count: number): Forger {
  return (secret, body) => {
    const right = sign(secret, body);
    const kept = 'sha256='.length + count;
    return right.slice(0, kept) + right.slice(kept).replace(/./g, (digit) => (digit === '0' ? '1' : '0'));
  };
}

function cutAfter(count: number): Forger {
  return (secret, body) => sign(secret, body).slice(0, 'sha256='.length + count);
}

/** Each forgery is sent with a new event: a receiver that remembers ids may answer 2xx without checking the signature. */
function sendForged(receiver: Receiver, forgers: Readonly<Record<string, Forger>>): Promise<Exchange[]> {
  const { parts } = receiver;
  const forge = ([label, signatureOf]: [string, Forger]): Shipment => {
    const event = parts.events.sample('message.received');
    return { label, event, signature: signatureOf(parts.secret, event.body) };
  };
  return receiver.sendEach(Object.entries(forgers).map(forge));
}

const rejected =
  (forgers: Readonly<Record<string, Forger>>): Check['play'] =>
  async (receiver) =>
    evaluateRejected(await sendForged(receiver, forgers));

const counted = (counts: readonly number[], label: string, forger: (count: number) => Forger): Record<string, Forger> =>
  Object.fromEntries(counts.map((count) => [`${count} of 64 digits${label}`, forger(count)]));

const forgeryChecks = checksIn('forgeries', 'A 4xx, each time.', [
  {
    id: 'missing-signature',
    title: 'Rejects an event without a signature',
    why: 'The easiest forgery carries no signature at all. A check that runs only when the header is there accepts it; one that takes the header for granted fails.',
    sends: 'message.received without X-Service-Signature, then one with an empty X-Service-Signature.',
    play: rejected({ 'no header': missing, 'empty header': () => '' }),
  },
  {
    id: 'malformed-signature',
    title: 'Rejects a malformed signature',
    why: 'Constant-time comparisons throw when the lengths differ, and hex decoders stop at the first wrong character. Anyone can then fill the error log, or get through.',
    sends:
      'message.received with a signature without scheme and hex digits, one of 64 other characters, one under sha1=, and one of plain words.',
    play: rejected({
      'no scheme, no hex': malformed,
      'no hex': () => `sha256=${'z'.repeat(64)}`,
      'another scheme': (secret, body) => sign(`${secret}-not-yours`, body).replace('sha256=', 'sha1=').slice(0, 45),
      words: () => 'please let me in',
    }),
  },
  {
    id: 'wrong-secret',
    title: 'Rejects a signature made with another secret',
    why: 'The URL of a receiver is public. Anyone who finds it could otherwise confirm codes and fake messages of any customer.',
    sends:
      'message.received signed with another secret, then one signed with an empty secret (as from an unset variable).',
    play: rejected({ 'another secret': wrongSecret, 'empty secret': (_secret, body) => sign('', body) }),
  },
  {
    id: 'other-body',
    title: 'Rejects a signature that belongs to another body',
    why: 'A signature seen once, in a log or at a proxy, would otherwise vouch for any event.',
    sends: 'message.received with the signature of an event that differs from it in one character.',
    expects: 'A 4xx.',
    play: rejected({ 'signature of another body': otherBody }),
  },
  {
    id: 'signature-prefix',
    title: 'Rejects the beginning of the correct signature',
    why: 'A comparison that accepts the beginning can be guessed one digit at a time, or with no digit at all.',
    sends: 'message.received with its own signature cut off after 0, 8, 32 and 63 of the 64 digits.',
    play: rejected(counted([0, 8, 32, 63], '', cutAfter)),
  },
  {
    id: 'partly-right-signature',
    title: 'Compares the whole signature, up to its last digit',
    why: 'To compare the first few digits is to compare a much shorter signature, which can be guessed.',
    sends:
      'message.received with its own signature, of which only the first 16, 32 and 63 of the 64 digits are correct.',
    play: rejected(counted([16, 32, 63], ' right', rightUpTo)),
  },
  {
    id: 'signature-with-tail',
    title: 'Rejects the correct signature with text appended to it',
    level: 'recommended',
    why: 'This forges nothing, but a comparison that looks at the beginning alone is a slip that the next change can turn into a hole.',
    sends: 'message.received with its own signature and two more hex digits.',
    expects: 'A 4xx.',
    play: rejected({ 'two digits more': (secret, body) => `${sign(secret, body)}00` }),
  },
  {
    id: 'same-refusal',
    title: 'Rejects every forgery with the same response',
    level: 'recommended',
    why: 'A response that distinguishes a missing signature from a wrong one explains the check to an attacker.',
    sends:
      'message.received five times: signature missing, malformed, made with another secret, of another body, correct except for its end.',
    expects: 'The same status and the same body for all of them.',
    async play(receiver) {
      const forgers = { missing, malformed, 'another secret': wrongSecret, 'another body': otherBody };
      const exchanges = await sendForged(receiver, { ...forgers, 'wrong end': rightUpTo(32) });
      const refused = exchanges.filter(({ outcome }) => isRejection(outcome.status) || (outcome.status ?? 0) >= 500);
      const [first] = refused;
      if (first === undefined || refused.length < 2)
        return skipped('too few forgeries were rejected to compare the responses');
      const different = new Set(refused.map(comparable)).size;
      if (different === 1) return passed(`${refused.length} times ${statusWords(first)}`);
      const quoted = ({ outcome }: Exchange): string => JSON.stringify(outcome.response?.body.slice(0, 60) ?? '');
      const listed = refused.map((exchange) => `${exchange.label}: ${statusWords(exchange)} ${quoted(exchange)}`);
      return failed(`${different} different responses. ${listed.join('; ')}`);
    },
  },
]);

function comparable({ outcome }: Exchange): string {
  const body = outcome.response?.body ?? '';
  return `${outcome.status ?? ''} ${body.replace(/\b[0-9a-f]{8}[0-9a-f-]*\b|\d+/gi, '#')}`;
}

/** Passes if the receiver responds to a corrupt body at all, and accepts the next valid event. */
const survived =
  (body: 'truncate' | 'huge', label: string): Check['play'] =>
  async (receiver) => {
    const { events } = receiver.parts;
    const event = events.sample('message.received');
    const damaged = await receiver.send({ label, event, body: event.as(body) });
    if (damaged.outcome.status === null) return failed(failureOf(damaged));
    const next = await receiver.send({ label: 'next good event', event: events.sample('message.received') });
    return next.outcome.ok
      ? passed(`${statusWords(damaged)}; the next valid event: ${statusWords(next)}`)
      : failed(`${statusWords(damaged)}, but then ${failureOf(next)}`);
  };

const damageChecks = checksIn('damage', 'A 2xx, each time.', [
  {
    id: 'truncated-body',
    title: 'Survives a truncated body',
    why: 'A correct signature proves who sent the body, not that it is valid JSON. An uncaught error ends the process, and with it every request in progress.',
    sends: 'The first half of message.received, correctly signed over these bytes; then a complete one.',
    expects: 'Any response (400 is best), and a 2xx for the event that follows.',
    play: survived('truncate', 'half a body'),
  },
  {
    id: 'huge-body',
    title: 'Survives a body of two megabytes',
    why: 'A size limit is correct, but the receiver has to report it. If it closes the connection without a response, the event is sent again; without a limit it can run out of memory.',
    sends: 'message.received with two more megabytes in a property, correctly signed; then an ordinary one.',
    expects: 'Any response (2xx, or 413), and a 2xx for the event that follows.',
    play: survived('huge', 'two megabytes'),
  },
  {
    id: 'keeps-answering',
    title: 'Still accepts events after all other checks',
    why: 'Damage may show later: a connection that was not returned to its pool, a lock that was not released, a process that restarts forever.',
    sends: 'One event of each type, correctly signed, after everything else.',
    play: accepted((events) => eventTypes.map((type) => ({ label: type, event: events.sample(type) }))),
  },
]);

const timeChecks = checksIn('time', 'A 2xx, in time.', [
  {
    id: 'answers-in-time',
    title: 'Responds within 10 seconds',
    why: 'A later response does not count. The event is sent again although it was processed, and after a day the endpoint is paused.',
    sends: 'No requests: evaluates all requests of this run.',
    expects: 'A complete response within 10 seconds to every request, including forged and corrupt ones.',
    async play(receiver) {
      const history = await exchangesSoFar(receiver);
      const late = history.filter(({ outcome }) => outcome.error?.code === 'timeout');
      const [first] = late;
      if (first === undefined) return passed(`slowest of ${history.length}: ${slowestOf(history)}`);
      const why = first.outcome.error?.message ?? '';
      return failed(`${late.length} of ${history.length} too late. ${first.label}: ${why}`);
    },
  },
  {
    id: 'answers-promptly',
    title: 'Responds within a fifth of the time limit',
    level: 'recommended',
    why: 'A receiver that needs seconds on your machine needs more under load. Store the event, respond, and do the work afterwards.',
    sends:
      'Evaluates every accepted event. If the application calls a sandbox, also a message.received while each of its calls takes longer than that.',
    expects: 'A 2xx within a fifth of the time limit: 2 of 10 seconds.',
    async play(receiver) {
      const accepted = (await exchangesSoFar(receiver)).filter(({ outcome }) => outcome.ok);
      if (accepted.length === 0) return skipped('no event was accepted');
      const isSlow = accepted.some(({ outcome }) => outcome.durationMs > receiver.parts.timeoutMs / 5);
      const found = `slowest of ${accepted.length} accepted: ${slowestOf(accepted)}`;
      if (isSlow) return failed(found);
      return (await whileCallsAreSlow(receiver)) ?? passed(found);
    },
  },
]);

/** With `--only`, a check of times may have no earlier responses to evaluate, and makes one. */
async function exchangesSoFar(receiver: Receiver): Promise<readonly Exchange[]> {
  const { history, parts } = receiver;
  if (history.length === 0)
    await receiver.send({ label: 'message.received', event: parts.events.sample('message.received') });
  return history;
}

/** `12 ms (huge body)`. */
function slowestOf(exchanges: readonly Exchange[]): string {
  const slowest = exchanges.reduce((a, b) => (b.outcome.durationMs > a.outcome.durationMs ? b : a));
  return `${slowest.outcome.durationMs} ms (${slowest.label})`;
}

export const checks: readonly Check[] = [
  ...acceptedChecks,
  ...serviceChecks,
  ...forgeryChecks,
  ...damageChecks,
  ...timeChecks,
];
