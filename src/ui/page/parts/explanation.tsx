/** The source of a decision and its reason: a header, a rule (with a link to it), a magic number, or the default. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { exactWords, type Explain, here, model, momentWords, relativeWords } from '../core/index.js';
import { CopyButton } from './copy-button.js';
import { Icon, type IconName } from './icon.js';

const drawings: Readonly<Record<Explain['by'], IconName>> = {
  header: 'requests',
  rule: 'bolt',
  magic: 'dice',
  default: 'check',
};

const deciders: Readonly<Record<Explain['by'], string>> = {
  header: 'The call requested it',
  rule: 'A rule decided',
  magic: 'A magic number or name decided',
  default: 'The defaults decided',
};

/** The text names who changed the record; `by` still names the original plan. */
function headingOf({ by, text }: Explain): string {
  if (/^A command moved|^Redelivered by a command/.test(text)) return 'A command decided';
  if (/^The timeline moved/.test(text)) return 'The timeline decided';
  return deciders[by];
}

export function Explanation({ explain }: { explain: Explain }) {
  const { by, id, file, line, text } = explain;
  return (
    <div class={`explanation top flex gap-60 shrinks breaks by-${by}`}>
      <Icon name={drawings[by]} size={16} />
      <div>
        <p class="strong">
          {headingOf(explain)}
          {id !== undefined && (
            <>
              {': '}
              {by === 'rule' || by === 'magic' ? (
                <a href={here('scenario', by === 'magic' ? ['magic'] : [], { rule: by === 'rule' ? id : null })}>
                  {id}
                </a>
              ) : (
                <span class="mono">{id}</span>
              )}
            </>
          )}
        </p>
        <p>{text}</p>
        {file !== undefined && (
          <p class="faint mono">
            {file}
            {line !== undefined && `:${line}`}
          </p>
        )}
      </div>
    </div>
  );
}

export function Pair({ name, ...value }: ComponentProps<'dd'> & { readonly name: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd {...value} />
    </>
  );
}

/** A value such as an id, with a button that copies it. */
export function CopiedPair({ name, text, label }: { name: string; text: string; label: string }) {
  return (
    <Pair name={name}>
      <span class="mono">{text}</span> <CopyButton text={text} label={label} />
    </Pair>
  );
}

interface Props extends Omit<ComponentProps<'div'>, 'class' | 'icon'> {
  readonly tone?: 'bad' | 'warn' | 'wait';
  readonly icon: IconName;
}

export function Notice({ tone = 'wait', icon, children, ...rest }: Props) {
  return (
    <div class={`notice toned breaks ${tone}`} {...rest}>
      <Icon name={icon} size={16} />
      <div>{children}</div>
    </div>
  );
}

interface RelativeTimeProps {
  /** ISO 8601, as in the control plane. */
  readonly at: string;
  /** `relative`: "in 4 min". `time`: "09:05:07", with the date if it is on another day than the account's. */
  readonly as?: 'relative' | 'time';
}

export function RelativeTime({ at, as = 'relative' }: RelativeTimeProps) {
  const ms = Date.parse(at);
  const nowMs = model.value.clock.second.value ?? ms;
  return (
    <time dateTime={at} title={as === 'time' ? `${exactWords(ms)}, ${relativeWords(ms, nowMs)}` : exactWords(ms)}>
      {as === 'time' ? momentWords(ms, nowMs) : relativeWords(ms, nowMs)}
    </time>
  );
}

/** A section with a heading that is also its name. */
export function Card({
  title,
  children,
  class: own = '',
}: {
  title: string;
  children: ComponentChildren;
  class?: string;
}) {
  return (
    <section class={`card ${own}`} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

export function WhyCard({ explain }: { explain: Explain }) {
  return (
    <section class="card" aria-label="Why">
      <Explanation explain={explain} />
    </section>
  );
}
