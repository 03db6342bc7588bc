/** Calls that were rejected before they had an account, such as those with a wrong key. */
import { done, here, model, useList, useRead } from '../../core/index.js';
import {
  Answer,
  Card,
  Detail,
  Empty,
  Headers,
  httpTone,
  Http,
  Loading,
  RowLink,
  Table,
  Time,
} from '../../parts/index.js';

function useRejected() {
  const { api } = model.value;
  return useList('rejected', (page) => done(api.GET('/_sandbox/refused', { params: { query: page } })), ['request']);
}

export function RejectedList({ current }: { current: string | undefined }) {
  return (
    <Table
      label="Calls without an account"
      list={useRejected()}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Status', width: '104px', cell: ({ status }) => <Http status={status} /> },
        {
          title: 'Request',
          width: '272px',
          class: 'main',
          cell: ({ id, method, path, message }) => (
            <>
              <RowLink href={here('requests', ['rejected', id])} current={id === current}>
                <span class="soft">{method}</span> {path}
              </RowLink>
              <span class="sub">{message}</span>
            </>
          ),
        },
        { title: 'Result', class: 'wide warn', cell: ({ message }) => message },
        { title: 'Time', width: '132px', class: 'end soft figures time', cell: ({ at }) => <Time at={at} /> },
      ]}
      empty={
        <Empty title="No call was rejected">
          <p>Calls with a wrong or missing key, a foreign host or a broken request appear here, of all clients.</p>
        </Empty>
      }
    />
  );
}

export function RejectedDetail({ id, back }: { id: string; back: string }) {
  const { api } = model.value;
  const read = useRead(`rejected ${id}`, async () => {
    const { items } = await done(api.GET('/_sandbox/refused', { params: { query: { limit: 1000, order: 'desc' } } }));
    return items.find((each) => each.id === id) ?? null;
  }).value;
  if (read === undefined) return <Loading />;
  if (read === null) {
    return (
      <Empty title="This call is no longer kept">
        <p>
          <a href={back}>All calls without an account</a>
        </p>
      </Empty>
    );
  }
  const { method, path, status, error, message, at, request } = read;
  return (
    <Detail
      title={`${method} ${path}`}
      label={`${method} ${path}`}
      back={back}
      answer={<Answer tone={httpTone(status)} words={[status, error, <Time key="at" at={at} />]} />}
    >
      <p>{message}</p>
      <Card title="Request">
        {request.query !== undefined && <p class="mono breaks">?{request.query}</p>}
        <Headers of={request.headers} label="request headers" />
      </Card>
    </Detail>
  );
}
