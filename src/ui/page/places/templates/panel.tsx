/** Template review: those that wait for the platform owner, and all others. */
import { useState } from 'preact/hooks';
import {
  done,
  exampleOf,
  filtered,
  here,
  model,
  replace,
  type Route,
  type Template,
  useList,
  useRead,
} from '../../core/index.js';
import {
  Button,
  Chips,
  type Column,
  Empty,
  RowLink,
  SearchBox,
  Split,
  State,
  Table,
  Tabs,
  Time,
} from '../../parts/index.js';
import { Decisions } from './decisions.js';
import { NewTemplate } from './new-template.js';
import { TemplateDetail } from './template-detail.js';
import './templates.css';

/** `templates/ID`, with `?status=` and `?q=`. */
export function Templates({ route }: { route: Route }) {
  const [id] = route.path;
  const { query } = route;
  const [adding, setAdding] = useState(false);
  const list = (
    <>
      <Tabs label="Templates" current="templates" tabs={[['templates', 'Templates', here('templates')]]}>
        <Button kind="low" icon="plus" onClick={() => setAdding(true)}>
          New template
        </Button>
      </Tabs>
      <TemplateList current={id} query={query} />
      {adding && <NewTemplate onClose={() => setAdding(false)} />}
    </>
  );
  const detail = id === undefined ? null : <TemplateDetail key={id} id={id} back={here('templates', [], query)} />;
  return <Split list={list} detail={detail} />;
}

const columns = (current: string | undefined, query: Readonly<Record<string, string>>): Column<Template>[] => [
  {
    title: 'State',
    width: '104px',
    cell: ({ status }) => <State status={status} {...(status === 'pending' && { tone: 'wait' as const })} />,
  },
  {
    title: 'Name',
    width: '224px',
    class: 'main',
    cell: ({ id, name, text }) => (
      <>
        <RowLink href={here('templates', [id], query)} current={id === current}>
          {name}
        </RowLink>
        <span class="sub" dir="auto">
          {text}
        </span>
      </>
    ),
  },
  { title: 'Text', class: 'wide soft', cell: ({ text }) => <span dir="auto">{text}</span> },
  {
    title: 'Kind',
    width: '144px',
    class: 'wide soft',
    cell: ({ category, language }) => `${category} · ${language}`,
  },
  {
    title: 'Review',
    width: '176px',
    class: 'end soft figures review',
    cell: (template) =>
      template.status === 'pending' ? (
        <Decisions template={template} inList />
      ) : (
        <Time at={template.history.at(-1)?.at ?? template.created_at} />
      ),
  },
];

function TemplateList({ current, query }: { current: string | undefined; query: Readonly<Record<string, string>> }) {
  const { api, site } = model.value;
  const { q = '', status = '' } = query;
  const filter = { ...(q !== '' && { search: q }), ...(status !== '' && { status: status as Template['status'] }) };
  const list = useList(
    `templates ${JSON.stringify(filter)}`,
    (page) => done(api.GET('/_sandbox/templates', { params: { query: { ...filter, ...page } } })),
    ['template'],
  );
  const pending = useRead(
    `pending ${q}`,
    async () => {
      const wanted = { status: 'pending' as const, limit: 1000, ...(q !== '' && { search: q }) };
      return (await done(api.GET('/_sandbox/templates', { params: { query: wanted } }))).items;
    },
    ['template'],
  ).value;
  // Those that wait come first, the oldest of them at the top.
  const rows =
    status === '' && pending ? [...pending, ...list.rows.filter((row) => row.status !== 'pending')] : list.rows;
  const chip = (id: string, title: string, count?: number) => ({ id, title, count, href: filtered({ status: id }) });
  const body = { name: 'order_shipped', category: 'utility', language: 'en', body: 'Order {{1}} left.' };
  return (
    <>
      <div class="toolbar">
        <Chips
          label="State"
          current={status}
          chips={[
            chip('', 'All'),
            chip('pending', 'Pending', pending?.length),
            chip('approved', 'Approved'),
            chip('rejected', 'Rejected'),
            chip('paused', 'Paused'),
          ]}
        />
        <SearchBox
          label="Search templates"
          placeholder="Name, language or text"
          value={q}
          onText={(next) => replace(filtered({ q: next }))}
        />
      </div>
      <Table
        label="Templates"
        columns={columns(current, query)}
        list={{ ...list, rows }}
        keyOf={({ id }) => id}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty title="No template matches">
              <p>
                <a href={here('templates')}>Show all templates</a>
              </p>
            </Empty>
          ) : (
            <Empty title="No templates yet" command={exampleOf(site, 'POST', '/v1/templates', body)}>
              <p>
                Templates that your application submits appear here for review. Submit one with the button above, or
                run:
              </p>
            </Empty>
          )
        }
      />
    </>
  );
}
