/** One call: what became of it, its body beside the response, and what it created. */
import { useState } from 'preact/hooks';
import {
  type Api,
  curlOf,
  done,
  go,
  here,
  type JournalRequest,
  model,
  sendCall,
  toast,
  useRead,
} from '../../core/index.js';
import {
  Answer,
  Body,
  Button,
  Card,
  Copied,
  CopyButton,
  Detail,
  Empty,
  Headers,
  httpTone,
  Loading,
  More,
  Notice,
  Pairs,
  Time,
  Why,
} from '../../parts/index.js';
import { bodyText, madeBy, operations, repeated, resultOf } from './call.js';
import { durationWords } from './request-list.js';

export function RequestDetail({ id, back }: { id: string; back: string }) {
  const { api } = model.value;
  const read = useRead(`request ${id}`, () => readCall(api, id)).value;
  if (read === undefined) return <Loading />;
  if (read === null) {
    return (
      <Empty title="This request is not in the journal">
        <p>
          The journal was cleared, newer requests have replaced {id}, or another account made it.{' '}
          <a href={back}>All requests</a>
        </p>
      </Empty>
    );
  }
  return <Shown {...read} back={back} />;
}

/** A call, and the number that a verified code was sent to. */
export async function readCall(api: Api, id: string) {
  // A list, which may be empty: the browser would log a failed lookup as an error.
  const [known] = (await done(api.GET('/_sandbox/requests', { params: { query: { id } } }))).items;
  if (!known) return null;
  const call = await done(api.GET('/_sandbox/requests/{id}', { params: { path: { id } } }));
  const { otp_id: codeId } = Object(call.request.body) as { otp_id?: unknown };
  if (typeof codeId !== 'string') return { call, phone: null };
  const query = { otp_id: codeId };
  const codes = await done(api.GET('/_sandbox/otps', { params: { query } })).catch(() => ({ items: [] }));
  return { call, phone: codes.items[0]?.to ?? null };
}

/** Number of records with a link each; a batch may have created a hundred. */
const mostNamed = 8;

function Shown({ call, phone, back }: { call: JournalRequest; phone: string | null; back: string }) {
  const { id, at, operation, method, path, status, duration_ms: ms, request, response, warnings, explain } = call;
  const made = madeBy(call);
  const result = resultOf(call);
  const text = bodyText(request);
  const wrongCode = result !== null && status !== null && status < 300;
  return (
    <Detail
      title={
        <span class="breaks">
          <span class="soft">{method}</span> {path}
          {request.query !== undefined && <span class="soft">?{request.query}</span>}
        </span>
      }
      label={`${method} ${path}`}
      back={back}
      answer={
        <Answer
          tone={wrongCode ? 'warn' : status !== null && status < 300 ? 'good' : httpTone(status)}
          words={[
            status ?? 'no response',
            call.error,
            wrongCode ? result : null,
            phone,
            operations.find(([each]) => each === operation)?.[1],
            durationWords(ms),
            <Time key="at" at={at} />,
          ]}
        >
          <Replay call={call} />
          <a class="button low" href={here('requests', ['new'], { from: id })}>
            Edit and resend
          </a>
          <CopyButton text={curlOf(repeated(call), model.value.site)} label="as curl" words="curl" />
        </Answer>
      }
    >
      {result !== null && !wrongCode && <Notice tone={httpTone(status) === 'bad' ? 'bad' : 'warn'}>{result}</Notice>}
      {warnings.map((warning) => (
        <Notice tone="warn" key={warning}>
          {warning}
        </Notice>
      ))}
      <Why explain={explain} />
      {made.length > 0 && (
        <p class="row small">
          {made.slice(0, mostNamed).map(({ title, place, path: to }) => (
            <a key={to.join('/')} href={here(place, to)}>
              {title}
            </a>
          ))}
          {made.length > mostNamed && <span class="soft">and {made.length - mostNamed} more</span>}
        </p>
      )}
      <div class="sides">
        <Card title="Request">
          <Body text={text} value={request.body} label="request body" missing={missingWords(request)} />
          <Headers of={request.headers} label="request headers" />
        </Card>
        <Card title="Response">
          {response ? (
            <>
              <Body
                text={
                  typeof response.body === 'string'
                    ? response.body
                    : response.body === null
                      ? null
                      : JSON.stringify(response.body)
                }
                value={response.body}
                label="response body"
                cut={response.truncated === true}
              />
              <Headers of={response.headers} label="response headers" />
            </>
          ) : (
            <p class="soft small">No response: a fault broke the connection.</p>
          )}
        </Card>
      </div>
      <More title="Ids">
        <Pairs
          of={[
            ['Request id', <Copied key="id" text={id} label="request id" />],
            ['Operation', operation],
          ]}
        />
      </More>
    </Detail>
  );
}

/** Bytes that were not JSON are not kept. */
function missingWords(request: JournalRequest['request']): string {
  const lost = Number(request.headers['content-length'] ?? 0);
  return lost > 0 ? `${lost} bytes that were not JSON, and are not kept.` : 'No body.';
}

/** Sends the recorded call again, and opens the new one. */
function Replay({ call }: { call: JournalRequest }) {
  const { key } = model.value;
  const [busy, setBusy] = useState(false);
  const replay = async () => {
    if (busy) return;
    setBusy(true);
    const { requestId, status } = await sendCall(repeated(call), key);
    setBusy(false);
    if (requestId === null) toast('bad', 'No response: a fault closed the connection, or the sandbox is not running.');
    else {
      toast('good', `Replayed: ${status ?? 'no response'}.`);
      go(here('requests', [requestId]));
    }
  };
  return (
    <Button kind="low primary" icon="restart" onClick={() => void replay()}>
      Replay
    </Button>
  );
}
