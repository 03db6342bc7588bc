/** One form: the input, the call as code, and the response. */
import { useEffect, useState } from 'preact/hooks';
import {
  act,
  type Call,
  curlOf,
  go,
  here,
  model,
  pythonOf,
  sandboxInfo,
  taste,
  typeScriptOf,
} from '../../core/index.js';
import { Button, CopyButton, Notice, submits } from '../../parts/index.js';
import { Response } from './response.js';
import { FormField } from './form-field.js';
import type { FieldSpec, Form, Values } from './form.js';
import { rawOf } from './recorded.js';
import { answers, sendCall, typedIn } from './send.js';

export function SendForm({ form }: { form: Form }) {
  const { key, templates } = model.value;
  const typed = typedIn(form.id);
  const values = { ...form.defaults, ...typed.value };
  const call = form.call(values, templates.rows);
  const place = `${key}/${form.id}`;
  const answer = answers.value[place];
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const wrong = typeof call === 'string' ? call : error;

  const set = (name: string, value: string) => {
    setError(null);
    const kept = Object.entries(typed.value).filter(([each]) => name !== 'template' || !each.startsWith('variable '));
    typed.value = { ...Object.fromEntries(kept), [name]: value };
  };
  const send = async () => {
    if (busy || typeof call === 'string') return;
    setBusy(true);
    try {
      const next = await sendCall(call, key);
      answers.value = { ...answers.value, [place]: next };
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  };
  // Errors belong to the input that was sent: after a change, they may be wrong.
  const isCurrent = typeof call !== 'string' && answer?.call.body === call.body;

  return (
    <div class="send-body stack gap-100 scrolls">
      <form class="card send-form grid gap-75" aria-label={form.title} onSubmit={submits(send)}>
        {form.fields(values, templates.rows).map((field) => (
          <FormField
            key={field.name}
            field={field}
            value={values[field.name] ?? field.initial ?? ''}
            answer={isCurrent ? answer : undefined}
            onChange={(value) => set(field.name, value)}
          />
        ))}
        <Help form={form} values={values} onSet={set} />
        {wrong !== null && (
          <Notice tone="bad" icon="alert" role="alert">
            {wrong}
          </Notice>
        )}
        <p class="detail-actions">
          <Button kind="primary" icon="send" type="submit" aria-disabled={wrong !== null}>
            {form.does}
          </Button>
          {typeof call !== 'string' && form.id !== 'raw' && (
            <Button
              kind="quiet"
              onClick={() => {
                typedIn('raw').value = rawOf({ ...call, body: formatted(call.body) });
                go(here('send', ['raw']));
              }}
            >
              Edit as raw
            </Button>
          )}
          {Object.keys(typed.value).length > 0 && (
            <Button
              kind="quiet"
              onClick={() => {
                typed.value = {};
              }}
            >
              Reset form
            </Button>
          )}
        </p>
      </form>
      {typeof call !== 'string' && <Snippet call={call} />}
      {answer && <Response key={answer.requestId} answer={answer} />}
    </div>
  );
}

function formatted(body: string | null): string | null {
  return body === null ? null : JSON.stringify(JSON.parse(body), null, 2);
}

const languages = [
  ['curl', 'curl', curlOf],
  ['typescript', 'TypeScript', typeScriptOf],
  ['python', 'Python', pythonOf],
] as const;

const chosen = taste<(typeof languages)[number][0]>('snippet-language', 'curl');

function Snippet({ call }: { call: Call }) {
  const [id, title, write] = languages.find(([each]) => each === chosen.value) ?? languages[0];
  const text = write(call, model.value.site);
  return (
    <section class="card snippet" aria-label="As code">
      <div class="snippet-head row">
        <h3>As code</h3>
        <span role="group" aria-label="Language">
          {languages.map(([each, words]) => (
            <Button
              kind="small toggle"
              key={each}
              aria-pressed={each === id}
              onClick={() => {
                chosen.value = each;
              }}
            >
              {words}
            </Button>
          ))}
        </span>
        <CopyButton text={text} label={title} words />
      </div>
      <pre tabIndex={0} aria-label={`The request in ${title}`}>
        {text}
      </pre>
    </section>
  );
}

interface HelpProps {
  readonly form: Form;
  readonly values: Values;
  readonly onSet: (name: FieldSpec['name'], value: string) => void;
}

/** Hints from the account: an open window, the code that was sent, a template's magic name. */
function Help({ form: { id }, values, onSet }: HelpProps) {
  const { api, clock, customers, otps } = model.value;
  const { to = '', otp_id: otpId = '', name = '' } = values;
  useEffect(() => {
    if (id === 'verify') otps.ensure();
  }, [id, otps]);
  if (id === 'text') {
    const closesAt = customers.get(to)?.window.closes_at ?? null;
    if (closesAt !== null && Date.parse(closesAt) > (clock.second.value ?? 0)) return null;
    const open = async () => {
      const body = { open: true };
      const customer = await act(api.put('/_sandbox/customers/{phone}/window', { path: { phone: to }, body }));
      if (customer) customers.put(customer);
    };
    return (
      <Notice tone="warn" icon="alert">
        This customer has no open window, so a text is rejected.{' '}
        <Button kind="small" onClick={() => void open()}>
          Open window
        </Button>
      </Notice>
    );
  }
  if (id === 'verify') {
    const otp = otps.get(otpId) ?? (otpId === '' ? otps.rows.at(-1) : undefined);
    if (!otp || (otpId === otp.otp_id && values['code'] === otp.code)) return null;
    return (
      <p class="notice toned breaks wait">
        <span>
          {otpId === '' ? 'The latest code' : 'The code'} is {otp.code}, to {otp.to}.{' '}
          <Button
            kind="small"
            onClick={() => {
              onSet('otp_id', otp.otp_id);
              onSet('code', otp.code);
            }}
          >
            Use this code
          </Button>
        </span>
      </p>
    );
  }
  if (id !== 'submission') return null;
  const magic = sandboxInfo()?.magic_templates.find(({ suffix }) => name.endsWith(suffix));
  return magic ? (
    <Notice icon="bolt">
      {magic.description} (magic name {magic.suffix})
    </Notice>
  ) : null;
}
