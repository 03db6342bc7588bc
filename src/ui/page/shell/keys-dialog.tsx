/** The map of keys. */
import { Dialog } from '../parts/dialog.js';
import { panels } from '../panels/registry.js';
import './search.css';

const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['Ctrl K', '/'], 'Search records and actions'],
  [['j', 'k'], 'Move to the next or previous row of a list'],
  [['Enter'], 'Open the row'],
  [['Escape'], 'Close, or go back to the list'],
  ...panels.map(({ title }, index) => [[String(index + 1)], `Go to ${title}`] as const),
  [['?'], 'Show this list'],
];

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="key-map">
        {keys.map(([names, does]) => (
          <div key={does}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
