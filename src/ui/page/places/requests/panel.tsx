/** The request journal: every call of the application, its response, and ways to send it again. */
import { here, type Route } from '../../core/index.js';
import { Icon, Split, Tabs } from '../../parts/index.js';
import { RawEditor } from './raw-editor.js';
import { RejectedDetail, RejectedList } from './rejected.js';
import { RequestDetail } from './request-detail.js';
import { JournalMenu, RequestList } from './request-list.js';
import './requests.css';

/** `requests/ID`, with filters in the query; `requests/new?from=ID`; `requests/rejected/ID`. */
export function Requests({ route }: { route: Route }) {
  const { path, query } = route;
  const rejected = path[0] === 'rejected';
  const id = path[rejected ? 1 : 0];
  const list = (
    <>
      <Tabs
        label="Calls"
        current={rejected ? 'rejected' : 'calls'}
        tabs={[
          ['calls', 'Calls', here('requests')],
          ['rejected', 'Without an account', here('requests', ['rejected'])],
        ]}
      >
        <a class="button low" href={here('requests', ['new'])}>
          <Icon name="plus" size={16} /> New request
        </a>
        <JournalMenu query={query} />
      </Tabs>
      {rejected ? <RejectedList current={id} /> : <RequestList current={id} query={query} />}
    </>
  );
  const back = here('requests', rejected ? ['rejected'] : [], query);
  const from = query['from'];
  const detail =
    id === undefined ? null : rejected ? (
      <RejectedDetail id={id} back={back} />
    ) : id === 'new' ? (
      <RawEditor key={from} from={from} back={here('requests')} />
    ) : (
      <RequestDetail key={id} id={id} back={back} />
    );
  return <Split list={list} detail={detail} />;
}
