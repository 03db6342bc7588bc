import { model } from '../../core/index.js';
import { Card, Detail, Headers, Http, httpTone, Item, type ItemProps, type ListProps } from '../../parts/index.js';
import { Records, stateColumn, Time, timeColumn, useRecords } from '../../parts/index.js';

export function RejectedList(props: ListProps) {
  const { api } = model.value;
  return (
    <Records
      one="call"
      label="Calls without an account"
      path={['requests', 'rejected']}
      {...props}
      list={useRecords({}, [], ['request'], (page) => api.get('/_sandbox/refused', { query: page }))}
      idOf={({ id }) => id}
      columns={[
        stateColumn<{ readonly status: number }>('Status', ({ status }) => <Http status={status} />),
        {
          title: 'Request',
          width: 272,
          cell: ({ method, path }) => (
            <>
              <span class="soft">{method}</span> {path}
            </>
          ),
          sub: ({ message }) => message,
        },
        { title: 'Result', class: 'wide warn', cell: ({ message }) => message },
        timeColumn<{ readonly at: string }>(({ at }) => at),
      ]}
      none="Calls with a wrong or missing key, a foreign host or a broken request appear here, of all clients."
    />
  );
}

export function RejectedDetail({ id, back }: ItemProps) {
  const { api } = model.value;
  const read = async () => {
    const { items } = await api.get('/_sandbox/refused', { query: { limit: 1000, order: 'desc' } });
    return items.find((each) => each.id === id) ?? null;
  };
  return (
    <Item one="call" id={id} back={back} read={read} nouns={[]}>
      {({ method, path, status, error, message, at, request }) => (
        <Detail
          title={`${method} ${path}`}
          back={back}
          tone={httpTone(status)}
          words={[status, error, <Time at={at} />]}
          lead={<p>{message}</p>}
        >
          <Card title="Request">
            {request.query !== undefined && <p class="mono breaks">?{request.query}</p>}
            <Headers of={request.headers} label="request headers" />
          </Card>
        </Detail>
      )}
    </Item>
  );
}
