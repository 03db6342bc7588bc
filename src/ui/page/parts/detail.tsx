/** What is opened from a list: a title, one line that answers, then the rest. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { type Explain, exactWords, here, model, momentWords, relativeWords } from '../core/index.js';
import { Command } from './body.js';
import { BackLink, CopyButton } from './button.js';
import { Icon, type IconName } from './icon.js';
import { useArrival } from './split.js';
import type { Tone } from './state.js';

interface Props {
  readonly title: ComponentChildren;
  readonly label: string;
  readonly back: string;
  /** Less usual actions, beside the title. */
  readonly actions?: ComponentChildren;
  readonly answer?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Detail({ title, label, back, actions, answer, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useArrival(heading);
  return (
    <article class="detail" aria-label={label}>
      <header>
        <div class="titles">
          <h2 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h2>
          {actions}
          <BackLink href={back} label="Back to the list" />
        </div>
        {answer}
      </header>
      {children}
    </article>
  );
}

interface AnswerProps {
  readonly tone: Tone;
  /** The state, then what one wants to know next. */
  readonly words: readonly ComponentChildren[];
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** One line: what became of it. */
export function Answer({ tone, words, children }: AnswerProps) {
  const [first, ...rest] = words.filter((each) => each !== null && each !== undefined && each !== '');
  return (
    <div class={`answer ${tone}`} role="status">
      <span class={`lamp ${tone}`} aria-hidden="true" />
      <p class="words">
        <span class="strong">{first}</span>
        {rest.map((each, at) => (
          <span key={at}>{each}</span>
        ))}
      </p>
      {children}
    </div>
  );
}

export function Card({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Something that few need: closed at first. */
export function More({ title, children, open }: { title: string; children: ComponentChildren; open?: boolean }) {
  return (
    <details class="more" open={open}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** Names and values; entries without a value are left out. */
export function Pairs({ of }: { of: readonly (readonly [string, ComponentChildren] | null)[] }) {
  return (
    <dl class="pairs">
      {of.map((pair) =>
        pair === null || pair[1] === null || pair[1] === undefined ? null : (
          <Pair key={pair[0]} name={pair[0]}>
            {pair[1]}
          </Pair>
        ),
      )}
    </dl>
  );
}

function Pair({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A value such as an id, with a button that copies it. */
export function Copied({ text, label }: { text: string; label: string }) {
  return (
    <>
      <span class="mono">{text}</span> <CopyButton text={text} label={label} />
    </>
  );
}

const deciders: Readonly<Record<Explain['by'], string>> = {
  header: 'The call asked for it',
  rule: 'Rule',
  magic: 'Magic',
  default: 'The defaults',
};

/** What decided an outcome: a header, a rule, a magic number. Nothing if it was the default, which needs no words. */
export function Why({ explain }: { explain: Explain | undefined }) {
  if (!explain || (explain.by === 'default' && !/^(A command moved|Redelivered|The timeline moved)/.test(explain.text)))
    return null;
  const { by, id, file, line, text } = explain;
  return (
    <div class="notice" role="group" aria-label="Why">
      <Icon name="bolt" size={16} />
      <div>
        <p>
          {by !== 'default' && <span class="strong">{deciders[by]} </span>}
          {id !== undefined && (
            <>
              {by === 'rule' || by === 'magic' ? (
                <a href={here('scenario', by === 'magic' ? ['magic'] : [], { rule: by === 'rule' ? id : null })}>
                  {id}
                </a>
              ) : (
                id
              )}
              {': '}
            </>
          )}
          {text}
        </p>
        {file !== undefined && (
          <p class="mono">
            {file}
            {line !== undefined && `:${line}`}
          </p>
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

interface TimeProps {
  /** ISO 8601, as in the control plane. */
  readonly at: string;
  /** `relative`: "in 4 min". `time`: "09:05:07", with the date if it is on another day than the account's. */
  readonly as?: 'relative' | 'time';
}

/** An instant of the account's time. */
export function Time({ at, as = 'time' }: TimeProps) {
  const ms = Date.parse(at);
  const nowMs = (as === 'time' ? model.value.clock.day : model.value.clock.second).value ?? ms;
  return (
    <time dateTime={at} title={exactWords(ms)}>
      {as === 'time' ? momentWords(ms, nowMs) : relativeWords(ms, nowMs)}
    </time>
  );
}

export function Loading() {
  return <p class="loading">Loading …</p>;
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** A command that fills the list. */
  readonly command?: string;
}

/** An empty list: why it is empty, and what fills it. */
export function Empty({ title, children, command }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {command !== undefined && <Command text={command} />}
    </div>
  );
}
