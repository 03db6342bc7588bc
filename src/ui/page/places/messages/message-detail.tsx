import { counted, type HandsetMessage, here, model } from '../../core/index.js';
import { Card, Detail, idPair, Item, type ItemProps, Pairs, Time, toneOf } from '../../parts/index.js';
import { buttonsOf } from '../conversations/bubble.js';
import { ReportMenu } from '../conversations/report-menu.js';
import { Axis } from './axis.js';
import { entriesOf, readMessage, type Story, traceOf, useStory } from './story.js';
import { phoneOf, titleOf } from './words.js';

export function MessageDetail({ id, back }: ItemProps) {
  return (
    <Item one="message" id={id} back={back} read={() => readMessage(model.value.api, id)} nouns={['message']}>
      {(message) => <Shown message={message} back={back} />}
    </Item>
  );
}

function Shown({ message, back }: { message: HandsetMessage; back: string }) {
  const story = useStory(message);
  const { otp } = story;
  const { message_id: id, status, error, history } = message;
  return (
    <Detail
      title={titleOf(message)}
      back={back}
      tone={status === 'accepted' ? 'wait' : toneOf(status)}
      words={[
        status,
        error && [error.code, error.channel_code].join(' '),
        <Time key="at" at={history.at(-1)?.at ?? message.created_at} />,
        deliveryWords(story),
      ]}
      actions={
        <>
          <a class="button low" href={here('conversations', [phoneOf(message), id])}>
            Conversation
          </a>
          <ReportMenu message={message} />
        </>
      }
      lead={error && <p class="bad">{error.message}</p>}
      explain={message.explain}
      ids={[
        idPair('Message id', id),
        idPair('Wamid', message.wamid),
        otp && ['Code', <a href={here('messages', ['codes', otp.otp_id])}>{otp.otp_id}</a>],
        'batch_id' in message ? ['Batch', message.batch_id] : null,
        ['Trace', traceOf(story)],
        ['Requests', <a href={here('requests', [], { q: id })}>Calls that name it</a>],
      ]}
    >
      <div class="sides">
        <Sent message={message} />
        <Axis entries={entriesOf(story)} />
      </div>
    </Detail>
  );
}

function deliveryWords({ deliveries }: Story): string | null {
  if (deliveries.length === 0) return null;
  const open = deliveries.filter(({ state }) => state !== 'delivered' && state !== 'pending').length;
  return open === 0
    ? 'events delivered'
    : `${open} of ${counted(deliveries.length, 'event delivery', 'event deliveries')} unsuccessful`;
}

function Sent({ message }: { message: HandsetMessage }) {
  const { text, media_url: url, type, from, to } = message;
  const template = 'template' in message ? message.template : undefined;
  const question = message.interactive && 'body' in message.interactive ? message.interactive.body : null;
  const words = question ?? text ?? '';
  const buttons = message.direction === 'outbound' ? buttonsOf(message) : [];
  return (
    <Card title="Message">
      {words !== '' && (
        <p class="phone-bubble" dir="auto">
          {words}
        </p>
      )}
      <Pairs
        of={[
          ['Type', type],
          ['From', from],
          ['To', to],
          template && [
            'Template',
            <a href={here('templates', [], { q: template.name })}>{`${template.name} (${template.language})`}</a>,
          ],
          template && template.variables.length > 0 ? ['Variables', template.variables.join(' · ')] : null,
          ['File', url],
          buttons.length > 0 ? ['Buttons', buttons.map(({ title }) => title).join(' · ')] : null,
        ]}
      />
    </Card>
  );
}
