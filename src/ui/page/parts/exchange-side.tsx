/** One half of an HTTP exchange: headers and body, as transmitted. The browser treats everything in it as text. */
import type { ComponentChildren } from 'preact';
import { counted } from '../core/index.js';
import { CopyButton } from './copy-button.js';
import { Pair } from './explanation.js';
import { BytesView, JsonView } from './json-view.js';
import '../styles/exchange.css';

interface Props {
  readonly title: string;
  /** Shown before the headers. */
  readonly children?: ComponentChildren;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Whether the headers are open at first. */
  readonly open?: boolean;
  readonly text: string | null;
  /** The parsed body, shown as a tree. */
  readonly value?: unknown;
  /** Shown instead of a missing body. */
  readonly missing?: ComponentChildren;
  /** Whether only the beginning of the body was kept. */
  readonly cut?: boolean;
}

/**
 * Number of characters of a body that are shown; the rest can only be copied. A fault creates bodies of two megabytes.
 */
const mostShown = 64 * 1024;

export function ExchangeSide(props: Props) {
  const { title, children, headers, open = false, text, value, missing, cut = false } = props;
  const lines = Object.entries(headers).flatMap(([name, content]) =>
    [content].flat().map((each) => [name, each] as const),
  );
  const noun = title.toLowerCase();
  return (
    <section class="card exchange stack gap-50" aria-label={title}>
      <h3>{title}</h3>
      {children}
      {lines.length > 0 && (
        <div class="headers small-text relative">
          <details open={open}>
            <summary>{counted(lines.length, 'header')}</summary>
            <dl class="pairs mono">
              {lines.map(([name, content], at) => (
                <div key={at} class="header-line">
                  <Pair name={name} dir="auto">
                    {content}
                  </Pair>
                </div>
              ))}
            </dl>
          </details>
          <CopyButton text={lines.map((line) => line.join(': ')).join('\n')} label={`${noun} headers`} />
        </div>
      )}
      {text === null ? (
        <p class="faint">{missing ?? 'No body.'}</p>
      ) : typeof value === 'object' && value !== null ? (
        <div class="pretty sunken relative">
          <span class="pretty-copy absolute">
            <CopyButton text={JSON.stringify(value, null, 2)} label={`${noun} body`} />
          </span>
          <JsonView value={value} open={3} />
        </div>
      ) : (
        <BytesView
          text={text.slice(0, mostShown)}
          label={`${text.length > mostShown ? 'beginning of the ' : ''}${noun} body`}
        />
      )}
      {text !== null && text.length > mostShown && (
        <p class="faint">
          {text.length.toLocaleString('en')} characters in all.{' '}
          <CopyButton text={text} label={`whole ${noun} body`} words />
        </p>
      )}
      {cut && <p class="faint">Only the beginning is kept.</p>}
    </section>
  );
}
