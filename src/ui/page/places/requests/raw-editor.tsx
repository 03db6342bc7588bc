/** Sends any call as the application would: method, path, headers and body, as written. */
import { useEffect, useState } from 'preact/hooks';
import { type Call, callOf, curlOf, draft, here, type Response, model, sendCall, useRead } from '../../core/index.js';
import {
  Answer,
  Body,
  Button,
  Card,
  CopyButton,
  Detail,
  Field,
  Headers,
  httpTone,
  parsed,
  Select,
  submits,
  TextArea,
  TextInput,
} from '../../parts/index.js';
import { repeated } from './call.js';
import { readCall } from './request-detail.js';

interface Written {
  readonly method: string;
  readonly path: string;
  readonly headers: string;
  readonly body: string;
}

const someone = '+12025550110';
const template = { name: 'order_shipped', language: 'en', variables: ['1042', 'Monday'] };

/** Calls to begin with. */
const examples: readonly (readonly [title: string, method: string, path: string, body?: object])[] = [
  ['Text', 'POST', '/v1/messages', { to: someone, type: 'text', text: 'Hello' }],
  ['Template', 'POST', '/v1/messages', { to: someone, type: 'template', template }],
  ['Batch', 'POST', '/v1/messages', { to: [someone, '+12025550111'], type: 'template', template }],
  ['Send a code', 'POST', '/v1/otp/send', { to: someone }],
  ['Verify a code', 'POST', '/v1/otp/verify', { otp_id: '', code: '' }],
  [
    'Submit a template',
    'POST',
    '/v1/templates',
    { name: 'order_shipped', category: 'utility', language: 'en', body: 'Order {{1}} arrives on {{2}}.' },
  ],
  ['List templates', 'GET', '/v1/templates'],
  ['Register an endpoint', 'POST', '/v1/webhooks', { url: 'https://sink.sandbox/app', events: ['message.received'] }],
];

function writtenOf({ method, path, headers, body }: Call): Written {
  const value = parsed(body);
  return {
    method,
    path,
    headers: Object.entries(headers)
      .map((line) => line.join(': '))
      .join('\n'),
    body: value === undefined ? (body ?? '') : JSON.stringify(value, null, 2),
  };
}

/** Methods with which browsers send no body. */
const bodiless = ['GET', 'HEAD'];

/** @returns the call, or what is wrong with what was written */
export function callOfWritten({ method, path, headers, body }: Written): Call | string {
  if (!path.startsWith('/')) return `Invalid path "${path}". Expected a path that starts with /, such as /v1/messages.`;
  const lines = headers.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line)?.slice(1));
  const wrong = pairs.indexOf(undefined);
  if (wrong >= 0) return `Invalid header "${lines[wrong] ?? ''}". Expected name: value.`;
  return {
    method,
    path,
    headers: Object.fromEntries(pairs.map(([name = '', value = ''] = []) => [name.toLowerCase(), value])),
    body: body === '' || bodiless.includes(method) ? null : body,
  };
}

export function RawEditor({ from, back }: { from: string | undefined; back: string }) {
  const { api, key, site } = model.value;
  const [, method, path, body] = examples[0] ?? ['', 'GET', '/v1/templates'];
  const written = draft<Written>(`raw/${key}`, writtenOf(callOf(method, path, body)));
  const [error, setError] = useState<string | null>(null);
  const [response, setResponse] = useState<Response | null>(null);
  const recorded = useRead(from === undefined ? null : `raw ${from}`, () => readCall(api, from ?? '')).value;
  useEffect(() => {
    if (recorded) written.value = writtenOf(repeated(recorded.call));
  }, [recorded?.call.id]);
  const change = (part: Partial<Written>) => {
    written.value = { ...written.value, ...part };
    setError(null);
  };
  const call = callOfWritten(written.value);
  const send = async () => {
    if (typeof call === 'string') {
      setError(call);
      return;
    }
    try {
      setResponse(await sendCall(call, key));
    } catch (problem) {
      if (!(problem instanceof TypeError)) throw problem;
      setError(`The browser cannot send this: ${problem.message}`);
    }
  };
  const json = written.value.body === '' || parsed(written.value.body) !== undefined;
  return (
    <Detail
      title={from === undefined ? 'New request' : 'Edit and resend'}
      label="New request"
      back={back}
      answer={
        response && (
          <Answer
            tone={response.status !== null && response.status < 300 ? 'good' : httpTone(response.status)}
            words={[response.status ?? 'no response', `${Math.round(response.durationMs)} ms`]}
          >
            {response.requestId !== null && (
              <a class="button low" href={here('requests', [response.requestId])}>
                Open in the journal
              </a>
            )}
          </Answer>
        )
      }
    >
      <form class="stack" onSubmit={submits(send)}>
        <Field label="Begin with">
          <Select
            value=""
            options={[['', 'What was written last'], ...examples.map(([title]) => [title, title] as const)]}
            onText={(title) => {
              const example = examples.find(([each]) => each === title);
              if (example) change(writtenOf(callOf(example[1], example[2], example[3])));
            }}
          />
        </Field>
        <div class="method-path">
          <Field label="Method">
            <Select
              value={written.value.method}
              options={['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].map((each) => [each, each] as const)}
              onText={(next) => change({ method: next })}
            />
          </Field>
          <Field label="Path" error={error} hint="Includes the query.">
            <TextInput class="mono" value={written.value.path} onText={(next) => change({ path: next })} />
          </Field>
        </div>
        <Field label="Headers" hint="One per line, as name: value. *** stands for the key of this account.">
          <TextArea
            class="mono"
            rows={3}
            spellcheck={false}
            value={written.value.headers}
            onText={(next) => change({ headers: next })}
          />
        </Field>
        <Field label="Body" hint={json ? 'Sent as written.' : 'Not JSON; sent as written.'}>
          <TextArea
            class="mono"
            rows={10}
            spellcheck={false}
            value={written.value.body}
            onText={(next) => change({ body: next })}
          />
        </Field>
        <p class="row">
          <Button kind="primary" type="submit" icon="send">
            Send request
          </Button>
          {typeof call !== 'string' && <CopyButton text={curlOf(call, site)} label="as curl" words="curl" />}
        </p>
      </form>
      {response && (
        <Card title="Response">
          <Body text={response.text} value={parsed(response.text)} label="response body" />
          <Headers of={response.headers} label="response headers" />
        </Card>
      )}
    </Detail>
  );
}
