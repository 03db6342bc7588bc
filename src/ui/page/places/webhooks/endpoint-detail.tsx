import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { act, counted, type Endpoint, go, here, model, momentWords, shortUrl } from '../../core/index.js';
import { toast, useRead } from '../../core/index.js';
import { Button, Card, Code, Detail, Dialog, FormDialog, idPair, Item, type ItemProps } from '../../parts/index.js';
import { Notice, Opener, Pairs, Time } from '../../parts/index.js';
import { Certify } from './certify.js';
import { pauseAfterMs } from './groups.js';
import { RedeliverAll, stuck } from './redeliver-all.js';
import { Secret } from './signature-check.js';

export function EndpointDetail({ id, back }: ItemProps) {
  const { api } = model.value;
  const read = async () => (await api.get('/_sandbox/webhooks', { query: { id } })).items[0] ?? null;
  return (
    <Item one="endpoint" id={id} back={back} read={read} nouns={['webhook']}>
      {(endpoint) => <Shown endpoint={endpoint} back={back} />}
    </Item>
  );
}

function setStatus({ id }: Endpoint, status: Endpoint['status'], good: string) {
  const { api } = model.value;
  return act(api.put('/_sandbox/webhooks/{id}', { path: { id }, body: { status } }), good);
}

export function resume(endpoint: Endpoint) {
  return setStatus(endpoint, 'active', `${shortUrl(endpoint.url)} is active again.`);
}

function Shown({ endpoint, back }: { endpoint: Endpoint; back: string }) {
  const { id, url, alias, events, status, created_at: created, secret, updated_at: updated } = endpoint;
  const { api, clock } = model.value;
  const { figures, failure } = useFigures(endpoint);
  const paused = status === 'paused';
  const sinceMs = endpoint.failing_since === null || paused ? null : Date.parse(endpoint.failing_since);
  const moment = (ms: number) => momentWords(ms, clock.second.value ?? 0);
  const test = async () => {
    const [type = 'message.received'] = events;
    const made = await act(api.post('/_sandbox/events', { body: { type, webhook_id: id } }));
    const [first] = made?.deliveries ?? [];
    if (first) go(here('webhooks', ['deliveries', first.id]));
  };
  return (
    <Detail
      title={shortUrl(url)}
      label={`Endpoint ${url}`}
      back={back}
      tone={paused ? 'warn' : sinceMs === null ? 'good' : 'bad'}
      words={[
        sinceMs === null ? status : 'failing',
        paused && (
          <>
            since <Time at={updated} />
          </>
        ),
        sinceMs !== null && `since ${moment(sinceMs)}, will be paused at ${moment(sinceMs + pauseAfterMs)}`,
        figures,
      ]}
      actions={
        <>
          {paused ? (
            <Button kind="low primary" icon="play" onClick={() => void resume(endpoint)} words="Resume" />
          ) : (
            <Button
              kind="low"
              icon="pause"
              onClick={() => void setStatus(endpoint, 'paused', 'The endpoint is paused.')}
              words="Pause"
            />
          )}
          <Button kind="low" icon="bolt" onClick={() => void test()} words="Send test event" />
        </>
      }
      lead={
        paused ? (
          <p class="soft">
            {endpoint.pause_reason
              ?.replaceAll(timestamp, (at) => moment(Date.parse(at)))
              .replace(/^Delivery \S+/, 'A delivery')}{' '}
            Deliveries are held. An application resumes the endpoint by registering the URL again.
          </p>
        ) : (
          sinceMs !== null && failure && <p class="bad breaks">{failure}</p>
        )
      }
    >
      <Stuck endpoint={endpoint} />
      <Card title="Registration">
        <Pairs
          of={[
            ['Alias', alias],
            ['Events', events.join(', ')],
            ['Secret', <Secret secret={secret} />],
            idPair('Id', id),
            ['Registered', <Time at={created} />],
            ['Deliveries', <a href={here('webhooks', ['deliveries'], { webhook_id: id })}>To this endpoint</a>],
          ]}
        />
        <Changes endpoint={endpoint} />
      </Card>
      {!url.startsWith('https://sink.sandbox/') && <Certify id={id} />}
    </Detail>
  );
}

