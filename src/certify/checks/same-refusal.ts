import type { Exchange } from '../receiver-client.js';
import type { Check } from '../check.js';
import { forgeries, malformed, missing, otherBody, rightUpTo, wrongSecret } from '../forgery.js';
import { isRefusal, sendEach, statusWords } from '../judging.js';

export const sameRefusal: Check = {
  id: 'same-refusal',
  group: 'forgeries',
  title: 'Refuses every forgery with the same answer',
  level: 'advice',
  why: 'An answer that tells a missing signature from a wrong one explains the check to whoever is probing it.',
  sends:
    'message.received five times: signature missing, malformed, made with another secret, of another body, right but for its end.',
  expects: 'The same status and the same body for all of them.',
  judged:
    'Compares status and body, ids and numbers in the body left aside. Only answers of 400 and above count; skipped when fewer than two forgeries got one.',
  async play(bench) {
    const exchanges = await sendEach(
      bench,
      forgeries(bench, {
        missing,
        malformed,
        'another secret': wrongSecret,
        'another body': otherBody,
        'wrong end': rightUpTo(32),
      }),
    );
    const refusals = exchanges.filter(({ outcome }) => isRefusal(outcome.status) || (outcome.status ?? 0) >= 500);
    if (refusals.length < 2)
      return { result: 'skipped', found: 'too few forgeries were refused to compare the answers' };
    const answers = new Map(refusals.map((exchange) => [answerOf(exchange), exchange] as const));
    if (answers.size === 1)
      return { result: 'passed', found: `${refusals.length} times ${statusWords(refusals[0] as Exchange)}` };
    const listed = refusals.map((exchange) => `${exchange.label}: ${statusWords(exchange)} ${quoted(exchange)}`);
    return { result: 'failed', found: `${answers.size} different answers. ${listed.join('; ')}` };
  },
};

/** Without what may differ from request to request and still tell nothing: ids, times, counters. */
function answerOf({ outcome }: Exchange): string {
  const body = outcome.response?.body ?? '';
  return `${outcome.status ?? ''} ${body.replace(/\b[0-9a-f]{8}[0-9a-f-]*\b|\d+/gi, '#')}`;
}

function quoted({ outcome }: Exchange): string {
  return JSON.stringify(outcome.response?.body.slice(0, 60) ?? '');
}
