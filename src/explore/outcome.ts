/** The end of a run in words. */
import { sentMessages, states, times } from './end-state.js';
import { leaves, normalForm } from './state.js';
import type { Run } from './types.js';

/** Returns a line for each fact. */
export function endOf({ facts, said, failure, timedOut }: Run): string[] {
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
