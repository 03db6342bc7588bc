/** A scenario as one writes it: judged while one types, activated when it is sound. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../core/api.js';
import { later } from '../../core/browser.js';
import { model } from '../../core/current.js';
import { draft } from '../../core/preference.js';
import { here } from '../../core/location.js';
import type { ActiveScenario } from '../../core/records.js';
import { toast } from '../../core/toasts.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Icon } from '../../parts/icon.js';
import { checkText, refusedBy, type Judged } from './check.js';
import { CodeField } from './code-field.js';
import { useOriginText, type Origin } from './origin.js';
import { indexOf } from './problems.js';
import { ProblemList } from './problem-list.js';

/** Milliseconds without a letter before the sandbox is asked. */
const pauseMs = 250;

export function Editor({ origin, active }: { readonly origin: Origin; readonly active: string | null }) {
  const account = model.value;
  const original = useOriginText(origin);
  const typed = draft<string | null>(`scenario-text/${account.key}/${origin.id}`, null);
  const text = typed.value ?? original ?? '';
  const field = useRef<HTMLTextAreaElement>(null);
  const [judged, setJudged] = useState<Judged | null>(null);
  const [busy, setBusy] = useState(false);
  const loaded = typed.value !== null || original !== null;
  const changed = typed.value !== null && typed.value !== original;

  useEffect(() => {
    if (!loaded) return;
    let ended = false;
    const cancel = later(pauseMs, () => {
      void checkText(account.api, text).then((answer) => {
        if (!ended) setJudged(answer);
      });
    });
    return () => {
      ended = true;
      cancel();
    };
  }, [account, text, loaded]);

  const jump = (line: number, column: number) => {
    const area = field.current;
    if (!area) return;
    const at = indexOf(text, line, column);
    area.focus({ preventScroll: true });
    area.setSelectionRange(at, at);
    const box = area.closest('.yaml');
    const height = area.offsetHeight / text.split('\n').length;
    box?.scrollTo({ top: Math.max(0, (line - 1) * height - box.clientHeight / 3) });
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
    <div class="editor">
      <div class="editor-bar">
        <p class="editor-title">
          <span class="strong">{origin.title}</span>
          {changed && <span class="faint"> changed, and kept in this tab alone</span>}
        </p>
        {origin.id !== 'new' && (
          <a class="button quiet small" href={here('scenario', ['editor'])}>
            Your own
          </a>
        )}
        {changed && (
          <button
            type="button"
            class="button quiet small"
            onClick={() => {
              typed.value = null;
            }}
          >
            Discard changes
          </button>
        )}
        <CopyButton text={text} label="text" words />
        <button type="button" class="button primary small" aria-busy={busy} onClick={() => void activate()}>
          <Icon name="bolt" size={14} /> Activate this
        </button>
      </div>
      <div class="editor-body">
        <CodeField
          field={field}
          text={text}
          problems={judged?.problems ?? []}
          warnings={judged?.warnings ?? []}
          describedBy="scenario-judged"
          onText={(next) => {
            typed.value = next === original ? null : next;
          }}
        />
        <aside class="judged" aria-label="What the sandbox says of it">
          <p id="scenario-judged" role="status" class={`judged-words ${judged?.state ?? 'unknown'}`}>
            {judged?.message ?? 'Looking …'}
          </p>
          {judged && judged.problems.length > 0 && (
            <ProblemList
              label="Faults"
              tone="bad"
              problems={judged.problems}
              onJump={jump}
              onCorrect={(change) => {
                typed.value = change(text);
              }}
            />
          )}
          {judged && judged.warnings.length > 0 && (
            <ProblemList
              label="Doubts"
              tone="warn"
              problems={judged.warnings}
              onJump={jump}
              onCorrect={(change) => {
                typed.value = change(text);
              }}
            />
          )}
        </aside>
      </div>
    </div>
  );
}
