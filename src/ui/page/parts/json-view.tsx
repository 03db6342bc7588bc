/** A value as JSON that can be folded. The browser treats everything in it as text. */
import { useState } from 'preact/hooks';
import { counted } from '../core/index.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';

/** Number of entries of an object or list that are shown before the user asks for the rest. */
const firstEntries = 100;

interface Props {
  readonly value: unknown;
  readonly name?: string;
  /** Number of levels that are open at first. */
  readonly open?: number;
}

export function JsonView({ value, name, open = 2 }: Props) {
  return (
    <div class="json breaks">
      <Node value={value} name={name} open={open} last />
    </div>
  );
}

function Node({ value, name, open, last }: { value: unknown; name: string | undefined; open: number; last: boolean }) {
  const [shown, setShown] = useState(firstEntries);
  const label = name === undefined ? null : <span class="json-name accent-ink">{JSON.stringify(name)}: </span>;
  const comma = last ? '' : ',';
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="json-line">
        {label}
        <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
        {comma}
      </div>
    );
  }
  const list = Array.isArray(value);
  const entries: [string, unknown][] = Object.entries(value);
  const [before, after] = list ? '[]' : '{}';
  if (entries.length === 0) {
    return (
      <div class="json-line">
        {label}
        {before}
        {after}
        {comma}
      </div>
    );
  }
  return (
    <details class="json-node" open={open > 0}>
      <summary>
        {label}
        {before}
        <span class="json-count faint">
          {entries.length} {list ? 'items' : 'keys'}
        </span>
      </summary>
      <div class="json-inside">
        {entries.slice(0, shown).map(([key, each], at) => (
          <Node key={key} value={each} name={list ? undefined : key} open={open - 1} last={at === entries.length - 1} />
        ))}
        {entries.length > shown && (
          <Button kind="quiet small" onClick={() => setShown(entries.length)}>
            {entries.length - shown} more
          </Button>
        )}
      </div>
      <div class="json-line">
        {after}
        {comma}
      </div>
    </details>
  );
}

interface BytesViewProps {
  readonly text: string | null;
  /** A description, such as "request body". */
  readonly label: string;
}

export function BytesView({ text, label }: BytesViewProps) {
  if (text === null || text === '') return <p class="faint">No body.</p>;
  const bytes = new TextEncoder().encode(text).length;
  return (
    <figure class="bytes sunken">
      <figcaption>
        {counted(bytes, 'byte')}
        <CopyButton text={text} label={label} />
      </figcaption>
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </figure>
  );
}
