import type { components } from '../../../../generated/control.js';
import { Button } from '../../parts/index.js';

export type Problem = components['schemas']['ScenarioProblem'];

export const editorFile = 'editor';

/** Empty for any other rejection. */
export function problemsOf(error: { readonly code: string; readonly details: readonly object[] }): Problem[] {
  return error.code === 'scenario_invalid' ? (error.details as Problem[]) : [];
}

/** A problem in another file, which the text extends, has no line here. */
function lineOf({ file, line }: Problem): number | null {
  return file === undefined || file === editorFile || file === 'request body' ? line : null;
}

interface Props {
  readonly problems: readonly Problem[];
  readonly onJump?: (line: number, column: number) => void;
  readonly onFix?: (line: number, fixed: string) => void;
}

export function ProblemList({ problems, onJump, onFix }: Props) {
  if (problems.length === 0) return null;
  return (
    <ul class="stack problems" role="alert" aria-label="Problems">
      {problems.map((problem, at) => {
        const { message, allowed, suggestion, fixed, column, file } = problem;
        const line = lineOf(problem);
        const place = line === null ? (file ?? '') : `Line ${line}`;
        return (
          <li key={at} class="breaks">
            {line !== null && onJump ? (
              <Button kind="quiet low" onClick={() => onJump(line, column)} words={place} />
            ) : (
              <span class="strong">{place}</span>
            )}{' '}
            {message}
            {suggestion === undefined && allowed !== undefined && ` Allowed: ${allowed}.`}{' '}
            {line !== null && fixed !== undefined && onFix ? (
              <Button kind="low" onClick={() => onFix(line, fixed)}>
                Write {suggestion ?? fixed.trim()}
              </Button>
            ) : (
              suggestion !== undefined && `Did you mean ${suggestion}?`
            )}
          </li>
        );
      })}
    </ul>
  );
}
