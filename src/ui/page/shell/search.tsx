/** One search for records and places, controlled by keyboard. The sandbox finds the records. */
import { useEffect, useId, useState } from 'preact/hooks';
import { type AccountModel, done, go, here, later, model, relativeWords } from '../core/index.js';
import { Dialog, Icon, type IconName } from '../parts/index.js';
import { titleOf } from '../places/messages/words.js';
import { places } from './places.js';
import { searching } from './searching.js';

interface Hit {
  readonly group: string;
  readonly title: string;
  readonly note: string;
  readonly icon: IconName;
  readonly href: string;
}

/** Number of hits shown for each kind of record, and milliseconds without a keystroke before the sandbox is asked. */
const limit = 5;
const pauseMs = 120;

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
  const words = search.toLowerCase();
  const goTo = places
    .filter(({ title }) => title.toLowerCase().startsWith(words))
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
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') run(hits[at]);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = (at + (event.key === 'ArrowDown' ? 1 : -1) + hits.length) % Math.max(1, hits.length);
      setChosen(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search" onClose={close}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-label="Search everything"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          placeholder="Number, id, text, code or template"
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
  const nowMs = clock.second.peek() ?? 0;
  const ago = (at: string) => relativeWords(Date.parse(at), nowMs);
  const query = { search, limit, order: 'desc' as const };
  const params = { query };
  const nothing = () => ({ items: [] });
  const [messages, customers, codes, templates, endpoints, deliveries, requests] = await Promise.all([
    done(api.GET('/_sandbox/messages', { params: { query: { ...query, direction: 'inbound,outbound' } } })).catch(
      nothing,
    ),
    done(api.GET('/_sandbox/customers', { params })).catch(nothing),
    done(api.GET('/_sandbox/otps', { params })).catch(nothing),
    done(api.GET('/_sandbox/templates', { params })).catch(nothing),
    done(api.GET('/_sandbox/webhooks', { params })).catch(nothing),
    done(api.GET('/_sandbox/deliveries', { params })).catch(nothing),
    done(api.GET('/_sandbox/requests', { params })).catch(nothing),
  ]);
  const of = <T,>(
    group: string,
    icon: IconName,
    items: readonly T[],
    place: string,
    all: readonly string[],
    shown: (row: T) => readonly [title: string, note: string, href: string],
  ): Hit[] => [
    ...items.map((row) => {
      const [title, note, href] = shown(row);
      return { group, title, note, icon, href };
    }),
    ...(items.length === limit
      ? [
          {
            group,
            title: `All ${group.toLowerCase()} with “${search}”`,
            note: '',
            icon,
            href: here(place, all, { q: search }),
          },
        ]
      : []),
  ];
  return [
    ...of('Messages', 'mail', messages.items, 'messages', [], (row) => [
      row.text ?? titleOf(row),
      `${row.status} · ${row.direction === 'inbound' ? row.from : row.to} · ${ago(row.created_at)}`,
      here('messages', [row.message_id], { q: search }),
    ]),
    ...of('Customers', 'person', customers.items, 'conversations', [], ({ phone, profile_name: name }) => [
      name ?? phone,
      name === null ? '' : phone,
      here('conversations', [phone]),
    ]),
    ...of('Codes', 'key', codes.items, 'messages', ['codes'], ({ otp_id: code, to, state, code: figures }) => [
      `${figures} to ${to}`,
      state,
      here('messages', ['codes', code]),
    ]),
    ...of('Templates', 'template', templates.items, 'templates', [], ({ id, name, language, status }) => [
      name,
      `${language} · ${status}`,
      here('templates', [id]),
    ]),
    ...of('Endpoints', 'webhook', endpoints.items, 'webhooks', ['endpoints'], ({ id, url, status }) => [
      url,
      status,
      here('webhooks', ['endpoints', id]),
    ]),
    ...of('Deliveries', 'webhook', deliveries.items, 'webhooks', ['deliveries'], (row) => [
      `${row.event_type} to ${row.url.replace(/^https:\/\//, '')}`,
      `${row.state} · ${ago(row.created_at)}`,
      here('webhooks', ['deliveries', row.id]),
    ]),
    ...of('Requests', 'requests', requests.items, 'requests', [], ({ id, method, path, status, at }) => [
      `${method} ${path}`,
      `${status ?? 'no response'} · ${ago(at)}`,
      here('requests', [id]),
    ]),
  ];
}
