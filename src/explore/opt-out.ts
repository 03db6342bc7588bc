/** A customer opts out while a message to them waits to be sent again: the application must look once more before it sends. */
import { hookOf } from '../language/hooks.js';
import { addedIn, place } from './placed.js';
import type { Found, Raw } from './raw.js';
import { numberless } from './state.js';
import type { Fault, Placed, Point } from './types.js';

interface Step {
  readonly id?: string;
  readonly inbound?: { readonly text?: string };
}

interface Check {
  readonly after?: unknown;
  readonly max?: number;
  readonly count?: number;
  readonly where?: { readonly template?: string | readonly string[] };
}

const optOut = 'opt-out';
/** The customer writes so long after the call that failed, and the call is repeated after that, in milliseconds. */
const writesMs = 1_000;
const soonMs = 1_000;
/** An application sees an event so long after it has answered it. */
const seenMs = 100;

/**
 * Checks that forbid a template after a message of a customer show by which words customers opt out. For each such template, the
 * first send to a customer who does not write these words is tried.
 */
export function optOutsIn(expect: readonly Check[], timeline: readonly Step[], points: readonly Point[]): Placed[] {
  const tried = new Set<string>();
  return expect.flatMap(({ after, max, count, where }) => {
    const text = timeline.find(({ id }) => id !== undefined && id === after)?.inbound?.text;
    if (text === undefined || (max ?? count) !== 0) return [];
    const word = numberless(text).toLowerCase();
    const leavers = new Set(points.flatMap((one) => (one.says?.toLowerCase() === word ? [one.to] : [])));
    const isForbidden = ({ template }: Point) =>
      template !== null && [where?.template ?? template].flat().includes(template);
    return points.flatMap((point) => {
      const { kind, to, template, batch } = point;
      const isOwn = kind === 'message.send' && batch !== true && to !== null && !leavers.has(to) && isForbidden(point);
      if (!isOwn || tried.size === tried.add(`${template} ${word}`).size) return [];
      const atMs = Math.ceil(point.atMs / 1000) * 1000 + writesMs;
      const fault: Fault = {
        ...({ id: optOut, class: 'throttle', rank: 2 } as const),
        words: `gets a 503, and the customer writes ${JSON.stringify(text)} before it is repeated`,
        rule: { then: { respond: { status: 503, retry_after: '3s' } } },
        inbound: { phone: to, text },
        hurriesMs: atMs + soonMs,
      };
      return [place({ ...point, atMs }, fault)];
    });
  });
}

/** Finds that the message was sent all the same, after the application had accepted the customer's message. */
export function sentAfterOptOut(found: Found, placed: Placed | null): Raw[] {
  if (placed?.fault.id !== optOut) return [];
  const { to, template } = placed.point;
  const heard = addedIn(found, placed).find(({ status }) => status !== null && status < 300);
  if (heard === undefined) return [];
  const isSent = found.facts.requests.some(({ operation, status, at, request }) => {
    const body = (request.body ?? {}) as { to?: unknown; template?: { name?: unknown } };
    const isSame = hookOf(operation) === 'message.send' && body.to === to && body.template?.name === template;
    return isSame && status !== null && status < 300 && Date.parse(at) > Date.parse(heard.at) + seenMs;
  });
  if (!isSent) return [];
  const words = JSON.stringify(placed.fault.inbound?.['text']);
  const sentence = `The template ${template} was sent to ${to} after they had written ${words}.`;
  return [{ kind: 'check failed', sentence, expect: null, doubt: null }];
}
