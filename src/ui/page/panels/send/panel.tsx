/** The business's side: forms that call the API as an application does. */
import { useEffect } from 'preact/hooks';
import { here, model, replace, type Route, useRecord } from '../../core/index.js';
import { EmptyState, Loading, Tabs } from '../../parts/index.js';
import { repeated } from '../requests/call.js';
import type { Values } from './form.js';
import { formOf, forms } from './forms.js';
import { formFor } from './recorded.js';
import { SendForm } from './send-form.js';
import { typedIn } from './send.js';
import './send.css';

/** `send/FORM`; the query fills fields of the form. `send?from=ID` opens a call of the request journal for editing. */
export function Send({ route: { path, query } }: { route: Route }) {
  const { key, templates } = model.value;
  const form = formOf(path[0]);
  const { from } = query;
  useEffect(() => templates.ensureAll(), [templates]);
  useEffect(() => {
    if (from === undefined && Object.keys(query).length > 0) write(form.id, query);
  }, [form, query]);
  return (
    <div class="send grid full">
      <h2 class="for-readers">Send as the business</h2>
      <Tabs
        label="Requests to send"
        current={form.id}
        tabs={forms.map(({ id, title }) => ({ id, title, href: here('send', [id]) }))}
      />
      {from === undefined ? <SendForm key={`${key} ${form.id}`} form={form} /> : <Recorded key={from} id={from} />}
    </div>
  );
}

/** Fills a form and shows it. */
function write(id: string, values: Values): void {
  typedIn(id).value = values;
  replace(here('send', [id]));
}

function Recorded({ id }: { id: string }) {
  const { requests, templates } = model.value;
  const call = useRecord(requests, id);
  const ready = templates.state.value === 'ready' || templates.state.value === 'failed';
  useEffect(() => {
    if (call && ready) write(...formFor(repeated(call), templates.rows));
  }, [call, ready]);
  if (call !== null) return <Loading />;
  return (
    <EmptyState icon="requests" title="This call is not in the request journal">
      <p>The journal was cleared, or newer calls have replaced {id}.</p>
      <a href={here('send')}>Start with an empty form</a>
    </EmptyState>
  );
}