/** No figures if the latest deliveries are held, so that the receiver was not called. */
function useFigures({ id, status }: Endpoint): {
  readonly figures: string | null;
  readonly failure?: string | undefined;
} {
  const { api } = model.value;
  const query = { webhook_id: id, limit: 100, order: 'desc' as const };
  const attempts = useRead(
    `figures ${id}`,
    async () => (await api.get('/_sandbox/deliveries', { query })).items.flatMap((each) => each.attempts),
    ['attempt'],
  ).value;
  if (!attempts || attempts.length === 0) return { figures: status === 'paused' ? null : 'no attempt yet' };
  const good = attempts.filter(({ error }) => error === undefined);
  const times = good.map((each) => each.duration_ms).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];
  const words = `${good.length} of the last ${counted(attempts.length, 'attempt')} succeeded`;
  const figures = median === undefined ? words : `${words}, mostly in ${Math.round(median)} ms`;
  return { figures, failure: attempts.find(({ error }) => error !== undefined)?.reason };
}

/** The changes that an application makes by registering again, and removal. */
function Changes({ endpoint }: { endpoint: Endpoint }) {
  const { id, url } = endpoint;
  const { api } = model.value;
  const remove = async () => {
    await api.delete('/_sandbox/webhooks/{id}', { path: { id } });
    toast('good', 'The endpoint is removed.');
    go(here('webhooks', ['endpoints']));
  };
  return (
    <p class="row">
      <Opener words="New secret …" icon="key">
        {(close) => <NewSecretDialog endpoint={endpoint} onClose={close} />}
      </Opener>
      <Opener words="Remove …" kind="low danger">
        {(close) => (
          <FormDialog title="Remove endpoint" does="Remove" danger onClose={close} onSubmit={remove}>
            <p class="breaks">
              No more events are delivered to {url}, and its pending deliveries are dropped. Past deliveries stay.
            </p>
          </FormDialog>
        )}
      </Opener>
    </p>
  );
}

/** Asks first: from then on, a receiver with the previous secret rejects every event. Then shows the new secret. */
function NewSecretDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { url, events, status } = endpoint;
  const [made, setMade] = useState<Endpoint | null>(null);
  if (made !== null) {
    return (
      <Dialog title="New secret" onClose={onClose}>
        <p>Give this secret to the receiver. Events are signed with it from now on.</p>
        <Code text={made.secret} label="new secret" />
      </Dialog>
    );
  }
  const rotate = async () => setMade(await model.value.api.post('/_sandbox/webhooks', { body: { url, events } }));
  return (
    <FormDialog title="New secret?" does="Make new secret" danger onClose={onClose} onSubmit={rotate} stays>
      <p class="breaks">
        {url} is registered again, as an application does it. The present secret then signs nothing any more: the
        receiver rejects every event until it has the new secret.
        {status === 'paused' && ' The endpoint becomes active.'}
      </p>
    </FormDialog>
  );
}

const timestamp = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Deliveries that nothing sends again, because the endpoint was paused, or because they have failed and are not retried. */
function Stuck({ endpoint: { id, status } }: { endpoint: Endpoint }) {
  const { api } = model.value;
  const query = { webhook_id: id };
  const read = () => api.get('/_sandbox/deliveries/count', { query });
  const counts = useRead(`stuck ${id}`, read, ['delivery']).value?.by_state;
  const found = stuck.map((state) => [state, counts?.[state] ?? 0] as const).filter(([, count]) => count > 0);
  if (found.length === 0) return null;
  return (
    <Notice tone="warn" icon="pause">
      <div class="row">
        <p class="grow">
          {found.map(([state, count], at) => (
            <Fragment key={state}>
              {at > 0 && ' and '}
              <a href={here('webhooks', ['deliveries'], { ...query, state })}>
                {counted(count, `${state} delivery`, `${state} deliveries`)}
              </a>
            </Fragment>
          ))}
          {status === 'paused' ? ': resume the endpoint, then redeliver them.' : ' wait until they are redelivered.'}
        </p>
        {status === 'active' && <RedeliverAll query={query} states={stuck} />}
      </div>
    </Notice>
  );
}
