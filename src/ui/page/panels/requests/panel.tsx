/** The request journal: the account's API calls. */
import { useState } from 'preact/hooks';
import { act, here, model, type Route, useRead } from '../../core/index.js';
import { Button, EmptyState, HttpBadge, Split } from '../../parts/index.js';
import { wantedOf } from './filter.js';
import { RequestDetail } from './request-detail.js';
import { RequestList } from './request-list.js';
import './requests.css';

/**
 * `requests/ID`; `?show=refused`: calls without an account; `?q=`, `operation=`, `status=` and `path=` filter;
 * `body=raw` shows bytes.
 */
export function Requests({ route }: { route: Route }) {
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

function RefusedList() {
  const { api } = model.value;
  const [reads, setReads] = useState(0);
  const read = () => act(api.get('/_sandbox/refused', { query: { order: 'desc', limit: 500 } }));
  const calls = useRead(read, [api, reads])?.items;
  return (
    <>
      <header class="list-head row requests-head">
        <p class="requests-count gap-50 line small-text figures faint">
          <a href={here('requests')}>Requests of this account</a>
          <Button kind="quiet small" onClick={() => setReads(reads + 1)}>
            Reload list
          </Button>
        </p>
      </header>
      {calls?.length === 0 ? (
        <EmptyState icon="requests" title="No rejected calls">
          <p>Calls without a valid key, or from a foreign host or page, appear here.</p>
        </EmptyState>
      ) : (
        <ul class="refused-calls small-text" aria-label="Rejected calls">
          {calls?.map((call) => (
            <li key={call.id}>
              <HttpBadge status={call.status} />
              <time dateTime={call.at} title={call.at} class="mono faint">
                {call.at.slice(11, 19)}
              </time>
              <span class="mono">
                {call.method} {call.path}
              </span>
              <span class="badge tiny-text bad">{call.error}</span>
              <span>{call.message}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
