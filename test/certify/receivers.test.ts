/** Each receiver is wrong in one way, and must fail the checks that are about it and no other. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checks } from '../../src/certify/checks.js';
import { createObserver, type Service } from '../../src/certify/receiver.js';
import { machineTime } from '../../src/time/system-clock.js';
import { ManualHost } from '../support/manual-host.js';
import { die, digestOf, genuine, hangUp, receiver } from './receiver.js';
import type { Conduct, SeenEvent, Visit } from './receiver.js';
import { certified, foundBy, idsWith } from './support.js';

/** On a busy machine, a fast receiver needs seconds. */
const patientMs = 60_000;
const ids = checks.map(({ id }) => id);
const forgeries = ['missing-signature', 'malformed-signature', 'wrong-secret', 'other-body'];
const comparisons = ['signature-prefix', 'partly-right-signature', 'signature-with-tail'];
const everyForgery = [...forgeries, ...comparisons];
const events = [
  'accepts-message-received',
  'accepts-message-status',
  'accepts-otp-verified',
  'accepts-template-status',
];

it('certifies a right receiver in every check', async () => {
  const { url, counterUrl, visits } = await receiver();
  const certificate = await certified(url, { observe: createObserver(counterUrl, 10_000), timeoutMs: patientMs });
  const counted = ids.filter((id) => id !== 'own-failure');
  expect(idsWith(certificate, 'passed')).toStrictEqual(counted);
  expect(certificate).toMatchObject({ certified: true, score: { passed: counted.length, total: counted.length } });
  expect(visits.length).toBeGreaterThan(50);
  expect(visits.every(({ request }) => request.url === '/hook?tenant=1' && request.method === 'POST')).toBe(true);
});

