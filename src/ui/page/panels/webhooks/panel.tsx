/** The webhook inspector: endpoints, deliveries and attempts. */
import { useEffect } from 'preact/hooks';
import { here, model, type Route } from '../../core/index.js';
import { EmptyState, ExportMenu, Split, Tabs } from '../../parts/index.js';
import { DeliveryDetail } from './delivery-detail.js';
import { DeliveryList } from './delivery-list.js';
import { EndpointDetail } from './endpoint-detail.js';
import { EndpointList } from './endpoint-list.js';
import { filterOf } from './filter.js';
import './webhooks.css';

/** `webhooks/deliveries/ID/ATTEMPT`, `webhooks/endpoints/ID`; `?q=&state=&type=&endpoint=` filter deliveries. */
export function Webhooks({ route }: { route: Route }) {
  const [tab = 'deliveries', id, attempt] = route.path;
  const { api, webhooks } = model.value;
  const state = webhooks.state.value;
  useEffect(() => webhooks.ensureAll(), [webhooks]);
  return (
    <div class="webhooks low grid full">
      <div class="webhooks-head surface ruled line">
        <Tabs
          label="Webhooks"
          current={tab === 'endpoints' ? 'endpoints' : 'deliveries'}
          tabs={[
            { id: 'deliveries', title: 'Deliveries', href: here('webhooks', ['deliveries']) },
            {
              id: 'endpoints',
              title: 'Endpoints',
              href: here('webhooks', ['endpoints']),
              ...(state === 'ready' && { count: webhooks.rows.length }),
            },
          ]}
        />
        <ExportMenu
          lists={[
            {
              title: 'Deliveries',
              file: 'deliveries',
              page: (page) => api.get('/_sandbox/deliveries', page),
            },
            { title: 'Events', file: 'events', page: (page) => api.get('/_sandbox/events', page) },
          ]}
        />
      </div>
      {tab === 'endpoints' ? (
        <Split
          list={<EndpointList current={id} />}
          detail={id === undefined ? null : <EndpointDetail key={id} id={id} />}
          none={
            webhooks.rows.length === 0 ? null : (
              <EmptyState icon="webhook" title="No endpoint is open">
                <p>Choose one on the left to see its secret, its failure streak and its held deliveries.</p>
              </EmptyState>
            )
          }
        />
      ) : (
        <Split
          table
          list={<DeliveryList current={id} filter={filterOf(route.query)} />}
          detail={id === undefined ? null : <DeliveryDetail key={id} id={id} attempt={attempt} />}
        />
      )}
    </div>
  );
}
