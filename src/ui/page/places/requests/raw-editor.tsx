import { useEffect, useState } from 'preact/hooks';
import { type Call, callOf, curlOf, draft, here, model, parsed, type Response } from '../../core/index.js';
import { route, sendCall } from '../../core/index.js';
import { AreaField, Body, Button, Card, CopyButton, Detail, Headers, httpTone } from '../../parts/index.js';
import { SelectField, submits, TextField } from '../../parts/index.js';
import { repeated } from './call.js';
import { readCall } from './request-detail.js';

type Written = Readonly<Record<'method' | 'path' | 'headers' | 'body', string>>;

const first = callOf('POST', '/v1/messages', { to: '+12025550110', type: 'text', text: 'Hello' });

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

export function RawEditor({ back }: { back: string }) {
  const { api, key, site } = model.value;
  const { from } = route.value.query;
  const written = draft<Written>(`raw/${key}`, writtenOf(first));
  const [error, setError] = useState<string | null>(null);
  const [response, setResponse] = useState<Response | null>(null);
  const change = (part: Partial<Written>) => {
    written.value = { ...written.value, ...part };
    setError(null);
  };
  useEffect(() => {
    if (from !== undefined) void readCall(api, from).then((read) => read && change(writtenOf(repeated(read.call))));
  }, [from]);
  const call = callOfWritten(written.value);
  const send = async () => {
    if (typeof call === 'string') {
      setError(call);
      return;
    }
    try {
      setResponse(await sendCall(call));
    } catch (problem) {
      if (!(problem instanceof TypeError)) throw problem;
      setError(`The browser cannot send this: ${problem.message}`);
    }
  };
  const of = (name: keyof Written) => ({
    value: written.value[name],
    onText: (text: string) => change({ [name]: text }),
  });
  const json = written.value.body === '' || parsed(written.value.body) !== undefined;
  return (
    <Detail
      title={from === undefined ? 'New request' : 'Edit and resend'}
      label="New request"
      back={back}
      tone={response?.status && response.status < 300 ? 'good' : httpTone(response?.status ?? null)}
      words={response ? [response.status ?? 'no response', `${Math.round(response.durationMs)} ms`] : []}
      actions={
        response?.requestId && (
          <a class="button low" href={here('requests', [response.requestId])}>
            Open in the journal
          </a>
        )
      }
    >
      <form class="stack" onSubmit={submits(send)}>
        <div class="method-path">
          <SelectField label="Method" options={['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']} {...of('method')} />
          <TextField label="Path" error={error} hint="Includes the query." class="mono" {...of('path')} />
        </div>
        <AreaField
          label="Headers"
          hint="One per line, as name: value. *** stands for the key of this account."
          class="mono"
          rows={3}
          spellcheck={false}
          {...of('headers')}
        />
        <AreaField
          label="Body"
          hint={json ? 'Sent as written.' : 'Not JSON; sent as written.'}
          class="mono"
          rows={10}
          spellcheck={false}
          {...of('body')}
        />
        <p class="row">
          <Button kind="primary" type="submit" icon="send" words="Send request" />
          {typeof call !== 'string' && <CopyButton text={curlOf(call, site)} label="as curl" words="curl" />}
        </p>
      </form>
      {response && (
        <Card title="Response">
          <Body text={response.text} label="response body" />
          <Headers of={response.headers} label="response headers" />
        </Card>
      )}
    </Detail>
  );
}