/** What a wrong receiver does, what it must fail, and what of it must stand in the report. */
const wrong: readonly (readonly [string, Conduct, readonly string[], readonly [string, RegExp]])[] = [
  [
    'checks no signature',
    { believes: () => true },
    everyForgery,
    ['wrong-secret', /^another secret, empty secret: accepted with 204 No Content\.$/],
  ],
  [
    'answers 500 to a bad signature',
    { refuse: ({ response }) => response.writeHead(500).end() },
    everyForgery,
    ['other-body', /failed with 500 Internal Server Error instead of rejecting/],
  ],
  [
    'redirects a bad signature to a login page',
    { refuse: ({ response }) => response.writeHead(302, { Location: '/login' }).end() },
    everyForgery,
    ['other-body', /answered 302 Found, which is not a rejection/],
  ],
  [
    'compares buffers of different lengths',
    {
      believes(signature, raw) {
        const [given, right] = [Buffer.from(signature ?? ''), Buffer.from(`sha256=${digestOf(raw)}`)];
        if (given.length !== right.length) throw new RangeError('Input buffers must have the same byte length');
        return genuine(signature, raw);
      },
    },
    ['missing-signature', 'malformed-signature', 'signature-prefix', 'signature-with-tail', 'same-refusal'],
    ['signature-prefix', /^0 of 64 digits, 8 of 64 digits, .*: failed with 500/],
  ],
  [
    'looks for the signature at the beginning of the right one',
    { believes: (signature = '', raw) => `sha256=${digestOf(raw)}`.startsWith(signature) },
    ['missing-signature', 'signature-prefix'],
    ['signature-prefix', /^0 of 64 digits, 8 of 64 digits, 32 of 64 digits, 63 of 64 digits: accepted/],
  ],
  [
    'looks for the right signature at the beginning of the given one',
    { believes: (signature = '', raw) => signature.startsWith(`sha256=${digestOf(raw)}`) },
    ['signature-with-tail'],
    ['signature-with-tail', /^two digits more: accepted/],
  ],
  [
    'compares the first eight digits',
    { believes: (signature = '', raw) => signature.slice(0, 15) === `sha256=${digestOf(raw).slice(0, 8)}` },
    comparisons,
    ['partly-right-signature', /16 of 64 digits right/],
  ],
  [
    'believes whatever looks like a signature',
    { believes: (signature = '') => /^sha256=[0-9a-f]{64}$/.test(signature) },
    ['wrong-secret', 'other-body', 'partly-right-signature'],
    ['other-body', /^signature of another body: accepted/],
  ],
  [
    'checks only when the header is there',
    { believes: (signature, raw) => signature === undefined || genuine(signature, raw) },
    ['missing-signature'],
    ['missing-signature', /^no header: accepted/],
  ],
  [
    'has no secret to check with',
    { believes: (signature, raw) => genuine(signature, raw) || isSignedWithNothing(signature, raw) },
    ['wrong-secret'],
    ['wrong-secret', /^empty secret: accepted/],
  ],
  [
    'says what was wrong with a signature',
    { refuse: ({ signature, response }) => response.writeHead(signature === undefined ? 400 : 401).end() },
    ['same-refusal'],
    ['same-refusal', /^2 different responses\. missing: 400 Bad Request.*malformed: 401 Unauthorized/],
  ],
  [
    'says it in the body',
    {
      refuse: ({ signature, response }) =>
        response.writeHead(401).end(/^sha256=[0-9a-f]{64}$/.test(signature ?? '') ? 'wrong digest' : 'no digest'),
    },
    ['same-refusal'],
    ['same-refusal', /"wrong digest"/],
  ],
  [
    'signs what it has parsed and written again',
    { believes: (signature, raw) => genuine(signature, Buffer.from(rewritten(raw))) },
    ['reformatted-body', 'escaped-body'],
    ['reformatted-body', /^message\.received, message\.status: The receiver responded with 401 Unauthorized/],
  ],
  [
    'reads the body in another encoding',
    { believes: (signature, raw) => genuine(signature, Buffer.from(raw.toString('latin1'))) },
    ['unicode-text'],
    ['unicode-text', /^accents, emoji, right to left, CJK, unusual spaces: /],
  ],
  [
    'answers 422 to a type it does not know',
    { handle: ({ type }, { response }) => type.endsWith('.not_known_yet') && answered(response, 422, 'no such type') },
    ['unknown-type'],
    ['unknown-type', /422 Unprocessable Entity.*Its body: "no such type"/],
  ],
  [
    'forbids properties it does not know',
    { handle: ({ data }, { response }) => 'new_there' in data && answered(response, 400) },
    ['unknown-property'],
    ['unknown-property', /400 Bad Request/],
  ],
  [
    'wants the type in a header',
    { handle: (_event, { request, response }) => !('x-service-event' in request.headers) && answered(response, 400) },
    ['signature-header-only'],
    ['signature-header-only', /^message\.received, message\.status, otp\.verified, template\.status: /],
  ],
  [
    'refuses what is older than five minutes',
    {
      handle: ({ created_at }, { response }) =>
        machineTime.now() - Date.parse(created_at) > 300_000 && answered(response, 400),
    },
    ['late-event'],
    ['late-event', /^23 hours old: /],
  ],
  ['answers 409 to what it knows', conflict(), ['duplicates', 'concurrent-duplicates'], ['duplicates', /409 Conflict/]],
  ['wants statuses in order', ordered(), ['disorder'], ['disorder', /^delivered, sent: .*409/]],
  [
    'hangs up on broken JSON',
    { onBrokenJson: hangUp },
    ['truncated-body'],
    ['truncated-body', /^half a body: .*closed the connection without a response/],
  ],
  [
    'dies on broken JSON',
    { onBrokenJson: die },
    ['truncated-body', 'huge-body', 'keeps-answering'],
    ['huge-body', /^not played: the receiver has not responded since "truncated-body"$/],
  ],
  [
    'cannot parse any more after broken JSON',
    broken(),
    ['truncated-body', 'huge-body', 'keeps-answering'],
    ['truncated-body', /^400 Bad Request, but then next good event: .*503/],
  ],
  [
    'hangs up on a large body',
    { before: (visit) => visit.raw.length > 1_000_000 && hangUp(visit) },
    ['huge-body'],
    ['huge-body', /^two megabytes: /],
  ],
  [
    'knows no otp.verified',
    { handle: ({ type }, { response }) => type === 'otp.verified' && answered(response, 500) },
    ['accepts-otp-verified', 'duplicates', 'signature-header-only', 'keeps-answering'],
    ['keeps-answering', /^otp\.verified: /],
  ],
  [
    'cannot read the error of a failed message',
    { handle: ({ data }, { response }) => 'error' in data && data['error'] !== null && answered(response, 500) },
    ['accepts-message-status'],
    ['accepts-message-status', /^failed: /],
  ],
];

