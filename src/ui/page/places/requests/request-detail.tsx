import { type Api, curlOf, go, here, type JournalRequest, model, sendCall, toast } from '../../core/index.js';
import { Body, Button, Card, CopyButton, Detail, Headers, httpTone, idPair, Item } from '../../parts/index.js';
import { type ItemProps, Notice, Time } from '../../parts/index.js';
import { bodyText, durationWords, madeBy, operations, repeated, resultOf } from './call.js';

export function RequestDetail({ id, back }: ItemProps) {
  return (
    <Item one="request" id={id} back={back} read={() => readCall(model.value.api, id)} nouns={[]}>
      {(read) => <Shown {...read} back={back} />}
    </Item>
  );
}

export async function readCall(api: Api, id: string) {
  // A list, which may be empty: the browser would log a failed lookup as an error.
  const [known] = (await api.get('/_sandbox/requests', { query: { id } })).items;
  if (!known) return null;
  const call = await api.get('/_sandbox/requests/{id}', { path: { id } });
  const { otp_id: codeId } = Object(call.request.body) as { otp_id?: unknown };
  if (typeof codeId !== 'string') return { call, phone: null };
  const query = { otp_id: codeId };
  const codes = await api.get('/_sandbox/otps', { query }).catch(() => ({ items: [] }));
  return { call, phone: codes.items[0]?.to ?? null };
}

/** Number of records with a link each; a batch may have created a hundred. */
const mostNamed = 8;

function Shown({ call, phone, back }: { call: JournalRequest; phone: string | null; back: string }) {
  const { id, at, operation, method, path, status, request, response, warnings } = call;
  const made = madeBy(call);
  const result = resultOf(call);
  // A code that was wrong is the one result of a success.
  const wrongCode = result !== null && status !== null && status < 300;
  return (
    <Detail
      title={
        <>
          <span class="soft">{method}</span> {path}
          {request.query !== undefined && <span class="soft">?{request.query}</span>}
        </>
      }
      label={`${method} ${path}`}
      back={back}
      tone={wrongCode ? 'warn' : status !== null && status < 300 ? 'good' : httpTone(status)}
      words={[
        status ?? 'no response',
        call.error,
        wrongCode && result,
        phone,
        operations.find(([each]) => each === operation)?.[1],
        durationWords(call.duration_ms),
        <Time at={at} />,
      ]}
      actions={
        <>
          <Replay call={call} />
          <a class="button low" href={here('requests', ['new'], { from: id })}>
            Edit and resend
          </a>
          <CopyButton text={curlOf(repeated(call), model.value.site)} label="as curl" words="curl" />
        </>
      }
      lead={
        <>
          {result !== null && !wrongCode && (
            <Notice tone={httpTone(status) === 'bad' ? 'bad' : 'warn'}>{result}</Notice>
          )}
          {warnings.map((warning) => (
            <Notice tone="warn" key={warning}>
              {warning}
            </Notice>
          ))}
        </>
      }
      explain={call.explain}
      ids={[idPair('Request id', id), ['Operation', operation]]}
    >
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
          <Body text={bodyText(request)} value={request.body} label="request body" missing={missingWords(request)} />
          <Headers of={request.headers} label="request headers" />
        </Card>
        <Card title="Response">
          {response ? (
            <>
              <Body value={response.body} label="response body" cut={response.truncated === true} />
              <Headers of={response.headers} label="response headers" />
            </>
          ) : (
            <p class="soft small">No response: a fault broke the connection.</p>
          )}
        </Card>
      </div>
    </Detail>
  );
}

/** Bytes that were not JSON are not kept. */
function missingWords(request: JournalRequest['request']): string {
  const lost = Number(request.headers['content-length'] ?? 0);
  return lost > 0 ? `${lost} bytes that were not JSON, and are not kept.` : 'No body.';
}

function Replay({ call }: { call: JournalRequest }) {
  const replay = async () => {
    const { requestId, status } = await sendCall(repeated(call));
    if (requestId === null) toast('bad', 'No response: a fault closed the connection, or the sandbox is not running.');
    else {
      toast('good', `Replayed: ${status ?? 'no response'}.`);
      go(here('requests', [requestId]));
    }
  };
  return <Button kind="low primary" icon="restart" onClick={() => void replay()} words="Replay" />;
}
