import { callService, draft, exampleOf, go, here, model, type Route } from '../../core/index.js';
import { type Template, upper, useRead } from '../../core/index.js';
import {
  AreaField,
  chips,
  type Column,
  type ListProps,
  Opener,
  Records,
  SelectField,
  stateColumn,
} from '../../parts/index.js';
import { FormDialog, State, TextField, timeColumn, useRecords, Views } from '../../parts/index.js';
import { Decisions } from './decisions.js';
import { TemplateDetail } from './template-detail.js';

/** `templates/ID`, with `?status=` and `?q=`. */
export function Templates({ route }: { route: Route }) {
  const view = { title: 'Templates', path: [], list: TemplateList, item: TemplateDetail, actions: NewTemplate };
  return <Views label="Templates" route={route} views={[view]} />;
}

const { cell: time, ...timeRest } = timeColumn<Template>((row) => row.history.at(-1)?.at ?? row.created_at);

const columns: readonly Column<Template>[] = [
  stateColumn('State', ({ status }) => <State status={status} {...(status === 'pending' && { tone: 'wait' })} />),
  { title: 'Name', width: 224, cell: ({ name }) => name, sub: ({ text }) => text },
  { title: 'Text', class: 'wide soft', cell: ({ text }) => <span dir="auto">{text}</span> },
  { title: 'Kind', width: 144, class: 'wide soft', cell: ({ category, language }) => `${category} · ${language}` },
  {
    ...timeRest,
    width: 176,
    cell: (row) => (row.status === 'pending' ? <Decisions template={row} inList /> : time(row)),
  },
];

const example = { name: 'order_shipped', category: 'utility', language: 'en', body: 'Your order {{1}} has shipped.' };

function TemplateList(props: ListProps) {
  const { query } = props;
  const { api, site } = model.value;
  const list = useRecords(query, ['status'], ['template'], (page) => api.get('/_sandbox/templates', { query: page }));
  const { q = '', status } = query;
  const all = useRead(
    `all templates ${q}`,
    () => api.get('/_sandbox/templates', { query: { limit: 1000, ...(q !== '' && { search: q }) } }),
    ['template'],
  ).value?.items;
  const pending = all?.filter((row) => row.status === 'pending');
  // Those that wait come first, the oldest of them at the top.
  const rows =
    !status && pending ? list.rows && [...pending, ...list.rows.filter((row) => row.status !== 'pending')] : list.rows;
  return (
    <Records
      one="template"
      label="Templates"
      path={['templates']}
      {...props}
      list={{ ...list, rows }}
      idOf={({ id }) => id}
      columns={columns}
      filters={[
        chips(
          'status',
          'State',
          all?.length,
          ['pending', 'approved', 'rejected', 'paused'].map(
            (each) => [each, upper(each), all?.filter((row) => row.status === each).length] as const,
          ),
        ),
      ]}
      search="Name, language or text"
      command={exampleOf(site, 'POST', '/v1/templates', example)}
      none="Templates that your application submits appear here for review. Submit one with the button above, or run:"
    />
  );
}

function NewTemplate() {
  const written = draft(`template/${model.value.key}`, example);
  const of = (name: keyof typeof example) => ({
    value: written.value[name],
    onText: (text: string) => (written.value = { ...written.value, [name]: text }),
  });
  const { body, ...rest } = written.value;
  const submit = async () => {
    const made = await callService('/v1/templates', { ...rest, ...(body !== '' && { body }) });
    go(here('templates', [made['template_id'] ?? '']));
  };
  return (
    <Opener words="New template" icon="plus">
      {(close) => (
        <FormDialog title="New template" does="Submit template" onClose={close} onSubmit={submit}>
          <TextField
            label="Name"
            hint="A name that ends in _reject, _never and the like decides its review."
            {...of('name')}
          />
          <SelectField label="Category" options={['utility', 'marketing', 'authentication']} {...of('category')} />
          <TextField label="Language" hint="For example en, en_US or pt-BR." {...of('language')} />
          <AreaField
            label="Body"
            hint="Variables are {{1}}, {{2}} and so on. Authentication needs no body."
            rows={3}
            dir="auto"
            {...of('body')}
          />
        </FormDialog>
      )}
    </Opener>
  );
}
