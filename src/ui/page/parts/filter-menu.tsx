/** The filters of a list, behind one button. Active filters are shown next to it, and can be removed there. */
import { Select, TextInput, type Options } from './field.js';
import { Icon } from './icon.js';
import { Menu } from './menu.js';

interface Choice {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** Pairs of value and label; a text field has none. */
  readonly options?: Options;
  readonly placeholder?: string;
}

interface Props {
  readonly choices: readonly Choice[];
  readonly onChange: (id: string, value: string) => void;
}

export function FilterMenu({ choices, onChange }: Props) {
  const chosen = choices.filter(({ value }) => value !== '');
  return (
    <>
      <Menu
        label="Filters"
        named
        class="button small"
        button={
          <>
            Filters {chosen.length > 0 && <span class="tab-count tiny-text">{chosen.length}</span>}{' '}
            <Icon name="down" size={14} />
          </>
        }
      >
        <div class="filter-menu grid gap-50 small-text">
          {choices.map((choice) => (
            <label key={choice.id}>
              <span>{choice.label}</span>
              <ChoiceField choice={choice} onChange={(value) => onChange(choice.id, value)} />
            </label>
          ))}
        </div>
      </Menu>
      {chosen.length > 0 && (
        <ul class="wraps gap-30" aria-label="Active filters">
          {chosen.map(({ id, label, value, options }) => {
            const words = options?.find(([each]) => each === value)?.[1] ?? value;
            return (
              <li key={id}>
                <button
                  type="button"
                  class="filter-chip inline pointer accent-ink gap-35 round tiny-text breaks"
                  title={`Remove the filter ${label}: ${words}`}
                  onClick={() => onChange(id, '')}
                >
                  {label}: {words} <Icon name="close" size={12} />
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

function ChoiceField({ choice, onChange }: { choice: Choice; onChange: (value: string) => void }) {
  const { value, options, placeholder } = choice;
  if (!options) return <TextInput spellcheck={false} placeholder={placeholder} value={value} onText={onChange} />;
  const other: Options = value === '' || options.some(([id]) => id === value) ? [] : [[value, value]];
  return <Select value={value} options={[['', 'All'], ...options, ...other]} onText={onChange} />;
}

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  return (
    <label class="search-field relative faint">
      <Icon name="search" size={16} />
      <TextInput type="search" aria-label={label} placeholder={placeholder} value={value} onText={onChange} />
    </label>
  );
}
