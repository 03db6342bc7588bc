/** Checks with signatures that a receiver must reject, each made from the correct one. */
import { signatureHeader } from '../webhooks/faults.js';
import { sign } from '../webhooks/sign.js';
import { type Check, checksIn, evaluateRejected, type Finding, isRejection, sendEach, statusWords } from './check.js';
import type { Exchange, ReceiverClient, Shipment } from './receiver-client.js';

/** The signature for these bytes; null omits the header. */
type Forger = (secret: string, body: string) => string | null;

const wrongSecret: Forger = (secret, body) => signatureHeader('wrong_secret', secret, body);
const missing: Forger = (secret, body) => signatureHeader('missing', secret, body);
const malformed: Forger = (secret, body) => signatureHeader('malformed', secret, body);
/** Correct for the same event with one changed character. */
const otherBody: Forger = (secret, body) => sign(secret, body.replace('message_id', 'message_iD'));

/** A signature of the correct length that is correct up to its `count`-th hex digit, and wrong from there on. */
function rightUpTo(count: number): Forger {
  return (secret, body) => {
    const right = sign(secret, body);
    const kept = 'sha256='.length + count;
    return right.slice(0, kept) + right.slice(kept).replace(/./g, (digit) => (digit === '0' ? '1' : '0'));
  };
}

/** The correct signature, truncated after its `count`-th hex digit. */
function cutAfter(count: number): Forger {
  return (secret, body) => sign(secret, body).slice(0, 'sha256='.length + count);
}

/**
 * Each forgery is sent with a new event: a receiver that remembers ids may answer 2xx without checking the signature.
 */
function forged(receiver: ReceiverClient, forgers: Readonly<Record<string, Forger>>): Shipment[] {
  return Object.entries(forgers).map(([label, forge]) => {
    const event = receiver.parts.events.sample('message.received');
    return { label, event, signature: forge(receiver.parts.secret, event.body) };
  });
}

/** Passes if each forgery gets a 4xx. */
const rejected =
  (forgers: Readonly<Record<string, Forger>>): Check['play'] =>
  async (receiver) =>
    evaluateRejected(await sendEach(receiver, forged(receiver, forgers)));

const counted = (counts: readonly number[], label: string, forger: (count: number) => Forger): Record<string, Forger> =>
  Object.fromEntries(counts.map((count) => [`${count} of 64 digits${label}`, forger(count)]));

export const forgeryChecks = checksIn('forgeries', 'A 4xx, each time.', [
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
    title: 'Compares the signature to its last digit',
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
      const exchanges = await sendEach(receiver, forged(receiver, { ...forgers, 'wrong end': rightUpTo(32) }));
      const rejected = exchanges.filter(({ outcome }) => isRejection(outcome.status) || (outcome.status ?? 0) >= 500);
      const [first] = rejected;
      if (first === undefined || rejected.length < 2) {
        return { result: 'skipped', found: 'too few forgeries were rejected to compare the responses' };
      }
      return compareRejections(first, rejected);
    },
  },
]);

function compareRejections(first: Exchange, rejected: readonly Exchange[]): Finding {
  const different = new Set(rejected.map(comparable));
  if (different.size === 1) return { result: 'passed', found: `${rejected.length} times ${statusWords(first)}` };
  const quoted = ({ outcome }: Exchange): string => JSON.stringify(outcome.response?.body.slice(0, 60) ?? '');
  const listed = rejected.map((exchange) => `${exchange.label}: ${statusWords(exchange)} ${quoted(exchange)}`);
  return { result: 'failed', found: `${different.size} different responses. ${listed.join('; ')}` };
}

/** Ids, times and counters may differ from request to request and reveal nothing. */
function comparable({ outcome }: Exchange): string {
  const body = outcome.response?.body ?? '';
  return `${outcome.status ?? ''} ${body.replace(/\b[0-9a-f]{8}[0-9a-f-]*\b|\d+/gi, '#')}`;
}
