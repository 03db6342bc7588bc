/** The filters of the request journal; all of them are in the address. */
import { Button, FilterMenu, SearchField } from '../../parts/index.js';
import { everything, isFiltered, operations, type Wanted } from './filter.js';

const classes = [
  ['2xx', 'Accepted (2xx)'],
  ['4xx', 'Rejected (4xx)'],
  ['5xx', 'Failed (5xx)'],
  ['none', 'No response'],
] as const;

export function Filters({ wanted, onChange }: { wanted: Wanted; onChange: (wanted: Wanted) => void }) {
  const change = (part: Partial<Wanted>) => onChange({ ...wanted, ...part });
  return (
    <div class="filters gap-50 row" role="search" aria-label="Filter the journal">
      <SearchField
        label="Search requests"
        placeholder="Any text, number or id"
        value={wanted.q}
        onChange={(q) => change({ q })}
      />
      <FilterMenu
        choices={[
          {
            id: 'operation',
            label: 'Operation',
            value: wanted.operation,
            options: [...operations, ['none', 'No operation']],
          },
          { id: 'status', label: 'Status', value: wanted.status, options: classes },
          { id: 'path', label: 'Path', value: wanted.path, placeholder: '/v1/otp/*' },
        ]}
        onChange={(id, value) => change({ [id]: value })}
      />
      {isFiltered(wanted) && (
        <Button kind="quiet small" onClick={() => onChange(everything)}>
          Reset
        </Button>
      )}
    </div>
  );
}
