/** One message as shown on a phone: text or card, time, status, buttons and actions. */
import { useId } from 'preact/hooks';
import { act, clockWords, type HandsetMessage, type Message, model } from '../../core/index.js';
import { CopyButton, Icon, Ticks } from '../../parts/index.js';
import { buttonsOf, fileName, type ShownButton } from './actions.js';
import { BubbleMenu } from './bubble-menu.js';

interface Props {
  readonly message: HandsetMessage;
  /** Whether the previous message has the same sender and day: the bubble is then closer and has no tail. */
  readonly follows: boolean;
  readonly marked: boolean;
  readonly onReply: () => void;
}

export function Bubble({ message, follows, marked, onReply }: Props) {
  const { direction, type, text, media_url: url, created_at: at } = message;
  const own = direction === 'inbound';
  const heading = !own && message.template ? message.template.name : null;
  const body = !own && message.interactive ? message.interactive.body : null;
  const words = body ?? text;
  const tapped = own && message.interactive !== undefined;
  return (
    <article
      class={`bubble-line grid ${own ? 'own' : 'theirs'}${follows ? ' follows' : ''}${marked ? ' marked' : ''}`}
      aria-label={own ? 'From the customer' : 'From the account'}
    >
      <div class="bubble-stack grid">
        <div class="bubble relative">
          {heading !== null && (
            <p class="bubble-heading accent-ink gap-30 strong line tiny-text breaks">
              <Icon name="template" size={13} /> {heading}
            </p>
          )}
          {tapped && (
            <p class="bubble-heading accent-ink gap-30 strong line tiny-text breaks">
              <Icon name="reply" size={13} /> tapped a button
            </p>
          )}
          {url !== undefined && <MediaCard type={type} url={url} />}
          {words !== null && words !== '' && (
            <p class="bubble-text breaks" dir="auto">
              {words}
            </p>
          )}
          <p class="bubble-foot gap-30 faint line">
            <time dateTime={at} title={at}>
              {clockWords(Date.parse(at))}
            </time>
            {!own && <Ticks status={message.status} />}
          </p>
          <BubbleMenu message={message} onReply={onReply} />
        </div>
        {!own && <Buttons message={message} />}
      </div>
      {!own && message.error && <Failure message={message} />}
    </article>
  );
}

/** A card in place of media: neither the sandbox nor the page downloads it. */
function MediaCard({ type, url }: { type: string; url: string }) {
  const safe = /^https?:/i.test(url);
  const inside = (
    <>
      <span class="media-icon">
        <Icon name={type === 'image' ? 'image' : 'file'} size={type === 'image' ? 34 : 22} />
      </span>
      <span class="media-words grid shrinks">
        <span class="media-name cut">{fileName(url)}</span>
        <span class="media-host tiny-text">{URL.canParse(url) ? new URL(url).host : type}</span>
      </span>
    </>
  );
  const className = `media ${type}`;
  if (!safe) return <span class={className}>{inside}</span>;
  return (
    <a class={className} href={url} target="_blank" rel="noreferrer noopener" title={url}>
      {inside}
    </a>
  );
}

function Buttons({ message }: { message: Message }) {
  const buttons = buttonsOf(message);
  if (buttons.length === 0) return null;
  const tap = ({ id, title }: ShownButton) =>
    act(
      model.value.api.post('/_sandbox/inbound', {
        body: { from: message.to, type: 'interactive', interactive: { id, title } },
      }),
    );
  return (
    <div class="bubble-buttons grid">
      {buttons.map((button) => {
        const { id, title, kind, target } = button;
        if (kind === 'tap') {
          return (
            <button
              key={id}
              type="button"
              class="bubble-button pointer accent-ink curved-10 gap-40 line breaks"
              onClick={() => void tap(button)}
            >
              <Icon name="reply" size={14} /> {title}
            </button>
          );
        }
        return (
          <span
            key={id}
            class="bubble-button pointer accent-ink curved-10 gap-40 line breaks still"
            title={target ?? kind}
          >
            <Icon name={kind === 'url' ? 'link' : kind === 'copy_code' ? 'copy' : 'person'} size={14} /> {title}
            {kind === 'copy_code' && target !== null && <CopyButton text={target} label="code" />}
          </span>
        );
      })}
    </div>
  );
}

/** Explains a failure: the code, and on hover and focus the reason and what decided it. */
function Failure({ message: { error, explain } }: { message: Message }) {
  const id = useId();
  if (!error) return null;
  return (
    <div class="failure relative">
      <button type="button" class="failure-name toned bad gap-35 strong round line tiny-text" aria-describedby={id}>
        <Icon name="alert" size={14} /> {error.code}
        {error.channel_code !== null && <span class="faint"> {error.channel_code}</span>}
      </button>
      <div role="tooltip" id={id} class="tip boxed high curved-10 absolute raised small-text">
        <p>{error.message}</p>
        <p class="faint">{explain.text}</p>
      </div>
    </div>
  );
}
