/** One message: what became of it, what was sent, and everything that happened because of it. */
import { Fragment } from 'preact';
import {
  clockWords,
  dayWords,
  exactWords,
  type HandsetMessage,
  here,
  model,
  type Noun,
  relativeWords,
  spanWords,
  useRead,
} from '../../core/index.js';
import {
  Answer,
  Card,
  Copied,
  Detail,
  Empty,
  Loading,
  More,
  Pairs,
  State,
  Time,
  toneOf,
  Why,
} from '../../parts/index.js';
import { buttonsOf } from '../conversations/actions.js';
import { ReportMenu } from '../conversations/report-menu.js';
import { DeliveryRows } from './delivery-rows.js';
import { titleOf } from './titles.js';
import { type Entry, entriesOf, phoneOf, readStory, type Story, traceOf } from './story.js';

export const storyNouns: readonly Noun[] = ['message', 'otp', 'request', 'event', 'delivery', 'attempt'];

export function MessageDetail({ id, back }: { id: string; back: string }) {
  const { api } = model.value;
  const story = useRead(`story ${id}`, () => readStory(api, id), storyNouns).value;
  if (story === undefined) return <Loading />;
  if (story === null) {
    return (
      <Empty title="This message does not exist">
        <p>
          The account has none with the id {id}. It may have been reset. <a href={back}>All messages</a>
        </p>
      </Empty>
    );
  }
  return <Shown story={story} back={back} />;
}

function Shown({ story, back }: { story: Story; back: string }) {
  const { message, otp, deliveries } = story;
  const { message_id: id, status, error, history, explain, wamid } = message;
  const phone = phoneOf(message);
  const tone = status === 'failed' ? 'bad' : status === 'accepted' ? 'wait' : toneOf(status);
  const trace = traceOf(story);
  return (
    <Detail
      title={titleOf(message)}
      label={titleOf(message)}
      back={back}
      answer={
        <Answer
          tone={tone}
          words={[
            status,
            error && `${error.code}${error.channel_code === null ? '' : ` ${error.channel_code}`}`,
            <Time key="at" at={history.at(-1)?.at ?? message.created_at} />,
            deliveryWords(story),
          ]}
        >
          <a class="button low" href={here('conversations', [phone, id])}>
            Conversation
          </a>
          <ReportMenu message={message} />
        </Answer>
      }
    >
      {error && <p class="bad">{error.message}</p>}
      <Why explain={explain} />
      <div class="sides">
        <Sent message={message} />
        <Card title="What happened">
          <Axis entries={entriesOf(story)} />
        </Card>
      </div>
      {deliveries.length > 0 && (
        <Card title="Deliveries">
          <DeliveryRows of={deliveries} />
        </Card>
      )}
      <More title="Ids and links">
        <Pairs
          of={[
            ['Message id', <Copied key="id" text={id} label="message id" />],
            ['Wamid', wamid === null ? null : <Copied key="wamid" text={wamid} label="wamid" />],
            otp && [
              'Code',
              <a key="code" href={here('messages', ['codes', otp.otp_id])}>
                {otp.otp_id}
              </a>,
            ],
            ['batch_id' in message ? 'Batch' : '', 'batch_id' in message ? message.batch_id : null],
            ['Trace', trace],
            [
              'Requests',
              <a key="r" href={here('requests', [], { q: id })}>
                Calls that name it
              </a>,
            ],
          ]}
        />
      </More>
    </Detail>
  );
}

function deliveryWords({ deliveries }: Story): string | null {
  const open = deliveries.filter(({ state }) => state !== 'delivered' && state !== 'pending');
  if (deliveries.length === 0) return null;
  return open.length === 0 ? 'webhooks delivered' : `${open.length} of ${deliveries.length} webhooks not delivered`;
}

function Sent({ message }: { message: HandsetMessage }) {
  const { text, media_url: url, type } = message;
  const template = 'template' in message ? message.template : undefined;
  const question = message.interactive && 'body' in message.interactive ? message.interactive.body : null;
  const words = question ?? text;
  const buttons = message.direction === 'outbound' ? buttonsOf(message) : [];
  return (
    <Card title="Message">
      {words !== null && words !== '' && (
        <p class="phone-bubble" dir="auto">
          {words}
        </p>
      )}
      <Pairs
        of={[
          ['Type', type],
          [
            'From',
            <span key="from" class="mono">
              {message.from}
            </span>,
          ],
          [
            'To',
            <span key="to" class="mono">
              {message.to}
            </span>,
          ],
          template === undefined
            ? null
            : [
                'Template',
                <a key="t" href={here('templates', [], { q: template.name })}>
                  {template.name} ({template.language})
                </a>,
              ],
          template && template.variables.length > 0 ? ['Variables', template.variables.join(' · ')] : null,
          url === undefined ? null : ['File', url],
          buttons.length > 0 ? ['Buttons', buttons.map(({ title }) => title).join(' · ')] : null,
        ]}
      />
    </Card>
  );
}

export function Axis({ entries }: { entries: readonly Entry[] }) {
  return (
    <ol class="axis">
      {entries.map((entry, at) => (
        <Line key={entry.key} entry={entry} before={entries[at - 1]} />
      ))}
    </ol>
  );
}

function Line({ entry, before }: { entry: Entry; before: Entry | undefined }) {
  const { atMs, title, detail, tone, link, realMs, ahead } = entry;
  const nowMs = model.value.clock.second.value ?? atMs;
  const day = dayWords(atMs);
  const gapMs = before ? atMs - before.atMs : 0;
  const [place, ...path] = link ?? [];
  return (
    <Fragment>
      {before && dayWords(before.atMs) !== day && <li class="day soft">{day}</li>}
      <li class={ahead ? 'ahead' : ''}>
        <time dateTime={new Date(atMs).toISOString()} title={`${exactWords(atMs)}, ${relativeWords(atMs, nowMs)}`}>
          {clockWords(atMs, true)}
        </time>
        <span class={`lamp ${tone}`} aria-hidden="true" />
        <div class="breaks">
          <p>
            {place === undefined ? title : <a href={here(place, path)}>{title}</a>}{' '}
            {ahead && <State status={relativeWords(atMs, nowMs)} tone="wait" />}
          </p>
          {detail !== null && <p class={tone === 'bad' ? 'bad' : 'soft'}>{detail}</p>}
        </div>
        <span class="soft end">
          {realMs !== null ? `${Math.round(realMs)} ms` : gapMs >= 1000 ? `+${spanWords(gapMs)}` : ''}
        </span>
      </li>
    </Fragment>
  );
}
