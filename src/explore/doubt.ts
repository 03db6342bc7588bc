/** Decides when a different end state is doubtful, and says why. What a repeated play can show is left to that. */
import type { Reference } from './end-state.js';
import type { Raw } from './oracle.js';
import type { Placed, Point, Run } from './types.js';

/** @returns why the deviation is doubtful, in a sentence; null if it is not */
export function doubtOf(raw: Raw, reference: Reference, found: Omit<Run, 'tookMs'>, placed: Placed): string | null {
  const { kind } = raw;
  const { point, fault } = placed;
  if (kind === 'useless calls' || kind === 'duplicate') return null;
  if (fault.delays === true) return overtaken(reference, found, placed);
  if (kind === 'application failed' && fault.class === 'recoverable') return null;
  const { facts } = reference.run;
  if (raw.grown === true && point.when !== 'webhook.deliver') return 'The number may count the attempts.';
  if (fault.class === 'uncertain' && isAbout(raw, point)) {
    const witness = witnessOf[point.kind];
    const hears = facts.endpoints.some(({ events }) => (events as readonly string[]).includes(witness ?? ''));
    if (witness !== undefined && !hears) {
      return `The application cannot know whether the call was processed: it has no endpoint for ${witness}.`;
    }
    // An application may decide never to send twice, if it cannot know whether the customer got the message.
    if (fault.taken !== false && (point.kind === 'message.send' || point.kind.startsWith('otp.'))) {
      return 'The application cannot know whether the call was processed, and may have decided never to repeat it.';
    }
  }
  return shortStory(reference, point);
}

/** Whether it is what the call of the point would have done. */
export const isAbout = ({ to, template }: Raw, point: Point): boolean =>
  to === undefined || (to === point.to && (template === undefined || template === point.template));

/** The event that shows the outcome of a call whose response was lost. */
const witnessOf: Readonly<Record<string, string>> = {
  'message.send': 'message.status',
  'otp.verify': 'otp.verified',
};

/** Returns why an event came too late to change the result: the story had already read it, or its users had gone on. */
function overtaken({ run }: Reference, { failure }: Omit<Run, 'tookMs'>, { point, fault }: Placed): string | null {
  const facts = run.accounts.find(({ account }) => account === point.account) ?? run.facts;
  const fromMs = Date.parse(facts.startedAt) + point.atMs;
  const untilMs = fromMs + (fault.lastsMs ?? 0);
  if (failure !== null || Date.parse(facts.endedAt) < untilMs)
    return 'The story may have looked before the event came.';
  if (point.kind === 'message.status') return null;
  const times = [...facts.requests.map(({ at }) => at), ...facts.deliveries.map(({ created_at: at }) => at)];
  const hasGoneOn = times.some((at) => Date.parse(at) > fromMs + reactionMs && Date.parse(at) <= untilMs);
  return hasGoneOn ? 'The story had gone on when the event came, so another result may be right.' : null;
}

/** Account time in which an application and the channel react to an event. */
const reactionMs = 5_000;

/** An application that is called now and then repeats what failed when it is called again. */
function shortStory({ run, returns }: Reference, { atMs, when, kind }: Point): string | null {
  const { startedAt, endedAt, steered } = run.facts;
  if (!steered || when === 'webhook.deliver') return null;
  const leftMs = Date.parse(endedAt) - Date.parse(startedAt) - atMs;
  return leftMs >= (returns.get(kind)?.accountMs ?? 0)
    ? null
    : 'The story ends before the application repeats what failed. Let it last longer.';
}
