/** Everything that was sent and received, and one-time codes: the first place. */
import { here, type Route } from '../../core/index.js';
import { lazy, Split, Tabs } from '../../parts/index.js';
import { MessageDetail } from './message-detail.js';
import { MessageList } from './message-list.js';
import './messages.css';

const CodeList = lazy(async () => (await import('./code-list.js')).CodeList);
const CodeDetail = lazy(async () => (await import('./code-detail.js')).CodeDetail);
const SendCode = lazy(async () => (await import('./code-list.js')).SendCode);

/** `messages/ID`, with `?status=` and `?q=`; `messages/codes/ID`. */
export function Messages({ route }: { route: Route }) {
  const codes = route.path[0] === 'codes';
  const id = route.path[codes ? 1 : 0];
  const { query } = route;
  const q = query['q'] ?? '';
  const list = (
    <>
      <Tabs
        label="Messages and codes"
        current={codes ? 'codes' : 'messages'}
        tabs={[
          ['messages', 'Messages', here('messages')],
          ['codes', 'Codes', here('messages', ['codes'])],
        ]}
      >
        {codes && <SendCode />}
      </Tabs>
      {codes ? (
        <CodeList current={id} search={q} />
      ) : (
        <MessageList current={id} search={q} status={query['status'] ?? ''} />
      )}
    </>
  );
  const back = here('messages', codes ? ['codes'] : [], query);
  const detail =
    id === undefined ? null : codes ? (
      <CodeDetail key={id} id={id} back={back} />
    ) : (
      <MessageDetail key={id} id={id} back={back} />
    );
  return <Split list={list} detail={detail} />;
}
