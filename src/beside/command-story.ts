/** Stories that a command plays: how its process ends, and the state that it reports. */
import { stripVTControlCharacters } from 'node:util';
import { clipped } from '../domain/text.js';
import { ExploreError } from '../explore/facts/error.js';
import { sendEvent } from '../explore/facts/facts.js';
import { place, ruleIdOf } from '../explore/faults/placed.js';
import type { Fault, Placed, Point } from '../explore/facts/types.js';
import { pause, within } from '../time/system-clock.js';
import { startProgram } from './spawn.js';
import { stateIn } from '../language/calls.js';
import { failedChecksIn, type PlayStory } from './story-play.js';

/** Time limit for a process to exit after it is asked to. */
const politeMs = 1_000;

/** The line that gives the reason best, in brackets; empty if there is none. */
export function reasonIn(output: string): string {
  // In TAP, a message of several lines stands below its name.
  const lines = stripVTControlCharacters(output)
    .replace(/: [|>]-?\n\s*/g, ': ')
    .split('\n');
  const isWord = (text: string) =>
    /\p{L}{2}/u.test(text) && !/^\s+at |^Node\.js v|^FAIL(?:\s|$)|\d subtests? failed/.test(text);
  const best = [/(error|exception|panic)[^ ]*: /i, /error|exception|panic/i, /fail/i, /./].map((word) =>
    lines.findLastIndex((text) => isWord(text) && word.test(text)),
  );
  const at = best.find((i) => i >= 0) ?? -1;
  const line = clipped((lines[at] ?? '').trim(), 200);
  const [name = ''] = lines.slice(0, Math.max(0, at)).flatMap(testIn).slice(-1);
  return line === '' ? '' : ` (${name === '' ? '' : `${clipped(name, 100)}: `}${line})`;
}

/** Returns the name of the failed test that a line of `node:test` or vitest gives, if any. */
const testIn = (line: string): string[] => {
  const [, name = ''] = /^\s*(?:not ok \d+ - | FAIL {2}| ?✖ )(.+?)(?: \([\d.]+ms\))?$/.exec(line) ?? [];
  return name === '' || name.endsWith(':') ? [] : [name];
};

/** The words of languages when a process dies of an error that nothing handled. */
const CRASH =
  /^Traceback \(most recent call last\)|^panic: |^fatal error: |^Exception in thread "main"|^thread '.*' panicked|^Node\.js v\d/m;

/** The words of Python's test runner after the tracebacks of tests that failed. */
const TESTED = /^Ran \d+ tests? in /m;

/** Machine milliseconds between two looks at whether a call was made, and from the call to the kill. */
const lookMs = 50;
const killMs = 300;

/** The command is killed at a send, and run again: at the second, the last and the first one. */
export function killsIn(points: readonly Point[]): Placed[] {
  const sends = points.filter(({ kind, account }) => kind === 'message.send' && account === '');
  const fault: Fault = {
    ...{ id: 'restart', class: 'uncertain', rank: 2, taken: true, restart: `${killMs}ms` },
    words: 'is processed, but the command is killed before it has the response, and runs again',
    rule: { then: { respond: { latency_real: '3s' } } },
  };
  return [...new Set([sends[1], sends.at(-1), sends[0]])].flatMap((point) => (point ? [place(point, fault)] : []));
}

/** A story that is a command: each try starts it in its own process group. A play throws ExploreError if it cannot be started. */
export function commandStory(command: readonly string[]): PlayStory {
  return async ({ variables, account, stage, placed, patience, inVain }) => {
    let story = startProgram({ command, variables });
    let [restarted, isOver] = [false, false];
    const over = new AbortController();
    for (const { point, fault } of placed) {
      sendEvent(account.account(`${account.apiKey}${point.account}`), fault.emit, over.signal);
    }
    const killed = placed.find(({ fault }) => fault.restart !== undefined);
    const isMade = async (one: Placed) =>
      (await account.rules.list()).some(({ id, hits }) => id === ruleIdOf(one) && hits > 0);
    const ended = async () => {
      const first = story;
      void first.ended.then(() => over.abort());
      while (killed && !over.signal.aborted && !(await isMade(killed))) await pause(lookMs);
      if (killed === undefined || over.signal.aborted) return first.ended;
      await pause(killMs);
      await first.stop(0);
      if (isOver) return first.ended;
      restarted = true;
      story = startProgram({ command, variables });
      return story.ended;
    };
    const ending = ended();
    const code = await Promise.race([within(patience.limitMs, ending), inVain]);
    isOver = true;
    over.abort();
    await story.stop(politeMs);
    await ending.catch(() => undefined);
    if (story.startError !== null) {
      throw new ExploreError(`"${command[0] ?? ''}" cannot be run: ${story.startError.message}.`);
    }
    const { stdout, stderr } = story.output;
    const said = stateIn(stdout);
    const output = `${said === null ? stdout : stdout.trimEnd().replace(/.*$/, '')}\n${stderr}`;
    if (code === 'late') return { said, failure: null, timedOut: true, output, restarted };
    const words = code > 128 ? `a signal ended it (${code})` : `exit code ${code}`;
    // Tests that have accounts of their own make no call in this one.
    const failedChecks = stage.calls > 0 ? failedChecksIn(stage) : [];
    return {
      said,
      failure: code === 0 ? null : `${words}${reasonIn(stderr || stdout)}`,
      exited: code !== 0,
      crashed: code > 128 || (code !== 0 && CRASH.test(stderr) && !TESTED.test(stderr)),
      timedOut: false,
      ...{ output, restarted, failedChecks },
    };
  };
}
