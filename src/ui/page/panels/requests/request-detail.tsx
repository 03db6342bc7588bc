/** One call: request and response, the reason for the response, and the records that it created. */
import { useState } from 'preact/hooks';
import {
  counted,
  curlOf,
  go,
  here,
  type JournalRequest,
  model,
  type Query,
  toast,
  useRecord,
  wide,
} from '../../core/index.js';
import { ExchangeSide } from '../../parts/exchange-side.js';
import {
  Button,
  Card,
  CopiedPair,
  CopyButton,
  EmptyState,
  HttpBadge,
  Icon,
  Loading,
  Notice,
  Pair,
  RelativeTime,
  WhyCard,
} from '../../parts/index.js';
import { CompareButton } from '../compare/compare-button.js';
import { sendCall } from '../send/send.js';
import { batchWords, bodyText, faultWords, lostBytes, madeBy, rejectionOf, repeated } from './call.js';
import { operationTitle, type Wanted } from './filter.js';
import { durationWords } from './request-list.js';

interface Props {
  readonly id: string;
  readonly wanted: Wanted;
  /** Shows bodies as text instead of a tree. */
  readonly raw: boolean;
}

export function RequestDetail({ id, wanted, raw }: Props) {
  const { requests } = model.value;
  const call = useRecord(requests, id);
  if (call === undefined) return <Loading />;
  if (call === null) {
    return (
      <EmptyState icon="requests" title="This request is not in the journal">
        <p>The journal was cleared, newer requests have replaced {id}, or another account made it.</p>
        <a href={here('requests', [], { ...wanted })}>All requests</a>
      </EmptyState>
    );
  }
  return <Shown call={call} wanted={wanted} raw={raw} />;
}

function Shown({ call, wanted, raw }: Omit<Props, 'id'> & { readonly call: JournalRequest }) {
  const { id, at, operation, method, path, status, duration_ms: ms, request, response } = call;
  const curl = curlOf(repeated(call), model.value.site);
  const lost = lostBytes(request);
  const query: Query = { ...wanted };
  return (
    <article class="detail" aria-label={`${method} ${path}`}>
      <header class="detail-head row">
        <a
          class="icon-button"
          href={here('requests', [], query)}
          aria-label={wide.value ? 'Close request' : 'All requests'}
        >
          <Icon name={wide.value ? 'close' : 'back'} />
        </a>
        <div class="detail-title">
          <h2>
            <HttpBadge status={status} />
            <span class="mono">
              <span class="faint">{method}</span> {path}
              {request.query !== undefined && <span class="faint">?{request.query}</span>}
            </span>
          </h2>
          <p class="faint">
            {operationTitle(operation)} · <RelativeTime at={at} as="time" /> UTC (<RelativeTime at={at} />) ·{' '}
            {durationWords(ms)}
          </p>
        </div>
        <div class="detail-actions">
          <Replay call={call} />
          <CopyButton text={curl} label="as curl" words />
          <CompareButton item={`request:${id}`} title={`${method} ${path} (${status ?? 'no response'})`} />
          <a class="button quiet small" href={here('requests', [id], { ...query, body: raw ? null : 'raw' })}>
            {raw ? 'Pretty bodies' : 'Raw bodies'}
          </a>
        </div>
      </header>
      <Outcome call={call} />
      <div class="sides grid gap-100">
        <ExchangeSide
          title="Request"
          headers={request.headers}
          text={bodyText(request)}
          value={raw ? null : request.body}
          open
          missing={lost > 0 ? `${lost} bytes that were not JSON, and are not kept.` : undefined}
        />
        {response ? (
          <ExchangeSide
            title="Response"
            headers={response.headers}
            text={answerText(response.body)}
            value={raw ? null : response.body}
            open
            cut={response.truncated === true}
          />
        ) : (
          <Card title="Response">
            <p class="faint">No response: a fault broke the connection.</p>
          </Card>
        )}
      </div>
    </article>
  );
}

/** Sends the recorded call again, or opens it in a form. */
function Replay({ call }: { call: JournalRequest }) {
  const { key } = model.value;
  const [busy, setBusy] = useState(false);
  const lost = lostBytes(call.request) > 0;
  const replay = async () => {
    if (busy) return;
    setBusy(true);
    const { requestId, status } = await sendCall(repeated(call), key);
    setBusy(false);
    if (requestId === null) toast('bad', 'No response: a fault closed the connection, or the sandbox is not running.');
    else {
      toast('good', `Replayed: ${status ?? 'no response'}.`, [], {
        label: 'Compare',
        run: () => go(here('compare', [`request:${call.id}`, `request:${requestId}`])),
      });
      go(here('requests', [requestId]));
    }
  };
  return (
    <>
      <Button
        kind="small"
        icon="restart"
        aria-disabled={lost}
        title={lost ? 'The body was not JSON, and is not kept' : 'Sends the same request again now'}
        onClick={() => void (lost || replay())}
      >
        Replay
      </Button>
      <a class="button small" href={here('send', [], { from: call.id })}>
        Edit and resend
      </a>
    </>
  );
}

/** Shows what decided the response, the warnings, and the records that the call created. */
function Outcome({ call }: { call: JournalRequest }) {
  const { error, fault, warnings, explain, id } = call;
  const made = madeWords(call);
  const batch = batchWords(call);
  return (
    <div class="outcome grid gap-60">
      {fault !== undefined && (
        <Notice tone="bad" icon="bolt">
          {faultWords(fault)} (<span class="mono">{fault}</span>)
        </Notice>
      )}
      {error !== undefined && (
        <Notice tone="bad" icon="alert">
          Rejected with <span class="strong mono">{error}</span>: {rejectionOf(call)}
        </Notice>
      )}
      {batch !== null && (
        <Notice tone="bad" icon="alert">
          {batch}: the response says why, recipient by recipient.
        </Notice>
      )}
      {warnings.map((warning) => (
        <Notice tone="warn" icon="alert" key={warning}>
          {warning}
        </Notice>
      ))}
      {explain && <WhyCard explain={explain} />}
      <dl class="pairs outcome-facts">
        {made !== null && (
          <Pair name={made} class="outcome-links">
            <MadeLinks call={call} />
          </Pair>
        )}
        <CopiedPair name="Id" text={id} label="request id" />
      </dl>
    </div>
  );
}

function answerText(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** Number of records with a link each; a batch may have created a hundred. */
const mostNamed = 8;

export function MadeLinks({ call }: { call: JournalRequest }) {
  const made = madeBy(call);
  return (
    <>
      {made.slice(0, mostNamed).map(({ panel, path, title, story }) => (
        <span key={path.join('/')}>
          <a class="mono" href={here(panel, path)}>
            {title}
          </a>
          {story && (
            <>
              {' '}
              (<a href={here('story', story)}>story</a>)
            </>
          )}
        </span>
      ))}
      {made.length > mostNamed && <span class="faint">and {made.length - mostNamed} more</span>}
    </>
  );
}

/** Returns `Its message` or `Its 3 messages`; null if the call created nothing. */
export function madeWords(call: JournalRequest): string | null {
  const made = madeBy(call);
  const [one] = made;
  if (!one) return null;
  return made.length === 1 ? `Its ${one.noun}` : `Its ${counted(made.length, one.noun)}`;
}
