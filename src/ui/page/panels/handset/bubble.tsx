/** One message as shown on a phone: text or card, time, status, buttons and actions. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { act, clockWords, type HandsetMessage, here, type Message, model, sandboxInfo } from '../../core/index.js';
import { CopyButton, copyText, Icon, Menu, MenuItem, Ticks } from '../../parts/index.js';
import { buttonsOf, fileName, possibleMoves, type ShownButton } from './actions.js';

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

function BubbleMenu(props: { message: HandsetMessage; onReply: () => void }) {
  return (
    <Menu
      label="Message actions"
      class="bubble-more pointer curved absolute middle faint"
      button={<Icon name="down" size={16} />}
    >
      <Actions {...props} />
    </Menu>
  );
}

function Actions({ message, onReply }: { message: HandsetMessage; onReply: () => void }) {
  const [failing, setFailing] = useState(false);
  const moves = possibleMoves(message);
  const report = (status: 'delivered' | 'read' | 'failed', error?: string) => {
    const body = { status, ...(error !== undefined && { error }) };
    void act(model.value.api.post('/_sandbox/messages/{id}/status', { path: { id: message.message_id }, body }));
  };
  if (failing) return <Failures onChoose={(name) => report('failed', name)} onBack={() => setFailing(false)} />;
  return (
    <>
      {message.direction === 'outbound' && <Why message={message} />}
      {moves.map((move) =>
        move === 'failed' ? (
          <MenuItem key={move} icon="alert" kind="bad" data-stays onClick={() => setFailing(true)}>
            Fail with …
          </MenuItem>
        ) : (
          <MenuItem key={move} icon="check" onClick={() => report(move)}>
            Mark {move}
          </MenuItem>
        ),
      )}
      {message.direction === 'outbound' && (
        <MenuItem icon="reply" onClick={onReply}>
          Reply as the customer
        </MenuItem>
      )}
      <MenuItem icon="copy" onClick={() => void copyText(message.message_id)}>
        Copy message id
      </MenuItem>
      {message.wamid !== null && (
        <MenuItem icon="copy" onClick={() => void copyText(message.wamid ?? '')}>
          Copy wamid
        </MenuItem>
      )}
      <a class="menu-item line" href={here('story', ['message', message.message_id])}>
        <Icon name="clock" size={16} /> Story
      </a>
      <a class="menu-item line" href={here('webhooks', ['deliveries'], { q: message.message_id })}>
        <Icon name="webhook" size={16} /> Deliveries
      </a>
      <a class="menu-item line" href={here('requests', [], { q: message.message_id })}>
        <Icon name="requests" size={16} /> Requests
      </a>
    </>
  );
}

/** Shows which header, rule, magic number or default decided its status. */
function Why({ message }: { message: HandsetMessage }) {
  const { by, id, file, line, text } = message.explain;
  return (
    <div class="menu-why ruled breaks">
      <p>{text}</p>
      <p class="faint">
        by {by}
        {id !== undefined && ` · ${id}`}
        {file !== undefined && ` · ${file}${line === undefined ? '' : `:${line}`}`}
      </p>
    </div>
  );
}

function Failures({ onChoose, onBack }: { onChoose: (name: string) => void; onBack: () => void }) {
  const errors = sandboxInfo()?.errors ?? [];
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <>
      <MenuItem icon="back" ref={back} data-stays onClick={onBack}>
        Fail with
      </MenuItem>
      <ul class="menu-list scrolls">
        {errors.map(({ name, channel_code: code, message }) => (
          <li key={name}>
            <MenuItem title={message} onClick={() => onChoose(name)}>
              <span class="menu-words breaks">
                <span>{name}</span>
                <span class="faint">{message}</span>
              </span>
              <span class="faint mono">{code}</span>
            </MenuItem>
          </li>
        ))}
      </ul>
    </>
  );
}
