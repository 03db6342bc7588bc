/** Bodies and headers of HTTP, as transmitted. The browser treats everything in them as text. */
import { counted, parsed } from '../core/index.js';
import { CopyButton } from './button.js';

interface JsonProps {
  readonly value: unknown;
  readonly name?: string;
  /** Number of levels that are open at first. */
  readonly depth: number;
  readonly last: boolean;
}

/** A value as JSON that can be folded. */
function Json({ value, name, depth, last }: JsonProps) {
  const label = name === undefined ? null : <span class="name">{JSON.stringify(name)}: </span>;
  const comma = last ? '' : ',';
  const entries: [string, unknown][] = Object.entries(Object(value) as object);
  if (typeof value !== 'object' || entries.length === 0) {
    return (
      <div>
        {label}
        <span class={value === null ? 'null' : typeof value}>{JSON.stringify(value)}</span>
        {comma}
      </div>
    );
  }
  const list = Array.isArray(value);
  return (
    <details open={depth > 0}>
      <summary>
        {label}
        {list ? '[' : '{'} <span class="soft">{counted(entries.length, list ? 'item' : 'key')}</span>
      </summary>
      <div class="inside">
        {entries.map(([key, each], at) => (
          <Json
            key={key}
            value={each}
            {...(!list && { name: key })}
            depth={depth - 1}
            last={at === entries.length - 1}
          />
        ))}
      </div>
      {list ? ']' : '}'}
      {comma}
    </details>
  );
}

interface BodyProps {
  /** Null if there is none; default: what `value` is as text. */
  readonly text?: string | null;
  /** The parsed body, shown as a tree; default: what `text` is as JSON. */
  readonly value?: unknown;
  /** A description, such as "request body". */
  readonly label: string;
  /** Shown instead of a missing body. */
  readonly missing?: string;
  /** Whether only the beginning of the body was kept. */
  readonly cut?: boolean;
}

export function Body({ label, missing = 'No body.', cut = false, ...body }: BodyProps) {
  const value = 'value' in body ? body.value : parsed(body.text);
  const text = 'text' in body ? body.text : typeof value === 'string' ? value : JSON.stringify(value ?? undefined);
  if (!text) return <p class="soft small">{missing}</p>;
  const tree = typeof value === 'object' && value !== null;
  return (
    <>
      <div class="code">
        {tree ? (
          <div class="json" tabIndex={0} role="group" aria-label={label}>
            <Json value={value} depth={4} last />
          </div>
        ) : (
          <pre tabIndex={0} role="group" aria-label={label}>
            {text}
          </pre>
        )}
        <CopyButton kind="low" text={tree ? JSON.stringify(value, null, 2) : text} label={label} />
      </div>
      {cut && <p class="hint">Only the beginning was kept.</p>}
    </>
  );
}

type HeaderMap = Readonly<Record<string, string | readonly string[]>>;

export function Headers({ of, label }: { of: HeaderMap; label: string }) {
  const lines = Object.entries(of).flatMap(([name, content]) => [content].flat().map((each) => [name, each] as const));
  if (lines.length === 0) return null;
  return (
    <details class="more">
      <summary>{counted(lines.length, 'header')}</summary>
      <dl class="pairs mono">
        {lines.map(([name, content], at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd dir="auto">{content}</dd>
          </div>
        ))}
      </dl>
      <CopyButton text={lines.map((line) => line.join(': ')).join('\n')} label={label} words="Copy headers" />
    </details>
  );
}
