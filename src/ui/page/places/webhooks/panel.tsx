/** Webhooks: deliveries of events with their attempts, and the endpoints that receive them. */
import { useState } from 'preact/hooks';
import { here, type Route } from '../../core/index.js';
import { Button, Split, Tabs } from '../../parts/index.js';
import { DeliveryDetail } from './delivery-detail.js';
import { DeliveryList } from './delivery-list.js';
import { EmitDialog } from './emit-dialog.js';
import { EndpointDetail } from './endpoint-detail.js';
import { EndpointList } from './endpoint-list.js';
import { RegisterDialog } from './register-dialog.js';
import './webhooks.css';

/** `webhooks/deliveries/ID/ATTEMPT`, with filters in the query; `webhooks/events/ID`; `webhooks/endpoints/ID`. */
export function Webhooks({ route }: { route: Route }) {
  const [view = 'deliveries', first, attempt] = route.path;
  const endpoints = view === 'endpoints';
  // An event is shown by its deliveries.
  const event = view === 'events' ? first : undefined;
  const id = event === undefined ? first : undefined;
  const query = event === undefined ? route.query : { q: event };
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const list = (
    <>
      <Tabs
        label="Deliveries and endpoints"
        current={endpoints ? 'endpoints' : 'deliveries'}
        tabs={[
          ['deliveries', 'Deliveries', here('webhooks', ['deliveries'])],
          ['endpoints', 'Endpoints', here('webhooks', ['endpoints'])],
        ]}
      >
        <Button kind="low" icon={endpoints ? 'plus' : 'bolt'} onClick={() => setOpen(true)}>
          {endpoints ? 'Register endpoint' : 'Emit event'}
        </Button>
      </Tabs>
      {endpoints ? (
        <EndpointList current={id} search={route.query['q'] ?? ''} />
      ) : (
        <DeliveryList current={id} query={query} />
      )}
      {open && (endpoints ? <RegisterDialog onClose={close} /> : <EmitDialog onClose={close} />)}
    </>
  );
  const back = here('webhooks', [view], route.query);
  const detail =
    id === undefined ? null : endpoints ? (
      <EndpointDetail key={id} id={id} back={back} />
    ) : (
      <DeliveryDetail key={id} id={id} attempt={attempt} back={back} />
    );
  return <Split list={list} detail={detail} />;
}
