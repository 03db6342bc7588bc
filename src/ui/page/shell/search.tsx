import { useEffect, useId, useState } from 'preact/hooks';
import { type AccountModel, go, here, later, model, relativeWords, shortUrl } from '../core/index.js';
import { Dialog, Icon, type IconName } from '../parts/index.js';
import { titleOf } from '../places/messages/words.js';
import { subjectOf } from '../places/webhooks/groups.js';
import { searching } from './header.js';
import { places } from './places.js';

interface Hit {
  readonly group: string;
  readonly icon: IconName;
  readonly title: string;
  readonly note: string;
  readonly href: string;
}

/** Number of hits shown for each kind of record, and milliseconds without a keystroke before the sandbox is asked. */
const limit = 5;
const pauseMs = 120;
/** Fewer characters are in many ids by chance: then the hit itself has to show them. */
const leastOfId = 6;

export function SearchDialog() {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [found, setFound] = useState<readonly Hit[]>([]);
  const id = useId();
  const account = model.value;
  const search = typed.trim();
  useEffect(() => {
    let wanted = search !== '';
    const cancel = later(pauseMs, () => {
      if (wanted) void find(account, search).then((hits) => wanted && setFound(hits));
    });
    return () => {
      wanted = false;
      cancel();
    };
  }, [account, search]);
  const goTo = places
    .filter(({ title }) => title.toLowerCase().startsWith(search.toLowerCase()))
    .map(({ title, icon, id: place }) => ({ group: 'Go to', title, note: '', icon, href: here(place) }));
  const hits = [...goTo, ...(search === '' ? [] : found)];
  const at = Math.min(chosen, hits.length - 1);
  const close = () => (searching.value = false);
  const run = (hit: Hit | undefined) => {
    if (!hit) return;
    close();
    go(hit.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') run(hits[at]);
    else if (by !== undefined) {
      const next = (at + by + hits.length) % Math.max(1, hits.length);
      setChosen(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search" onClose={close}>
      <div class="stack palette">
        <input
          type="text"
          role="combobox"
          aria-label="Search everything"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          placeholder="Name, number, id, text, code or template"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div class="hits" id={id} role="listbox" aria-label="Results">
          {hits.map((hit, index) => (
            <div key={`${hit.group} ${hit.href}`} role="presentation">
              {hits[index - 1]?.group !== hit.group && (
                <p class="group" aria-hidden="true">
                  {hit.group}
                </p>
              )}
              <div
                id={`${id}-${index}`}
                class="menu-item"
                role="option"
                aria-selected={index === at}
                onPointerMove={() => setChosen(index)}
                onClick={() => run(hit)}
              >
                <Icon name={hit.icon} size={16} />
                <span class="cut grow">{hit.title}</span>
                <span class="soft cut">{hit.note}</span>
              </div>
            </div>
          ))}
        </div>
        <p class="hint">
          <kbd>↑</kbd> <kbd>↓</kbd> move · <kbd>Enter</kbd> opens · <kbd>Escape</kbd> closes
        </p>
      </div>
    </Dialog>
  );
}

async function find({ api, clock }: AccountModel, search: string): Promise<Hit[]> {
  const ago = (at: string) => relativeWords(Date.parse(at), clock.second.peek() ?? 0);
  const isShort = search.length < leastOfId;
  const query = { search, limit: isShort ? 4 * limit : limit, order: 'desc' as const };
  const shows = (words: string) => words.toLowerCase().includes(search.toLowerCase());
  const both = { ...query, direction: 'inbound,outbound' };
  /** The hits of one kind: each with its title, a note, and its address after the address of the list. */
  const of = async <T,>(
    group: string,
    icon: IconName,
    [place, ...path]: readonly [string, ...string[]],
    call: Promise<{ readonly items: readonly T[] }>,
    shown: (row: T) => readonly [title: string, note: string, id: string],
  ): Promise<Hit[]> => {
    const { items } = await call.catch(() => ({ items: [] }));
    const hits = items
      .map((row) => {
        const [title, note, id] = shown(row);
        return { group, icon, title, note, href: here(place, [...path, id]) };
      })
      .filter(({ title, note }) => !isShort || shows(`${title} ${note}`))
      .slice(0, limit);
    const all = { group, icon, title: `All ${group.toLowerCase()} with “${search}”`, note: '' };
    return hits.length < limit ? hits : [...hits, { ...all, href: here(place, path, { q: search }) }];
  };
  const found = await Promise.all([
    of('Customers', 'person', ['conversations'], api.get('/_sandbox/customers', { query }), (row) => [
      row.profile_name ?? row.phone,
      row.profile_name === null ? '' : row.phone,
      row.phone,
    ]),
    of('Messages', 'mail', ['messages'], api.get('/_sandbox/messages', { query: both }), (row) => [
      row.text ?? titleOf(row),
      `${row.status} · ${row.direction === 'inbound' ? row.from : row.to} · ${ago(row.created_at)}`,
      row.message_id,
    ]),
    of('Codes', 'key', ['messages', 'codes'], api.get('/_sandbox/otps', { query }), (row) => [
      `${row.code} to ${row.to}`,
      row.state,
      row.otp_id,
    ]),
    of('Templates', 'template', ['templates'], api.get('/_sandbox/templates', { query }), (row) => [
      row.name,
      `${row.language} · ${row.status}`,
      row.id,
    ]),
    of('Endpoints', 'webhook', ['webhooks', 'endpoints'], api.get('/_sandbox/webhooks', { query }), (row) => [
      row.url,
      row.status,
      row.id,
    ]),
    of('Deliveries', 'webhook', ['webhooks', 'deliveries'], api.get('/_sandbox/deliveries', { query }), (row) => {
      const { words, status } = subjectOf(row);
      const title = [row.event_type, status, words].filter(Boolean).join(' ');
      return [title, `${row.state} · ${shortUrl(row.url)} · ${ago(row.created_at)}`, row.id];
    }),
    of('Requests', 'requests', ['requests'], api.get('/_sandbox/requests', { query }), (row) => [
      `${row.method} ${row.path}`,
      `${row.status ?? 'no response'} · ${ago(row.at)}`,
      row.id,
    ]),
  ]);
  return found.flat();
}
