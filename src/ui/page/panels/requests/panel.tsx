/** The request journal: the account's API calls. */
import type { Route } from '../../core/index.js';
import { Split } from '../../parts/index.js';
import { wantedOf } from './filter.js';
import { RefusedList } from './refused-list.js';
import { RequestDetail } from './request-detail.js';
import { RequestList } from './request-list.js';
import './requests.css';

/**
 * `requests/ID`; `?show=refused`: calls without an account; `?q=`, `operation=`, `status=` and `path=` filter;
 * `body=raw` shows bytes.
 */
export function Requests({ route }: { readonly route: Route }) {
  const [id] = route.path;
  if (route.query['show'] === 'refused') return <Split class="requests" list={<RefusedList />} detail={null} />;
  const wanted = wantedOf(route.query);
  const raw = route.query['body'] === 'raw';
  return (
    <Split
      class="requests"
      table
      list={<RequestList current={id} wanted={wanted} raw={raw} />}
      detail={id === undefined ? null : <RequestDetail key={id} id={id} wanted={wanted} raw={raw} />}
    />
  );
}
