import { useEffect, useRef, useState } from 'preact/hooks';
import { act, type ActiveScenario, ApiError, draft, go, here, later, model, toast } from '../../core/index.js';
import { parsed, useRead, yaml } from '../../core/index.js';
import { Button, HelpLink, Loading, Notice, ReadFailed, TextArea } from '../../parts/index.js';
import { useFiles } from './files.js';
import { editorFile, type Problem, ProblemList, problemsOf } from './problems.js';

export const firstText = `version: 1
name: mine
description: The first send is rejected with 503; a retry succeeds.
rules:
  - id: down-once
    when: message.send
    pick: { calls: 1 }
    then: { respond: { status: 503, retry_after: 2s } }
expect:
  - at: finish
    that: messages
    where: { direction: outbound }
    min: 1
    because: A rejected send has to be retried.
`;

/** A call may have activated it as JSON on one line; with lines, JSON is YAML too. */
function legible(source: string): string {
  const value = parsed(source);
  return value === undefined ? source : JSON.stringify(value, null, 2);
}

/** Milliseconds without a keystroke before the text is checked. */
const pauseMs = 250;

interface Checked {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** @returns what the sandbox says about the text; null until it has said something */
function useCheck(text: string | undefined): Checked | null {
  const { api } = model.value;
  const [checked, setChecked] = useState<Checked | null>(null);
  const query = { file: editorFile };
  useEffect(() => {
    if (text === undefined) return undefined;
    let wanted = true;
    const check = async () => {
      try {
        const { warnings } = await api.post('/_sandbox/scenarios/check', { query, ...yaml(text) });
        if (wanted) setChecked({ problems: [], warnings });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (wanted) setChecked({ problems: problemsOf(error), warnings: [] });
      }
    };
    const cancel = later(pauseMs, () => void check());
    return () => {
      wanted = false;
      cancel();
    };
  }, [text]);
  return checked;
}

export function Edit({ file, active }: { file: string | undefined; active: ActiveScenario }) {
  const { api, key } = model.value;
  const isFile = file !== undefined && file !== 'active';
  const read = useRead(isFile ? `text ${file}` : null, () =>
    api.get('/_sandbox/scenarios/{name}', { path: { name: file ?? '' } }),
  );
  const original = isFile ? read.value?.source : file === 'active' ? legible(active.source ?? firstText) : firstText;
  const written = draft<string | null>(`scenario-text/${key}/${file ?? ''}`, null);
  const text = written.value ?? original;
  const area = useRef<HTMLDivElement>(null);
  const checked = useCheck(text);
  if (read.error) return <ReadFailed what="This file" error={read.error} retry={read.retry} />;
  if (text === undefined) return <Loading />;
  const jump = (line: number, column: number) => {
    const element = area.current?.querySelector('textarea');
    if (!element) return;
    const lines = text.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    element.focus();
    element.setSelectionRange(start + column - 1, start + (lines[line - 1]?.length ?? 0));
    const height = parseFloat(getComputedStyle(element).lineHeight);
    element.scrollTop = Math.max(0, (line - 4) * height);
  };
  const valid = checked !== null && checked.problems.length === 0;
  const activate = async () => {
    const call = api.put('/_sandbox/scenario', yaml(text));
    if ((await act(call, 'The scenario is active.')) === null) return;
    await model.value.readScenario();
    go(here('scenario'));
  };
  return (
    <div class="detail" ref={area}>
      <div class="row">
        <p class="grow">
          <span class="strong">{isFile ? file : file === 'active' ? 'The active scenario' : 'A new scenario'}</span>{' '}
          {written.value !== null && <span class="soft">changed, kept in this tab</span>}
        </p>
        {file !== undefined && (
          <a class="button quiet low" href={here('scenario', ['edit'])}>
            Write a new one
          </a>
        )}
        {written.value !== null && (
          <Button kind="quiet low" onClick={() => (written.value = null)} words="Discard changes" />
        )}
        <Save text={text} file={isFile ? file : undefined} onSaved={() => (written.value = null)} />
        <Button kind="low primary" disabled={!valid} onClick={() => void activate()} words="Activate" />
      </div>
      <div class="stack edit">
        <TextArea
          class="mono"
          aria-label="Text of the scenario, in YAML"
          spellcheck={false}
          autocapitalize="off"
          rows={28}
          value={text}
          onText={(next) => (written.value = next)}
        />
        <div class="stack" role="status">
          {checked && (
            <>
              <ProblemList
                problems={checked.problems}
                onJump={jump}
                onFix={(line, fixed) =>
                  (written.value = text
                    .split('\n')
                    .toSpliced(line - 1, 1, fixed)
                    .join('\n'))
                }
              />
              {valid && checked.warnings.length === 0 && (
                <Notice tone="good" icon="check">
                  The text is valid.
                </Notice>
              )}
              {checked.warnings.map(({ message, line }, at) => (
                <Notice key={at} tone="warn">
                  Line {line}: {message}
                </Notice>
              ))}
            </>
          )}
          <p class="hint">
            <HelpLink page="scenarios-reference.md">All keys</HelpLink>. Your own editor completes them with the shipped
            schema.
          </p>
        </div>
      </div>
    </div>
  );
}

/** Saves into a file that the sandbox may write: the one that is open, otherwise one with the name in the text. */
function Save({ text, file, onSaved }: { text: string; file: string | undefined; onSaved: () => void }) {
  const { api, info } = model.value;
  const isOwn = useFiles()?.some((each) => each.name === file && each.writable);
  if (isOwn === undefined || (!isOwn && info.value?.scenarios_folder === undefined)) return null;
  const name = (isOwn ? file : /^name:\s*([\w-]+)\s*$/m.exec(text)?.[1]) ?? 'mine';
  const save = async () => {
    const call = api.put('/_sandbox/scenarios/{name}', { path: { name }, body: { source: text } });
    const saved = await act(call);
    if (!saved) return;
    onSaved();
    toast('good', `Saved in ${saved.file}.`, saved.active ? ['The active scenario does not change.'] : []);
    if (name !== file) go(here('scenario', ['edit', name]));
  };
  return (
    <Button kind="low" onClick={() => void save()}>
      {isOwn ? 'Save' : `Save as ${name}`}
    </Button>
  );
}
