/** The text of a scenario in an editor, whose code is loaded when it is first shown. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { model } from '../../core/index.js';
import { Button } from '../../parts/index.js';
import { correctionOf, lineOf, type Problem } from './problems.js';
import type { YamlEditor } from './yaml-editor.js';

interface Props {
  readonly text: string;
  /** Changes when the text is changed from outside the editor. */
  readonly version: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly describedBy: string;
  readonly onText: (text: string) => void;
  /** Receives the editor once it has loaded. */
  readonly onReady: (editor: YamlEditor) => void;
}

export function CodeField({ text, version, problems, warnings, describedBy, onText, onReady }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<YamlEditor | null>(null);
  // The editor outlives a rendering of this field, and must call the newest handler.
  const latest = useRef({ text, onText });
  latest.current = { text, onText };

  // The editor's code comes from the sandbox, so it is loaded once the sandbox is reachable.
  const live = model.value.stream.connection.value.state === 'live';
  useEffect(() => {
    if (!live || editor) return undefined;
    let ended = false;
    void import('./yaml-editor.js').then(({ createYamlEditor }) => {
      if (ended || !place.current) return;
      const made = createYamlEditor(place.current, {
        text: latest.current.text,
        label: 'Scenario',
        describedBy,
        onText: (next) => latest.current.onText(next),
      });
      setEditor(made);
      onReady(made);
    });
    return () => {
      ended = true;
    };
  }, [live, editor]);
  useEffect(() => () => editor?.destroy(), [editor]);
  // A rendering may have an older text than the editor, so only changes from outside reach the editor.
  useEffect(() => editor?.setText(latest.current.text), [editor, version]);
  useEffect(() => editor?.setProblems(problems, warnings), [editor, problems, warnings]);

  return <div class="yaml clips" ref={place} aria-busy={editor === null} />;
}

interface ProblemListProps {
  readonly label: string;
  readonly tone: 'bad' | 'warn';
  readonly problems: readonly Problem[];
  readonly onJump: (line: number, column: number) => void;
  readonly onCorrect: (change: (text: string) => string) => void;
}

/** Only the first problems are shown; the others appear once those are corrected. */
const mostDrawn = 50;

export function ProblemList({ label, tone, problems, onJump, onCorrect }: ProblemListProps) {
  return (
    <ul class={`problems grid gap-50 small-text breaks ${tone}`} aria-label={label}>
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
                <button
                  type="button"
                  class="problem-place pointer accent-ink mono"
                  onClick={() => onJump(line, column)}
                >
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
