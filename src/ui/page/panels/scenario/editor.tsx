/** The editor of a scenario. The text is validated as you type, and activated if it is valid. */
import { useId, useState } from 'preact/hooks';
import {
  type ActiveScenario,
  type Api,
  ApiError,
  counted,
  download,
  draft,
  here,
  model,
  toast,
  upload,
  useResult,
} from '../../core/index.js';
import { Button, CopyButton, HelpLink, Menu, MenuItem } from '../../parts/index.js';
import { CodeField, ProblemList } from './code-field.js';
import { type Origin, useOriginText } from './origin.js';
import { editorFile, type Problem, problemsOf } from './problems.js';
import { SaveButton } from './save.js';
import { snippets, withRule } from './snippets.js';
import type { YamlEditor } from './yaml-editor.js';

/** Milliseconds without a keystroke before the sandbox validates the text. */
const pauseMs = 250;

export function Editor({ origin, active }: { origin: Origin; active: string | null }) {
  const account = model.value;
  const typed = draft<string | null>(`scenario-text/${account.key}/${origin.id}`, null);
  const original = useOriginText(origin, typed.value === null);
  const text = typed.value ?? original ?? '';
  const [field, setField] = useState<YamlEditor | null>(null);
  const judgedId = useId();
  const [revision, setRevision] = useState(0);
  const [judged, setJudged] = useState<Judged | null>(null);
  const [busy, setBusy] = useState(false);
  const loaded = typed.value !== null || original !== null;
  const changed = typed.value !== null && typed.value !== original;

  useResult(loaded ? () => checkText(account.api, text) : null, setJudged, [account, text, loaded], pauseMs);

  const keep = (next: string) => {
    typed.value = next === original ? null : next;
  };
  const write = (next: string) => {
    keep(next);
    setRevision(revision + 1);
  };

  const insert = (rule: string) => {
    const { text: next, at } = withRule(text, rule);
    write(next);
    field?.setText(next);
    field?.jump(at, 1);
  };

  const format = async () => {
    const { formatted } = await import('./yaml-editor.js');
    const next = formatted(text);
    if (next === null) toast('bad', 'Not formatted.', ['Correct the YAML errors first.']);
    else write(next);
  };

  const activate = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const answer = (await account.api.send('put', '/_sandbox/scenario', text, 'application/yaml')) as ActiveScenario;
      account.scenario.value = answer;
      toast(
        'good',
        `${answer.name ?? 'It'} is active.`,
        answer.warnings.map(({ message }) => message),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setJudged(refusedBy(error));
      const stays = active === null ? 'Still no scenario is active.' : `${active} stays active.`;
      toast('bad', `Not activated. ${stays}`, [error.message]);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div class="grid gap-60">
      <div class="gap-40 row">
        <p class="editor-title shrinks breaks">
          <span class="strong">{origin.title}</span>
          {changed && <span class="faint"> changed, and stored in this tab only</span>}
        </p>
        {origin.id !== 'new' && (
          <a class="button quiet small" href={here('scenario', ['editor'])}>
            Your own
          </a>
        )}
        {changed && (
          <Button kind="quiet small" onClick={() => write(original ?? '')}>
            Discard changes
          </Button>
        )}
        <Menu label="Insert a rule" named class="button small" button="Insert …">
          {snippets.map(({ label, rule }) => (
            <MenuItem key={label} onClick={() => insert(rule)}>
              {label}
            </MenuItem>
          ))}
        </Menu>
        <Button kind="small" onClick={() => void format()}>
          Format
        </Button>
        <FileButtons name={nameOf(text)} text={text} onText={write} />
        <CopyButton text={text} label="text" words />
        <SaveButton origin={origin} text={text} onSaved={() => (typed.value = null)} />
        <Button kind="primary small" icon="bolt" aria-busy={busy} onClick={() => void activate()}>
          Activate this
        </Button>
      </div>
      <div class="editor-body grid gap-75">
        <CodeField
          text={text}
          version={`${revision} ${origin.id} ${original ?? ''}`}
          problems={judged?.problems ?? []}
          warnings={judged?.warnings ?? []}
          describedBy={judgedId}
          onText={keep}
          onReady={setField}
        />
        <aside class="judged grid gap-60 shrinks" aria-label="Validation">
          <p class="hint">
            <HelpLink page="scenarios-tutorial.md">Tutorial</HelpLink> ·{' '}
            <HelpLink page="scenarios-reference.md#keys">All keys</HelpLink>
          </p>
          <p id={judgedId} role="status" class={`judged-words ${judged?.state ?? 'unknown'}`}>
            {judged?.message ?? 'Loading …'}
          </p>
          {judged && judged.problems.length > 0 && (
            <ProblemList
              label="Errors"
              tone="bad"
              problems={judged.problems}
              onJump={(line, column) => field?.jump(line, column)}
              onCorrect={(change) => write(change(text))}
            />
          )}
          {judged && judged.warnings.length > 0 && (
            <ProblemList
              label="Warnings"
              tone="warn"
              problems={judged.warnings}
              onJump={(line, column) => field?.jump(line, column)}
              onCorrect={(change) => write(change(text))}
            />
          )}
        </aside>
      </div>
    </div>
  );
}

/** Uploads and downloads the text. */
function FileButtons({ name, text, onText }: { name: string; text: string; onText: (text: string) => void }) {
  return (
    <>
      <Button kind="small" onClick={() => upload('.yaml,.yml,.json', onText)}>
        Upload
      </Button>
      <Button kind="small" onClick={() => download(`${name}.yaml`, text, 'application/yaml')}>
        Download
      </Button>
    </>
  );
}

/** Returns the `name` in the text of a scenario. */
export const nameOf = (text: string): string => /^name\s*:\s*["']?([\w.-]+)/m.exec(text)?.[1] ?? 'scenario';

interface Judged {
  readonly state: 'good' | 'faulty' | 'unknown';
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** A summary of the result. */
  readonly message: string;
}

/** Never fails: an unreachable sandbox is also a result. */
async function checkText(api: Api, text: string): Promise<Judged> {
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
function refusedBy(error: ApiError): Judged {
  const problems = problemsOf(error);
  if (problems.length === 0) return { ...nothing, message: error.message };
  const message = `${counted(problems.length, 'error')} to correct before it can be activated.`;
  return { state: 'faulty', problems, warnings: [], message };
}

const nothing = { state: 'unknown', problems: [], warnings: [] } as const;
