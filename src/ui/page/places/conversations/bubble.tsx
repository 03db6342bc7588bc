import { act, clockWords, type HandsetMessage, here, type Message, model } from '../../core/index.js';
import { CopyButton, Icon } from '../../parts/index.js';
import { fileName } from '../messages/words.js';
import { ReportMenu } from './report-menu.js';
import { Ticks } from './ticks.js';

export interface BubbleProps {
  readonly message: HandsetMessage;
  /** True if the previous message has the same sender and day: the bubble is then closer. */
  readonly follows: boolean;
  readonly marked: boolean;
}

export function Bubble({ message, follows, marked }: BubbleProps) {
  const { direction, type, text, media_url: url, created_at: at, message_id: id } = message;
  const own = direction === 'inbound';
  const heading = own ? (message.interactive ? 'tapped a button' : null) : (message.template?.name ?? null);
  const words = (!own && message.interactive?.body) || text;
  return (
    <article
      class={`bubble-line ${own ? 'own' : 'theirs'}${follows ? ' follows' : ''}`}
      aria-label={own ? 'From the customer' : 'From the business'}
      data-marked={marked ? '' : undefined}
    >
      <div class="bubble">
        {heading !== null && <p class="heading">{heading}</p>}
        {url !== undefined && <MediaCard type={type} url={url} />}
        {words !== null && words !== '' && <p dir="auto">{words}</p>}
        <p class="row foot">
          <a href={here('messages', [id])} title="What happened to this message">
            <time dateTime={at}>{clockWords(Date.parse(at))}</time>
          </a>
          {!own && <Ticks status={message.status} />}
        </p>
      </div>
      <ReportMenu message={message} small />
      {!own && <Buttons message={message} />}
      {!own && message.error && <Failure message={message} />}
    </article>
  );
}

/** A card in place of media: neither the sandbox nor the page downloads it. */
function MediaCard({ type, url }: { type: string; url: string }) {
  const inside = (
    <>
      <Icon name={type === 'image' ? 'image' : 'file'} size={22} />
      <span class="grow">
        <span class="cut name">{fileName(url)}</span>
        <span class="cut soft host">{URL.canParse(url) ? new URL(url).host : type}</span>
      </span>
    </>
  );
  if (!/^https?:/i.test(url)) return <span class="row media">{inside}</span>;
  return (
    <a class="row media" href={url} target="_blank" rel="noreferrer noopener" title={url}>
      {inside}
    </a>
  );
}

const drawings = { tap: 'reply', url: 'link', copy_code: 'copy', phone_number: 'person' } as const;

export function ButtonDrawing({ kind }: Pick<ShownButton, 'kind'>) {
  return <Icon name={drawings[kind]} size={14} />;
}

function Buttons({ message }: { message: Message }) {
  const buttons = buttonsOf(message);
  if (buttons.length === 0) return null;
  const tap = ({ id, title }: ShownButton) => {
    const body = { from: message.to, type: 'interactive' as const, interactive: { id, title } };
    return act(model.value.api.post('/_sandbox/inbound', { body }));
  };
  return (
    <div class="row bubble-buttons">
      {buttons.map((button) => {
        const { id, title, kind, target } = button;
        return kind === 'tap' ? (
          <button key={id} type="button" class="button low" onClick={() => void tap(button)}>
            <ButtonDrawing kind={kind} /> {title}
          </button>
        ) : (
          <span key={id} class="button low still" title={target ?? kind}>
            <ButtonDrawing kind={kind} /> {title}
            {kind === 'copy_code' && target !== null && <CopyButton text={target} label="code" />}
          </span>
        );
      })}
    </div>
  );
}

function Failure({ message: { error, explain } }: { message: Message }) {
  if (!error) return null;
  return (
    <details class="failure">
      <summary>
        <span class="pill bad">
          {error.code}
          {error.channel_code !== null && ` ${error.channel_code}`}
        </span>
      </summary>
      <p>{error.message}</p>
      <p class="soft">{explain.text}</p>
    </details>
  );
}

export interface ShownButton {
  readonly id: string;
  readonly title: string;
  /** `tap`: a quick reply. The other kinds only show what would happen on a phone. */
  readonly kind: 'tap' | 'url' | 'phone_number' | 'copy_code';
  /** The target of a `url`, `phone_number` or `copy_code` button, as submitted. */
  readonly target: string | null;
}

export function buttonsOf(message: Message): ShownButton[] {
  const own = message.interactive?.buttons ?? [];
  if (own.length > 0) return own.map(({ id, title }) => ({ id, title, kind: 'tap', target: null }));
  return templateButtons(message.template?.buttons ?? []);
}

/** Returns the buttons of a template as submitted, without types that phones do not show. */
export function templateButtons(buttons: readonly Readonly<Record<string, unknown>>[]): ShownButton[] {
  return buttons.flatMap((button): ShownButton[] => {
    const { type, text } = button;
    if (typeof text !== 'string') return [];
    if (type === 'quick_reply') return [{ id: text, title: text, kind: 'tap', target: null }];
    if (type !== 'url' && type !== 'phone_number' && type !== 'copy_code') return [];
    const target = button[type] ?? button['example'] ?? button['code'];
    return [{ id: text, title: text, kind: type, target: typeof target === 'string' ? target : null }];
  });
}
