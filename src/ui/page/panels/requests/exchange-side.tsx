/** One half of an exchange: headers and body, as they went over the wire. Everything in it is text to the browser. */
import type { ComponentChildren } from 'preact';
import { BytesView } from '../../parts/bytes-view.js';
import { CopyButton } from '../../parts/copy-button.js';
import { JsonView } from '../../parts/json-view.js';

interface Props {
  readonly title: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** As JSON would say it. */
  readonly text: string | null;
  /** The same, parsed. */
  readonly value: unknown;
  readonly raw: boolean;
  /** In place of a body that is not there. */
  readonly missing?: ComponentChildren;
  /** There was more of the body. */
  readonly cut?: boolean;
}

export function ExchangeSide({ title, headers, text, value, raw, missing, cut = false }: Props) {
  const entries = Object.entries(headers).flatMap(([name, content]) =>
    [content].flat().map((each) => [name, each] as const),
  );
  const noun = title.toLowerCase();
  return (
    <section class="card exchange" aria-label={title}>
      <h3>{title}</h3>
      <details class="headers" open>
        <summary>
          {entries.length} {entries.length === 1 ? 'header' : 'headers'}
        </summary>
        <dl class="pairs mono">
          {entries.map(([name, content], at) => (
            <div key={at} class="header-line">
              <dt>{name}</dt>
              <dd dir="auto">{content}</dd>
            </div>
          ))}
        </dl>
      </details>
      {text === null ? (
        <p class="faint">{missing ?? 'No body.'}</p>
      ) : raw || typeof value !== 'object' || value === null ? (
        <BytesView text={text} label={`${noun} body`} />
      ) : (
        <div class="pretty">
          <span class="pretty-copy">
            <CopyButton text={JSON.stringify(value, null, 2)} label={`${noun} body`} />
          </span>
          <JsonView value={value} open={3} />
        </div>
      )}
      {cut && <p class="faint">There was more; the journal keeps this beginning.</p>}
    </section>
  );
}
