/** Validates a text against the scenario language, with the sandbox's own parser. */
import { ApiError, type Api } from '../../core/api.js';
import { counted } from '../../core/time-words.js';
import { editorFile, problemsOf, type Problem } from './problems.js';

export interface Judged {
  readonly state: 'good' | 'faulty' | 'unknown';
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** A summary of the result. */
  readonly message: string;
}

/** Never fails: an unreachable sandbox is also a result. */
export async function checkText(api: Api, text: string): Promise<Judged> {
  if (text.trim() === '') return { ...nothing, message: 'The text is empty.' };
  try {
    const answer = (await api.send(
      'post',
      `/_sandbox/scenarios/check?file=${editorFile}`,
      text,
      'application/yaml',
    )) as { warnings: Problem[] };
    const { warnings } = answer;
    const noted = warnings.length === 0 ? '' : `, with ${counted(warnings.length, 'warning')}`;
    return { state: 'good', problems: [], warnings, message: `It can be activated${noted}.` };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refusedBy(error);
  }
}

/** Returns the errors of a rejected activation or check. */
export function refusedBy(error: ApiError): Judged {
  const problems = problemsOf(error);
  if (problems.length === 0) return { ...nothing, message: error.message };
  const message = `${counted(problems.length, 'error')} to correct before it can be activated.`;
  return { state: 'faulty', problems, warnings: [], message };
}

const nothing = { state: 'unknown', problems: [], warnings: [] } as const;
