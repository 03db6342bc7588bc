/** The request journal: the account's API calls. */
import { useEffect, useState } from 'preact/hooks';
import { act, here, model, type RefusedCall, type Route } from '../../core/index.js';
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
  const [calls, setCalls] = useState<readonly RefusedCall[] | null>(null);
  const read = async () => {
    const answer = await act(api.get('/_sandbox/refused', { query: { order: 'desc', limit: 500 } }));
    if (answer !== null) setCalls(answer.items);
  };
  useEffect(() => void read(), [api]);
  return (
    <>
      <header class="list-head row requests-head">
        <p class="requests-count line small-text figures faint">
          <a href={here('requests')}>Requests of this account</a>
          <Button kind="quiet small" onClick={() => void read()}>
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
