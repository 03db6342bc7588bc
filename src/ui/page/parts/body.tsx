/** Bodies and headers of HTTP, as transmitted. The browser treats everything in them as text. */
import type { ComponentChildren } from 'preact';
import { counted, parsed } from '../core/index.js';
import { CopyButton } from './button.js';

/** The texts of JSON, the names of fields with their colon. */
const texts = /("(?:\\.|[^"\\])*"(?:\s*:)?)/;

function Json({ text }: { text: string }) {
  return text.split(texts).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={at} class={part.endsWith(':') ? 'name' : 'string'}>
        {part}
      </span>
    ),
  );
}

interface BodyProps {
  /** Null if there is none; default: what `value` is as text. */
  readonly text?: string | null;
  /** The parsed body; default: what `text` is as JSON. */
  readonly value?: unknown;
  readonly label: string;
  readonly missing?: string;
  readonly cut?: boolean;
}

export function Body({ label, missing = 'No body.', cut = false, ...body }: BodyProps) {
  const value = 'value' in body ? body.value : parsed(body.text);
  const json = typeof value === 'object' && value !== null;
  const text = json ? JSON.stringify(value, null, 2) : 'text' in body ? body.text : (value as string | null);
  if (!text) return <p class="soft small">{missing}</p>;
  return (
    <>
      <Code text={text} label={label}>
        {json ? <Json text={text} /> : text}
      </Code>
      {cut && <p class="hint">Only the beginning was kept.</p>}
    </>
  );
}

export function Code({ text, label, children = text }: { text: string; label: string; children?: ComponentChildren }) {
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={label}>
        {children}
      </pre>
      <CopyButton kind="low" text={text} label={label} />
    </div>
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
