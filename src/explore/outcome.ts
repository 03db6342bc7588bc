/** A run in words: its end state, and its calls and attempts. */
import { formatDuration } from '../time/duration.js';
import { sentMessages, states, times } from './end-state.js';
import { leaves, normalForm } from './state.js';
import { callOf, deliveryOf, nameOf } from './points.js';
import type { Facts, Happening, Outcome, Run } from './types.js';

/** Maximum number of lines that are kept of a run. */
const mostHappenings = 500;

export function outcomeOf(run: Run): Outcome {
  return { end: endOf(run), story: storyOf(run.facts) };
}

function endOf({ facts, said, failure, timedOut }: Run): string[] {
  const messages = [...sentMessages(facts, 'text').values()];
  const says = normalForm(said);
  return [
    ...messages.map(({ content, to, atMs }) => `sent ${times(atMs.length)}: ${content} to ${to}`).sort(),
    ...[...states.codes(facts)].map(([to, count]) => `verified: ${times(count)} a code of ${to}`).sort(),
    ...[...states.templates(facts)].map(([name, status]) => `template ${name}: ${status}`).sort(),
    ...[...states.endpoints(facts)].map(([key, count]) => `endpoint ${key}: active ${times(count)}`).sort(),
    ...(says === null ? [] : leaves(says).map(({ path, value }) => `says ${path}: ${JSON.stringify(value)}`)),
    timedOut ? 'the story did not end' : failure === null ? 'the story ended successfully' : `failed: ${failure}`,
  ];
}

function storyOf(facts: Facts): Happening[] {
  const startMs = Date.parse(facts.startedAt);
  const calls = facts.requests.map((request) => {
    const place = callOf(request, facts);
    const name = place === null || place.when === 'api.any' ? `${request.method} ${request.path}` : nameOf(place);
    return { at: request.at, seq: request.seq, words: `${name} → ${request.status ?? 'no response'}` };
  });
  const attempts = facts.deliveries.flatMap((delivery) => {
    const place = deliveryOf(delivery);
    const name = place === null ? delivery.event_type : nameOf(place);
    return delivery.attempts.map(({ at, status, error }) => ({
      at,
      seq: delivery.seq,
      words: `${name} ⇒ ${status ?? error ?? 'no response'}`,
    }));
  });
  return [...calls, ...attempts]
    .sort((a, b) => a.at.localeCompare(b.at) || a.seq - b.seq)
    .slice(0, mostHappenings)
    .map(({ at, words }) => ({
      at: formatDuration(Math.max(0, Math.round((Date.parse(at) - startMs) / 1000)) * 1000),
      words,
    }));
}

/** Returns how many lines two runs share from their start. */
export function parting(a: readonly Happening[], b: readonly Happening[]): number {
  const differs = a.findIndex(({ words }, i) => words !== b[i]?.words);
  return differs === -1 ? a.length : differs;
}
