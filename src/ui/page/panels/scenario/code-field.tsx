/** The text of a scenario in an editor, whose code is loaded when it is first shown. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { model } from '../../core/index.js';
import type { Problem } from './problems.js';
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

  return <div class="yaml" ref={place} aria-busy={editor === null} />;
}
