/** One search for records, places and actions, controlled by keyboard. */
import { useEffect, useId, useState } from 'preact/hooks';
import { model, useResult } from '../core/index.js';
import { Dialog, Icon } from '../parts/index.js';
import { actionHits, furtherHits, messageHits, prepare, recordHits, type Hit } from './search.js';
import './search.css';

/** Milliseconds of real time without a keystroke before the sandbox is searched. */
const pauseMs = 120;

export function SearchDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [messages, setMessages] = useState<readonly Hit[]>([]);
  const id = useId();
  const account = model.value;
  const query = typed.trim();
  useEffect(() => prepare(account), [account]);
  useResult(query === '' ? null : () => messageHits(account, query), setMessages, [account, query], pauseMs);

  const hits =
    query === ''
      ? actionHits(account, '')
      : [...actionHits(account, query), ...recordHits(account, query), ...messages, ...furtherHits(query)];
  const at = Math.min(chosen, hits.length - 1);
  const run = (hit: Hit | undefined) => {
    if (!hit) return;
    onClose();
    hit.run();
  };
  const move = (to: number) => {
    const next = (to + hits.length) % hits.length;
    setChosen(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Enter') run(hits[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        type="search"
        class="whole"
        role="combobox"
        list={undefined}
        aria-label="Search records and actions"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={`${id}-${at}`}
        placeholder="Number, id, text, code, template or action"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="palette scrolls" id={id} role="listbox" aria-label="Results">
        {[...new Set(hits.map(({ group }) => group))].map((group) => (
          <div key={group} role="group" aria-label={group}>
            <p class="faint palette-group" aria-hidden="true">
              {group}
            </p>
            {hits.map((hit, index) =>
              hit.group !== group ? null : (
                <div
                  key={index}
                  id={`${id}-${index}`}
                  class="palette-hit pointer curved gap-60 line"
                  role="option"
                  aria-selected={index === at}
                  onPointerMove={() => setChosen(index)}
                  onClick={() => run(hit)}
                >
                  <Icon name={hit.icon} size={16} />
                  <span class="palette-title shrinks cut">{hit.title}</span>
                  {hit.note !== '' && <span class="faint palette-note shrinks cut small-text">{hit.note}</span>}
                </div>
              ),
            )}
          </div>
        ))}
      </div>
      <p class="faint palette-keys">
        <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Enter</kbd> opens, <kbd>Escape</kbd> closes
      </p>
    </Dialog>
  );
}
