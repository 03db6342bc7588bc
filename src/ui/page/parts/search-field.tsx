/** A search field for a list; its text is part of the address. */
import { Icon } from './icon.js';

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchField({ label, placeholder, value, onChange }: Props) {
  return (
    <label class="search-field faint">
      <Icon name="search" size={16} />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
