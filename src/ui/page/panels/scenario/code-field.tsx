/**
 * A text field for YAML: line numbers, light colours, and marks at the lines that have problems. The colours lie behind a
 * plain textarea whose own letters are transparent, so that writing, selecting and undoing are the browser's.
 */
import type { Ref } from 'preact';
import { highlightLine } from './highlight.js';
import { lineOf, type Problem } from './problems.js';

interface Props {
  readonly field: Ref<HTMLTextAreaElement>;
  readonly text: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly describedBy: string;
  readonly onText: (text: string) => void;
}

/** Longer texts are shown without colours: those are drawn anew with every letter. */
const mostColoured = 2000;
/** Characters of a message beside its line; all of it is in the list. */
const longestNote = 80;

export function CodeField({ field, text, problems, warnings, describedBy, onText }: Props) {
  const lines = text.split('\n');
  const faults = byLine(problems);
  const doubts = byLine(warnings);
  const plain = lines.length > mostColoured;
  return (
    <div class="yaml">
      <div class="yaml-gutter" aria-hidden="true">
        {lines.map((_, at) => {
          const mark = faults.has(at + 1) ? 'fault' : doubts.has(at + 1) ? 'doubt' : '';
          return (
            <div key={at} class={`yaml-nr ${mark}`}>
              {mark === 'fault' ? '✕' : mark === 'doubt' ? '!' : ''} {at + 1}
            </div>
          );
        })}
      </div>
      <div class="yaml-page">
        <pre class="yaml-colours" aria-hidden="true">
          {lines.map((line, at) => {
            const fault = faults.get(at + 1);
            const note = fault ?? doubts.get(at + 1);
            return (
              <div key={at} class={`yaml-line${fault ? ' fault' : note ? ' doubt' : ''}`}>
                {plain
                  ? line
                  : highlightLine(line).map(({ kind, text: piece }, index) => (
                      <span key={index} class={`yaml-${kind}`}>
                        {piece}
                      </span>
                    ))}
                {note !== undefined && <span class="yaml-note">{note.slice(0, longestNote)}</span>}
              </div>
            );
          })}
        </pre>
        <textarea
          ref={field}
          class="yaml-area"
          aria-label="Scenario"
          aria-describedby={describedBy}
          aria-invalid={problems.length > 0}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          wrap="off"
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}

function byLine(problems: readonly Problem[]): Map<number, string> {
  const lines = new Map<number, string>();
  for (const problem of problems) {
    const line = lineOf(problem);
    if (line !== null && !lines.has(line)) lines.set(line, problem.message);
  }
  return lines;
}
