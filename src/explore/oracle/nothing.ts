/** A value that the application did not get, and used all the same: it is a word in a path or a text. */
import { hookOf } from '../../language/hooks.js';
import type { Found, Raw } from '../facts/raw.js';
import type { Run } from '../facts/types.js';

/** In JavaScript, Python and Ruby. In Go and Java, the end of a path is empty. */
const NO_ID = /^\/v1\/[a-z/]+\/(?:undefined|null|None|nil|NaN)?$/;
const NO_WORD = /\bundefined\b|\bNaN\b|\[object Object\]/;

const ofLaterTest = 'The command has failed, as it may, and a later test of it may use what the failed one created.';

/** Finds calls and messages of this kind that do not occur without the fault. */
export function usesOfNothing({ facts: usual }: Run, { facts: { requests, messages }, ...end }: Found): Raw[] {
  const known = new Set(usual.requests.map(({ path }) => path));
  const call = requests.find(({ path }) => NO_ID.test(path) && !known.has(path));
  const wordIn = (text: string | null) => NO_WORD.exec(text ?? '')?.[0];
  const usualWords = new Set(usual.messages.map(({ text }) => wordIn(text)));
  const message = messages.find(({ text }) => wordIn(text) !== undefined && !usualWords.has(wordIn(text)));
  const hasReported = end.exited === true && end.failure !== null && end.crashed !== true;
  const base = { kind: 'useless calls', doubt: null } as const;
  return [
    ...(call === undefined
      ? []
      : [
          {
            ...base,
            doubt: hasReported ? ofLaterTest : null,
            sentence: `${hookOf(call.operation) ?? call.method} was made with ${call.path}, which names nothing.`,
            expect: { that: 'requests', where: { path: call.path }, max: 0 },
          },
        ]),
    ...(message === undefined
      ? []
      : [
          {
            ...base,
            sentence: `The text ${JSON.stringify(message.text)} to ${message.to} contains "${wordIn(message.text) ?? ''}".`,
            expect: { that: 'messages', where: { to: message.to, text: `*${wordIn(message.text) ?? ''}*` }, max: 0 },
          },
        ]),
  ];
}
