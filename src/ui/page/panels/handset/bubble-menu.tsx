/** The actions of a message: report a status as the channel, reply, open its records. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { act } from '../../core/api.js';
import { model } from '../../core/current.js';
import { sandboxInfo } from '../../core/info.js';
import { here } from '../../core/location.js';
import type { HandsetMessage } from '../../core/records.js';
import { copyText } from '../../parts/copy-button.js';
import { Icon } from '../../parts/icon.js';
import { Menu } from '../../parts/menu.js';
import { possibleMoves } from './actions.js';

interface Props {
  readonly message: HandsetMessage;
  readonly onReply: () => void;
}

export function BubbleMenu(props: Props) {
  return (
    <Menu label="Message actions" class="bubble-more" button={<Icon name="down" size={16} />}>
      {(close) => <Actions {...props} close={close} />}
    </Menu>
  );
}

function Actions({ message, onReply, close }: Props & { readonly close: () => void }) {
  const [failing, setFailing] = useState(false);
  const moves = possibleMoves(message);
  const report = (status: 'delivered' | 'read' | 'failed', error?: string) => {
    close();
    const body = { status, ...(error !== undefined && { error }) };
    void act(model.value.api.post('/_sandbox/messages/{id}/status', { path: { id: message.message_id }, body }));
  };
  if (failing) return <Failures onChoose={(name) => report('failed', name)} onBack={() => setFailing(false)} />;
  return (
    <>
      {message.direction === 'outbound' && <Why message={message} />}
      {moves.includes('delivered') && (
        <button type="button" class="menu-item" onClick={() => report('delivered')}>
          <Icon name="check" size={16} /> Mark delivered
        </button>
      )}
      {moves.includes('read') && (
        <button type="button" class="menu-item" onClick={() => report('read')}>
          <Icon name="check" size={16} /> Mark read
        </button>
      )}
      {moves.includes('failed') && (
        <button type="button" class="menu-item bad" onClick={() => setFailing(true)}>
          <Icon name="alert" size={16} /> Fail with …
        </button>
      )}
      {message.direction === 'outbound' && (
        <button
          type="button"
          class="menu-item"
          onClick={() => {
            close();
            onReply();
          }}
        >
          <Icon name="reply" size={16} /> Reply as the customer
        </button>
      )}
      <button type="button" class="menu-item" onClick={() => void copyText(message.message_id).then(close)}>
        <Icon name="copy" size={16} /> Copy message id
      </button>
      {message.wamid !== null && (
        <button type="button" class="menu-item" onClick={() => void copyText(message.wamid ?? '').then(close)}>
          <Icon name="copy" size={16} /> Copy wamid
        </button>
      )}
      <a class="menu-item" href={here('story', ['message', message.message_id])}>
        <Icon name="clock" size={16} /> Story
      </a>
      <a class="menu-item" href={here('webhooks', ['deliveries'], { q: message.message_id })}>
        <Icon name="webhook" size={16} /> Deliveries
      </a>
      <a class="menu-item" href={here('requests', [], { q: message.message_id })}>
        <Icon name="requests" size={16} /> Requests
      </a>
    </>
  );
}

/** Shows which header, rule, magic number or default decided its status. */
function Why({ message }: { readonly message: HandsetMessage }) {
  const { by, id, file, line, text } = message.explain;
  return (
    <div class="menu-why">
      <p>{text}</p>
      <p class="faint">
        by {by}
        {id !== undefined && ` · ${id}`}
        {file !== undefined && ` · ${file}${line === undefined ? '' : `:${line}`}`}
      </p>
    </div>
  );
}

interface FailuresProps {
  readonly onChoose: (name: string) => void;
  readonly onBack: () => void;
}

function Failures({ onChoose, onBack }: FailuresProps) {
  const errors = sandboxInfo()?.errors ?? [];
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <>
      <button ref={back} type="button" class="menu-item" onClick={onBack}>
        <Icon name="back" size={16} /> Fail with
      </button>
      <ul class="menu-list">
        {errors.map(({ name, channel_code: code, message }) => (
          <li key={name}>
            <button type="button" class="menu-item" title={message} onClick={() => onChoose(name)}>
              <span class="menu-words">
                <span>{name}</span>
                <span class="faint">{message}</span>
              </span>
              <span class="faint mono">{code}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
