/** The list of keyboard shortcuts, and the switch for those without a modifier. */
import { shownPanels } from '../panels/registry.js';
import { Check, Dialog, Pair } from '../parts/index.js';
import { singleKeys } from './overlays.js';
import './search.css';

interface Key {
  readonly keys: readonly string[];
  readonly does: string;
  /** A single-key shortcut, which can be switched off. */
  readonly single?: boolean;
}

const keys: readonly Key[] = [
  { keys: ['Ctrl K'], does: 'Search records and actions' },
  { keys: ['/'], does: 'Search', single: true },
  { keys: ['Tab'], does: 'Enter or leave a list' },
  { keys: ['↓', '↑'], does: 'Move to the next or previous row of a list' },
  { keys: ['j', 'k'], does: 'The same, from anywhere in the panel', single: true },
  { keys: ['Enter'], does: 'Open the row' },
  { keys: ['Escape'], does: 'Close, or go back to the list' },
  ...shownPanels
    .slice(0, 9)
    .map(({ title }, index) => ({ keys: [String(index + 1)], does: `Go to ${title}`, single: true })),
  { keys: ['?'], does: 'Show this list', single: true },
];

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="key-map grid gap-40">
        {keys.map(({ keys: names, does, single = false }) => (
          <div key={does} class={single && !singleKeys.value ? 'faint' : ''}>
            <Pair
              name={names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            >
              {does}
              {single && !singleKeys.value && ' (off)'}
            </Pair>
          </div>
        ))}
      </dl>
      <fieldset class="choice">
        <Check checked={singleKeys.value} onCheck={(on) => (singleKeys.value = on)}>
          Single-key shortcuts
        </Check>
      </fieldset>
      <p class="hint">Switch them off if you use speech input. The search (Ctrl+K) has “Show the keys”.</p>
    </Dialog>
  );
}
