import { useState } from 'preact/hooks';
import { act, type HandsetMessage, here, model } from '../../core/index.js';
import { Icon, Menu, MenuItem, MenuLink } from '../../parts/index.js';

type Move = 'delivered' | 'read' | 'failed';

const height: Readonly<Record<string, number>> = { accepted: 0, sent: 1, delivered: 2, read: 3, failed: 3 };

/**
 * The status reports that the channel can still send. There are none for a message with a code: the service does not
 * report its status.
 */
function possibleMoves(message: HandsetMessage): Move[] {
  if (message.direction === 'inbound' || message.otp_id !== undefined) return [];
  const at = height[message.status] ?? 3;
  return (['delivered', 'read', 'failed'] as const).filter((move) => (height[move] ?? 0) > at);
}

export function ReportMenu({ message, small = false }: { message: HandsetMessage; small?: boolean }) {
  const moves = possibleMoves(message);
  if (moves.length === 0 && !small) return null;
  return (
    <Menu
      label={small ? 'Message actions' : 'Report status'}
      class={small ? 'icon-button low bubble-more' : 'button low'}
      menu="from-end"
      button={small ? <Icon name="more" /> : 'Report status'}
    >
      {() => <Moves message={message} links={small} />}
    </Menu>
  );
}

function Moves({ message, links }: { message: HandsetMessage; links: boolean }) {
  const [failing, setFailing] = useState(false);
  const id = message.message_id;
  const report = (status: 'delivered' | 'read' | 'failed', error?: string) => {
    const body = { status, ...(error !== undefined && { error }) };
    void act(model.value.api.post('/_sandbox/messages/{id}/status', { path: { id }, body }));
  };
  if (failing) {
    return (
      <>
        {(model.value.info.value?.errors ?? []).map(({ name, channel_code: code, message: words }) => (
          <MenuItem key={name} title={words} onClick={() => report('failed', name)}>
            <span class="grow">
              {name}
              <span class="soft cut sub-line">{words}</span>
            </span>
            <span class="soft mono">{code}</span>
          </MenuItem>
        ))}
      </>
    );
  }
  return (
    <>
      {possibleMoves(message).map((move) =>
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
      {links && (
        <>
          <MenuLink href={here('messages', [id])} icon="clock" words="What happened" />
          <MenuLink href={here('webhooks', ['deliveries'], { q: id })} icon="webhook" words="Deliveries" />
          <MenuLink href={here('requests', [], { q: id })} icon="requests" words="Requests" />
        </>
      )}
    </>
  );
}
