/** What of the journal is looked at. All of it stands in the address. */
import { SearchField } from '../../parts/search-field.js';
import { everything, isFiltered, operations, type Wanted } from './filter.js';

const classes = [
  ['2xx', 'Taken (2xx)'],
  ['4xx', 'Refused (4xx)'],
  ['5xx', 'Failed (5xx)'],
  ['none', 'No answer'],
] as const;

interface Props {
  readonly wanted: Wanted;
  readonly onChange: (wanted: Wanted) => void;
}

export function Filters({ wanted, onChange }: Props) {
  const change = (part: Partial<Wanted>) => onChange({ ...wanted, ...part });
  return (
    <div class="filters" role="search" aria-label="Filter the journal">
      <SearchField
        label="Search requests"
        placeholder="Any text, number or id"
        value={wanted.q}
        onChange={(q) => change({ q })}
      />
      <select
        aria-label="Operation"
        value={wanted.operation}
        onChange={(event) => change({ operation: event.currentTarget.value })}
      >
        <option value="">Every operation</option>
        {operations.map(([id, title]) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
        <option value="none">No operation</option>
      </select>
      <select
        aria-label="Status"
        value={wanted.status}
        onChange={(event) => change({ status: event.currentTarget.value })}
      >
        <option value="">Every status</option>
        {classes.map(([id, title]) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      <input
        type="text"
        class="mono"
        aria-label="Path"
        placeholder="Path, such as /v1/otp/*"
        autocomplete="off"
        spellcheck={false}
        value={wanted.path}
        onInput={(event) => change({ path: event.currentTarget.value })}
      />
      {isFiltered(wanted) && (
        <button type="button" class="button quiet small" onClick={() => onChange(everything)}>
          Reset
        </button>
      )}
    </div>
  );
}