describe('a receiver that', () => {
  it.each(wrong)('%s', async (_what, conduct, failing, [id, words]) => {
    const { url } = await receiver(conduct);
    const certificate = await certified(url, { timeoutMs: patientMs });
    expect(idsWith(certificate, 'failed')).toStrictEqual(ids.filter((known) => failing.includes(known)));
    expect(foundBy(certificate, id)).toMatch(words);
    const musts = certificate.checks.filter(({ check, result }) => check.level === 'required' && result === 'failed');
    expect(certificate.certified).toBe(musts.length === 0);
    expect(certificate.required.total - certificate.required.passed).toBe(musts.length);
    // Without --observe deduplication cannot be seen; with too few refusals there are none to compare.
    // No service is in the hands of this run.
    const mayBeSkipped = ['deduplicates', 'own-failure', 'same-refusal'];
    expect(idsWith(certificate, 'skipped').filter((skipped) => !mayBeSkipped.includes(skipped))).toStrictEqual([]);
  });

  it('counts an event twice that came twice', async () => {
    const { url, counterUrl } = await receiver({ deduplicates: false });
    const certificate = await certified(url, { observe: createObserver(counterUrl, 10_000), timeoutMs: patientMs });
    expect(idsWith(certificate, 'failed')).toStrictEqual(['deduplicates']);
    expect(foundBy(certificate, 'deduplicates')).toMatch(/went from (\d+) to \d+ after two events/);
  });

  it('never answers', async () => {
    const host = new ManualHost();
    const { url, visits } = await receiver({ before: () => passesTime(host, 10_000) });
    const certificate = await certified(url, { senderHost: host, host });
    expect(idsWith(certificate, 'passed')).toStrictEqual([]);
    expect(idsWith(certificate, 'skipped')).toStrictEqual(['deduplicates', 'own-failure', 'answers-promptly']);
    expect(foundBy(certificate, events[0] ?? '')).toMatch(/^text: No response within 10s/);
    expect(foundBy(certificate, 'answers-in-time')).toMatch(/^1 of 1 too late\. text: No response within 10s/);
    expect(visits.length).toBeLessThan(6);
  });

  it('hangs on forgeries alone', async () => {
    const host = new ManualHost();
    const { url } = await receiver({ refuse: () => passesTime(host, 10_000) });
    const certificate = await certified(url, { senderHost: host, host });
    // The first forgery without an answer is enough to fail a check, so none is left to compare.
    expect(idsWith(certificate, 'failed')).toStrictEqual(
      ids.filter((id) => [...everyForgery, 'answers-in-time'].includes(id)),
    );
  });

  it('takes three seconds for each event', async () => {
    const host = new ManualHost();
    const { url } = await receiver({ before: () => passesTime(host, 3_000) && false });
    const certificate = await certified(url, { senderHost: host, host });
    expect(idsWith(certificate, 'failed')).toStrictEqual(['answers-promptly']);
    expect(foundBy(certificate, 'answers-promptly')).toMatch(/^slowest of \d+ accepted: \d+ ms \(/);
  });
});

/** An application that calls its service for each message, and the service. */
function caller(order: 'notes first' | 'works first' | 'works later') {
  const seen = new Set<string>();
  let [broken, count, delayMs] = [false, 0, 0];
  const host = new ManualHost();
  const during = (change: () => void, undo: () => void) => {
    change();
    return Promise.resolve(() => {
      undo();
      return Promise.resolve();
    });
  };
  const service: Service = {
    fail: () =>
      during(
        () => (broken = true),
        () => (broken = false),
      ),
    delay: (ms) =>
      during(
        () => (delayMs = ms),
        () => (delayMs = 0),
      ),
    calls: () => Promise.resolve(count),
  };
  const conduct: Conduct = {
    handle({ id, type }, { response }) {
      if (type !== 'message.received' || seen.has(id)) return false;
      if (order !== 'works first') seen.add(id);
      if (order === 'works later') return false;
      host.tick(delayMs);
      if (broken) return answered(response, 500);
      seen.add(id);
      count += 1;
      return false;
    },
  };
  return {
    conduct,
    setting: { service, senderHost: host, checks: checks.filter(({ id }) => /^own-|-promptly$/.test(id)) },
  };
}

describe('an application whose calls fail', () => {
  it.each([
    ['works first', 'passed', /^500 Internal Server Error while its calls failed, then 204 No Content and a call$/],
    ['notes first', 'failed', /, then 204 No Content without a call: the event is lost$/],
    ['works later', 'skipped', /^204 No Content while its calls failed: it does the work on its own$/],
  ] as const)('and %s: %s', async (order, result, found) => {
    const { conduct, setting } = caller(order);
    const { url } = await receiver(conduct);
    const certificate = await certified(url, setting);
    expect(idsWith(certificate, result)).toContain('own-failure');
    expect(foundBy(certificate, 'own-failure')).toMatch(found);
  });

  it.each([
    ['works first', 'failed', /^2500 ms while each of its calls took 2500 ms: it waits for its work$/],
    ['works later', 'passed', /^0 ms while each of its calls took 2500 ms$/],
  ] as const)('or take long, and %s: responds promptly %s', async (order, result, found) => {
    const { conduct, setting } = caller(order);
    const { url } = await receiver(conduct);
    const certificate = await certified(url, setting);
    expect(idsWith(certificate, result)).toContain('answers-promptly');
    expect(foundBy(certificate, 'answers-promptly')).toMatch(found);
  });
});

function isSignedWithNothing(signature: string | undefined, raw: Buffer): boolean {
  return signature === `sha256=${createHmac('sha256', '').update(raw).digest('hex')}`;
}

function rewritten(raw: Buffer): string {
  try {
    return JSON.stringify(JSON.parse(raw.toString()));
  } catch {
    return raw.toString();
  }
}

function answered(response: Visit['response'], status: number, body?: string): boolean {
  response.writeHead(status).end(body);
  return true;
}

function passesTime(host: ManualHost, ms: number): boolean {
  host.tick(ms);
  return true;
}

function conflict(): Conduct {
  const seen = new Set<string>();
  return {
    handle({ id }, { response }) {
      if (seen.has(id)) return answered(response, 409);
      seen.add(id);
      return false;
    },
  };
}

function ordered(): Conduct {
  const heights = ['sent', 'delivered', 'read'];
  const reached = new Map<unknown, number>();
  return {
    handle({ type, data }: SeenEvent, { response }) {
      const height = heights.indexOf(String(data['status']));
      if (type !== 'message.status' || height < 0) return false;
      if (height < (reached.get(data['message_id']) ?? 0)) return answered(response, 409);
      reached.set(data['message_id'], height);
      return false;
    },
  };
}

function broken(): Conduct {
  let jammed = false;
  return {
    onBrokenJson({ response }) {
      jammed = true;
      response.writeHead(400).end();
    },
    handle: (_event, { response }) => jammed && answered(response, 503),
  };
}
