/**
 * Errors and warnings in a text. A click moves the cursor to the line; another applies a correction, if there is one.
 */
import { Button } from '../../parts/index.js';
import { correctionOf, lineOf, type Problem } from './problems.js';

interface Props {
  readonly label: string;
  readonly tone: 'bad' | 'warn';
  readonly problems: readonly Problem[];
  readonly onJump: (line: number, column: number) => void;
  readonly onCorrect: (change: (text: string) => string) => void;
}

/** Only the first problems are shown; the others appear once those are corrected. */
const mostDrawn = 50;

export function ProblemList({ label, tone, problems, onJump, onCorrect }: Props) {
  return (
    <ul class={`problems ${tone}`} aria-label={label}>
      {problems.slice(0, mostDrawn).map((problem, index) => {
        const { file, column, message, suggestion, allowed } = problem;
        const line = lineOf(problem);
        const correction = correctionOf(problem);
        return (
          <li key={index}>
            <p class="problem-message">
              {line === null ? (
                <span class="mono faint">
                  {file}:{problem.line}
                </span>
              ) : (
                <button type="button" class="problem-place mono" onClick={() => onJump(line, column)}>
                  Line {line}
                </button>
              )}{' '}
              {message}
            </p>
            {suggestion === undefined && allowed !== undefined && (
              <p class="problem-allowed faint">Allowed: {allowed}</p>
            )}
            {suggestion !== undefined && correction === null && (
              <p class="problem-allowed faint">
                Did you mean <span class="mono">{suggestion}</span>?
              </p>
            )}
            {correction && (
              <Button kind="small" onClick={() => onCorrect(correction.apply)}>
                {correction.label}
              </Button>
            )}
          </li>
        );
      })}
      {problems.length > mostDrawn && <li class="faint">and {problems.length - mostDrawn} more</li>}
    </ul>
  );
}
