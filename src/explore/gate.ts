/** The runs without faults, with which every try is compared. If these differ, no try would show anything. */
import { counted } from '../domain/text.js';
import { referenceOf, sentMessages, states, type Reference } from './end-state.js';
import { writesOf } from './points.js';
import type { Patience, Play } from './options.js';
import type { Run } from './types.js';

/** The story cannot be explored; the message says why, and what to do. */
export class GateError extends Error {
  override readonly name = 'GateError';
}

/** A story may take this much longer in parallel than alone. */
const mostSlowdown = 1.5;

interface GateParts {
  readonly play: Play;
  readonly lanes: number;
  readonly patience: () => Patience;
}

export interface Gate {
  readonly reference: Reference;
  readonly runs: readonly Run[];
  readonly lanes: number;
  readonly notes: readonly string[];
}

/**
 * Plays the story alone, then in parallel, which shows whether the application and the machine allow that.
 * @throws GateError
 */
export async function passGate({ play, lanes, patience }: GateParts): Promise<Gate> {
  const once = () => play(null, patience());
  const first = await once();
  if (first.facts.requests.length === 0 && first.failure === null && !first.timedOut) throw new GateError(noCall);
  requireEnd(first, 'The story fails without any fault');
  const notes: string[] = [];
  const together = lanes > 1 ? await Promise.all(Array.from({ length: Math.min(lanes, 3) }, once)) : [await once()];
  let own = lanes;
  let runs = [first, ...together];
  if (lanes > 1) {
    const slowdown = Math.max(...together.map(({ tookMs }) => tookMs)) / Math.max(1, first.tookMs);
    own = Math.max(2, Math.min(lanes, Math.floor(together.length * (mostSlowdown / slowdown) ** 2)));
    if (differenceOf(runs) !== null) {
      // Runs in parallel may disturb each other, or the machine was busy.
      runs = [await once(), await once()];
      own = 1;
      notes.push('Tries ran one after another, because runs without faults differed when they ran in parallel.');
    }
  }
  for (const run of runs) requireEnd(run, 'The story sometimes fails without any fault');
  const difference = differenceOf(own === 1 && lanes > 1 ? [first, ...runs] : runs);
  if (difference !== null) throw new GateError(`${difference} ${cure}`);
  const reference = referenceOf(runs);
  return { reference, runs, lanes: own, notes: [...notes, ...notesOf(reference)] };
}

const noCall =
  'The story made no call to the sandbox, so there is nothing to try. ' +
  'Its base URL must be MESSAGING_BASE_URL, and its key MESSAGING_API_KEY. ' +
  'Tests that start a sandbox themselves must use this one: useSandbox({ url: process.env.MESSAGING_BASE_URL }).';

const cure =
  'Runs without faults must be equal. If state survives from one run to the next, keep it below the folder ' +
  'SANDBOX_TMP, which is new in each run, or empty it with --reset CMD. If numbers or codes are random, ' +
  'derive them from SANDBOX_TRY or use fixed ones.';

/** @throws GateError if the story did not end well, with what the sandbox answered */
function requireEnd(run: Run, what: string): void {
  const why = run.timedOut ? 'it did not end in time' : run.failure;
  if (why === null) return;
  const refused = run.facts.requests.filter(({ status }) => status === null || status >= 400).slice(0, 3);
  const answers = refused.map(({ method, path, status, response }) => {
    const { error } = (response?.body ?? {}) as { error?: { code?: string; message?: string } };
    return `${method} ${path} was answered ${status ?? 'nothing'}: ${error?.code ?? ''} ${error?.message ?? ''}`.trim();
  });
  const said = answers.length === 0 ? '' : ` The sandbox answered: ${answers.join(' · ')}`;
  throw new GateError(`${what}: ${why}.${said} Make it pass in "messaging-sandbox exec" first.`);
}

/** Returns the first difference between runs without faults, in a sentence; null if they are equal. */
export function differenceOf(runs: readonly Run[]): string | null {
  const [first, ...others] = runs;
  if (first === undefined) return null;
  for (const [i, other] of others.entries()) {
    for (const [name, tell] of Object.entries(aspects)) {
      const [a, b] = [tell(first), tell(other)];
      const missing = a.find((one) => !b.includes(one));
      const added = b.find((one) => !a.includes(one));
      if (missing === undefined && added === undefined && a.length === b.length) continue;
      const which = [missing && `not in run ${i + 2}: ${missing}`, added && `not in run 1: ${added}`].filter(Boolean);
      return `Runs without faults differ: run 1 had ${counted(a.length, name)}, run ${i + 2} ${b.length} (${which.join('; ')}).`;
    }
  }
  return null;
}

const aspects: Readonly<Record<string, (run: Run) => string[]>> = {
  call: writesOf,
  message: ({ facts }) =>
    [...sentMessages(facts, 'template').values()].map(({ to, content, atMs }) => `${content} to ${to} ×${atMs.length}`),
  'verified code': ({ facts }) => [...states.codes(facts)].map(([to, times]) => `${to} ×${times}`),
};

function notesOf({ run, closeness, said }: Reference): string[] {
  const refused = run.facts.requests.filter(({ status }) => status === null || status >= 400).length;
  return [
    ...(closeness === 'text'
      ? []
      : [`The texts of messages differ between runs without faults, so only their ${closeness} is compared.`]),
    ...(said === null
      ? [
          'The application does not report its state. To find more, make its last line of output a JSON object, or name paths in state.',
        ]
      : []),
    ...(refused === 0
      ? []
      : [`Without faults, ${counted(refused, 'call')} got an error: is the story what you want to explore?`]),
    ...(run.facts.steered ? [] : ['The application waits in real time, so delays are not evaluated.']),
  ];
}
