import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ApiError, type Explain, here, type Noun, useRead } from '../core/index.js';
import { Code } from './body.js';
import { BackLink, Button, CopyButton, HelpLink } from './button.js';
import { Icon, type IconName } from './icon.js';
import type { Tone } from './state.js';

interface ReadProps<T> {
  readonly one: string;
  readonly id: string;
  readonly back: string;
  /** @returns null if the account has none with this id */
  readonly read: () => Promise<T | null>;
  readonly nouns: readonly Noun[];
  readonly children: (record: T) => ComponentChildren;
}

/** Reads one record, and again when it changes. Without it, says so. */
export function Item<T>({ one, id, back, read, nouns, children }: ReadProps<T>) {
  const { value: record, error, retry } = useRead(`${one} ${id}`, read, nouns);
  if (record === undefined) return error ? <ReadFailed what={`This ${one}`} {...{ error, retry }} /> : <Loading />;
  if (record !== null) return <>{children(record)}</>;
  return (
    <Empty title={`This ${one} does not exist`}>
      <p>
        The account has none with the id {id}. It was removed or reset, or it belongs to another account.{' '}
        <a href={back}>Back to the list</a>
      </p>
    </Empty>
  );
}

type Pair = readonly [name: string, value: ComponentChildren] | null | undefined | false;

interface DetailProps {
  readonly title: ComponentChildren;
  /** Its name for screen readers; default: the title. */
  readonly label?: string;
  readonly back?: string;
  readonly tone: Tone;
  /** The state, then what a user asks next; empty while the response is pending. */
  readonly words: readonly ComponentChildren[];
  readonly actions?: ComponentChildren;
  readonly explain?: Explain | undefined;
  /** Shown between the line of the state and the reason for it. */
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly ids?: readonly Pair[];
}

/** Gives the heading of what was opened the focus, so that the keyboard goes where the eye goes. */
export function useArrival() {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return heading;
}

export function Detail({ title, label, back, tone, words, actions, explain, lead, children, ids }: DetailProps) {
  const heading = useArrival();
  return (
    <article class="detail" aria-label={label ?? (title as string)}>
      <header>
        <div class="titles">
          <h2 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h2>
          {back !== undefined && <BackLink href={back} label="Back to the list" />}
        </div>
        {words.length > 0 && (
          <div class={`row answer ${tone}`} role="status">
            <p class="words">
              <span class={`lamp ${tone}`} aria-hidden="true" />
              {words.filter(Boolean).map((each, at) => (
                <span key={at} class={at === 0 ? 'strong' : ''}>
                  {at > 0 && ' '}
                  {each}
                </span>
              ))}
            </p>
            {actions !== undefined && <div class="row">{actions}</div>}
          </div>
        )}
      </header>
      {lead}
      <Why explain={explain} />
      {children}
      {ids && (
        <details class="more">
          <summary>Ids and links</summary>
          <Pairs of={ids} />
        </details>
      )}
    </article>
  );
}

interface CardProps {
  readonly title: string;
  /** Its name for screen readers; default: the title. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

export function Card({ title, label = title, children }: CardProps) {
  return (
    <section class="card" aria-label={label}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Names and values; entries without a value are left out. */
export function Pairs({ of }: { of: readonly Pair[] }) {
  const given = of.filter((pair) => pair && pair[1] !== null && pair[1] !== undefined) as [string, ComponentChildren][];
  return (
    <dl class="pairs">
      {given.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** An entry with a value that can be copied, such as an id; nothing without one. */
export function idPair(name: string, id: string | null | undefined): Pair {
  if (id === null || id === undefined) return null;
  return [
    name,
    <>
      <span class="mono">{id}</span> <CopyButton text={id} label={name.toLowerCase()} />
    </>,
  ];
}

/** The cause of an outcome: a header, a rule, a magic number. Nothing for the default, which needs no words. */
function Why({ explain }: { explain: Explain | undefined }) {
  if (!explain || (explain.by === 'default' && !/^(A command moved|Redelivered|The timeline moved)/.test(explain.text)))
    return null;
  const { by, id = '', file, line, text } = explain;
  // The sandbox begins with the name of the rule.
  const ofRule = `Rule ${id} `;
  const isNamed = by === 'rule' && text.startsWith(ofRule);
  return (
    <div class="notice" role="group" aria-label="Why">
      <Icon name="bolt" size={16} />
      <div>
        <p>
          {by === 'magic' && <span class="strong">Magic {/^magic-\d/.test(id) ? 'number' : 'name'}: </span>}
          {by === 'rule' && (
            <>
              <span class="strong">Rule</span> <a href={here('scenario', [], { rule: id })}>{id}</a>
              {isNamed ? ' ' : ': '}
            </>
          )}
          {isNamed ? text.slice(ofRule.length) : text}{' '}
          {by === 'magic' && <HelpLink page="failures.md#magic-numbers">More about magic numbers and names</HelpLink>}
        </p>
        {file !== undefined && file !== 'request body' && (
          <p class="mono">{line === undefined ? file : `${file}:${line}`}</p>
        )}
      </div>
    </div>
  );
}

interface NoticeProps {
  readonly tone?: 'bad' | 'warn' | 'wait' | 'good';
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}

export function Notice({ tone = 'wait', icon = 'alert', children }: NoticeProps) {
  return (
    <div class={`notice ${tone}`}>
      <Icon name={icon} size={16} />
      <div>{children}</div>
    </div>
  );
}

export function Loading() {
  return <p class="loading">Loading …</p>;
}

interface FailedProps {
  /** The unreadable part, at the start of a sentence. */
  readonly what: string;
  readonly error: ApiError;
  readonly retry?: (() => void) | undefined;
}

/** In place of what could not be read, or above what was read before. */
export function ReadFailed({ what, error, retry }: FailedProps) {
  return (
    <div class="failed-read" role="alert">
      <Notice tone="bad">
        <p>
          <span class="strong">{what} could not be read.</span> {error.words.join(' ')}
        </p>
        {retry && (
          <p>
            <Button kind="low" icon="restart" onClick={retry} words="Try again" />
          </p>
        )}
      </Notice>
    </div>
  );
}

type EmptyProps = Pick<CardProps, 'title' | 'children'> & { readonly command?: string | undefined };

export function Empty({ title, children, command }: EmptyProps) {
  return (
    <div class="stack empty">
      <h2>{title}</h2>
      {children}
      {command !== undefined && <Code text={command} label="command" />}
    </div>
  );
}
