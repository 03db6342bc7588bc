/** Notes about the runs without faults, which their user may want to change. */
import { counted } from '../../domain/text.js';
import { hookOf } from '../../language/hooks.js';
import { sentIn, timesOf, type Reference } from '../facts/end-state.js';
import { otpIdOf, toOf, type JournalRequest } from '../facts/facts.js';
import { checksLockedAgain, lockedAgain } from '../faults/new-code.js';
import type { Run } from '../facts/types.js';

/** Customers in a note. */
const mostNamed = 3;

/** Names what is the same once, with its number and its customers. */
function each(all: readonly { readonly text: string; readonly to?: readonly unknown[] }[]): string {
  const groups = [...new Set(all.map(({ text }) => text))].map((text) => {
    const same = all.filter((one) => one.text === text);
    const customers = new Set(same.flatMap(({ to = [] }) => to).filter((to) => typeof to === 'string'));
    const more = customers.size > mostNamed ? ` and ${customers.size - mostNamed} more` : '';
    const whose = customers.size === 0 ? '' : `, to ${[...customers].slice(0, mostNamed).join(', ')}${more}`;
    return `${text}${same.length === 1 ? '' : `, ${timesOf(same.length)}`}${whose}`;
  });
  return groups.join('; ');
}

/** Errors to which a story leads its users on purpose. */
const ofUsers = ['otp_expired', 'otp_max_attempts'];

export function notesOf({ run, closeness, said }: Reference, runs: readonly Run[]): string[] {
  const isRefused = ({ status, error }: JournalRequest) =>
    (status === null || status >= 400) && !ofUsers.includes(error ?? '');
  const refused = run.facts.requests.filter(isRefused);
  const answers = refused.map(({ operation, path, status, error, request: { body } }) => ({
    text: `${hookOf(operation) ?? path}: ${status ?? 'no response'} ${error ?? ''}`.trim(),
    to: [toOf(body) ?? run.facts.otps.find(({ otp_id: id }) => id === otpIdOf(body))?.to].flat(),
  }));
  // A rule of the story intends it.
  const failed = run.facts.messages.filter(({ status, explain }) => status === 'failed' && explain.by !== 'rule');
  const reasons = failed.map(({ to, explain }) => ({ text: `to ${to}: ${explain.text.replace(/\.$/, '')}` }));
  return [
    ...(closeness === 'text'
      ? []
      : [
          `The texts of messages differ between runs without faults, so only their ${closeness} is compared. For example, not every run had: ${differingText(runs)}. To compare texts, make them the same in every run.`,
        ]),
    ...(said === null
      ? [
          'The application does not report its state. To find more, make its last line of output a JSON object, or name paths in state.',
        ]
      : []),
    ...(run.failedChecks ?? []).map(
      ({ sentence }) => `Without faults, a check fails, so it shows nothing: ${sentence}`,
    ),
    ...(checksLockedAgain(run.facts) ? [`Without faults, ${lockedAgain}`] : []),
    ...run.facts.skipped.map((text) => `Without faults, ${text.replace(/^T/, 't')} Change the story first.`),
    ...(refused.length === 0
      ? []
      : [
          `Without faults, ${counted(refused.length, 'call')} got an error (${each(answers)}). If you do not intend this, change it first.`,
        ]),
    ...(failed.length === 0
      ? []
      : [
          `Without faults, ${counted(failed.length, 'message')} failed (${each(reasons)}). If you do not intend this, change it first.`,
        ]),
  ];
}

/** Returns a message that not every run sent. */
function differingText(runs: readonly Run[]): string {
  const all = runs.map(({ facts }) => sentIn(facts));
  return all.flat().find((line) => all.some((lines) => !lines.includes(line))) ?? '';
}
