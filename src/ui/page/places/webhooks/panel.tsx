import type { Route } from '../../core/index.js';
import { Views } from '../../parts/index.js';
import { DeliveryList } from './deliveries.js';
import { DeliveryDetail } from './delivery-detail.js';
import { Emit } from './emit-dialog.js';
import { EndpointDetail } from './endpoint-detail.js';
import { EndpointList, Register } from './endpoints.js';

const views = [
  { title: 'Deliveries', path: ['deliveries'], list: DeliveryList, item: DeliveryDetail, actions: Emit },
  { title: 'Endpoints', path: ['endpoints'], list: EndpointList, item: EndpointDetail, actions: Register },
] as const;

/** `webhooks/deliveries/ID/ATTEMPT`, with filters in the query; `webhooks/events/ID`; `webhooks/endpoints/ID`. */
export function Webhooks({ route }: { route: Route }) {
  const [view, event = ''] = route.path;
  // An event is shown by its deliveries.
  const shown = view === 'events' ? { ...route, path: ['deliveries'], query: { q: event } } : route;
  return <Views label="Deliveries and endpoints" route={shown} views={views} />;
}
