/** A menu that saves lists as JSON or CSV, and the account's history as an archive or a scenario. */
import { act, download, model, type PageOf, toast } from '../core/index.js';
import { Icon } from './icon.js';
import { Menu, MenuItem } from './menu.js';

interface PageQuery {
  readonly query: { readonly limit: number; readonly after?: number };
}

export interface ExportedList {
  /** The label in the menu, such as "Deliveries". */
  readonly title: string;
  /** The file's name without its extension. */
  readonly file: string;
  /** Reads the page after a cursor. */
  readonly page: (query: PageQuery) => Promise<PageOf<object>>;
  /** Filters the whole list as the view does. */
  readonly choose?: (records: readonly object[]) => readonly object[];
}

const recordings = [
  ['har', 'HTTP Archive (HAR)', 'recorded.har'],
  ['scenario', 'Scenario (YAML)', 'recorded.yaml'],
] as const;

interface Props {
  readonly lists: readonly ExportedList[];
  /** Whether to offer recordings of the account too. */
  readonly history?: boolean;
  /** Whether the button is an icon. */
  readonly small?: boolean;
}

export function ExportMenu({ lists, history = false, small = false }: Props) {
  return (
    <Menu
      label="Export"
      named={!small}
      class={small ? 'icon-button' : 'button quiet small'}
      button={
        small ? (
          <Icon name="download" />
        ) : (
          <>
            Export <Icon name="down" size={14} />
          </>
        )
      }
    >
      {lists.map((list) =>
        (['json', 'csv'] as const).map((format) => (
          <MenuItem key={`${list.file}.${format}`} icon="download" onClick={() => void saveList(list, format)}>
            {list.title} ({format.toUpperCase()})
          </MenuItem>
        )),
      )}
      {history && (
        <>
          <p class="menu-note faint">The history of this account:</p>
          {recordings.map(([format, words, file]) => (
            <MenuItem key={format} icon="download" onClick={() => void saveRecording(format, file)}>
              {words}
            </MenuItem>
          ))}
        </>
      )}
    </Menu>
  );
}

async function saveList({ page, choose, file }: ExportedList, format: 'json' | 'csv'): Promise<void> {
  const { csvOf, readWhole } = await import('../core/export.js');
  const all = await act(readWhole(page));
  if (all === null) return;
  const records = choose?.(all) ?? all;
  if (records.length === 0) {
    toast('bad', 'Nothing to export: the list is empty.');
    return;
  }
  if (format === 'json') download(`${file}.json`, `${JSON.stringify(records, null, 2)}\n`, 'application/json');
  else download(`${file}.csv`, csvOf(records), 'text/csv');
}

async function saveRecording(format: (typeof recordings)[number][0], file: string): Promise<void> {
  const recorded = await act<unknown>(model.value.api.get('/_sandbox/record', { query: { format } }));
  if (recorded === null) return;
  const text = typeof recorded === 'string' ? recorded : `${JSON.stringify(recorded, null, 2)}\n`;
  download(file, text, 'text/plain');
}
