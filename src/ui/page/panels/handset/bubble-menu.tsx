/** The actions of a message: report a status as the channel, reply, open its records. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { act, type HandsetMessage, here, model, sandboxInfo } from '../../core/index.js';
import { copyText, Icon, Menu, MenuItem } from '../../parts/index.js';
import { possibleMoves } from './actions.js';

export function BubbleMenu(props: { message: HandsetMessage; onReply: () => void }) {
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
