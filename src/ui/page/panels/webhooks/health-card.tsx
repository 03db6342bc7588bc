/** The health of an endpoint: success rate, a chart of response times, a test event, and its certification. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { act, type Certification, counted, type Endpoint, exactWords, go, model, toast } from '../../core/index.js';
import { Button, Card, HelpLink, Icon, StatusBadge } from '../../parts/index.js';
import { healthOf } from './health.js';
import { deliveriesHref, deliveryHref } from './place.js';

/** Number of attempts in the chart. */
const mostDrawn = 60;
/** Pixels. */
const height = 64;
const bar = 6;

export function HealthCard({ endpoint }: { endpoint: Endpoint }) {
  const { api, deliveries } = model.value;
  const { id, url, events } = endpoint;
  const version = deliveries.version.value;
  useEffect(() => deliveries.ensureAll(), [deliveries]);
  const health = useMemo(() => healthOf(deliveries.rows, id, mostDrawn), [deliveries, version, id]);
  const { attempts, succeeded, medianMs, slowestMs } = health;
  const test = async () => {
    const [type = 'message.received'] = events;
    const made = await act(api.post('/_sandbox/events', { body: { type, webhook_id: id } }));
    const [first] = made?.deliveries ?? [];
    if (first) go(deliveryHref(first.id, undefined, {}));
  };
  const sink = url.startsWith('https://sink.sandbox/');
  return (
    <Card class="grid gap-60 small-text" title="Health">
      {attempts.length === 0 ? (
        <p class="faint">
          The success rate and response times appear after the first attempt. Send a test event to make one.
        </p>
      ) : (
        <>
          <p class="health-figures wraps">
            <span>
              <span class="strong">{Math.round((100 * succeeded) / attempts.length)} %</span> of{' '}
              {attempts.length === 1 ? 'one attempt' : `the latest ${attempts.length} attempts`} succeeded
            </span>
            {medianMs !== null && slowestMs !== null && (
              <span>
                responds in <span class="strong">{Math.round(medianMs)} ms</span>, at most {Math.round(slowestMs)} ms
              </span>
            )}
          </p>
          <Plot attempts={attempts} slowestMs={slowestMs ?? 0} />
        </>
      )}
      <p class="detail-actions">
        <Button kind="small" icon="bolt" onClick={() => void test()}>
          Send test event
        </Button>
      </p>
      {!sink && <Certify key={id} id={id} />}
    </Card>
  );
}

/**
 * A bar for each attempt: its height is the duration, green means success. An attempt without a response is a full bar.
 * The chart is one tab stop: arrow keys move between the bars, and Enter opens the attempt.
 */
function Plot({ attempts, slowestMs }: { attempts: ReturnType<typeof healthOf>['attempts']; slowestMs: number }) {
  const [at, setAt] = useState(attempts.length - 1);
  const chosen = Math.min(at, attempts.length - 1);
  const width = attempts.length * bar;
  const failed = attempts.filter(({ ok }) => !ok).length;
  const label = `Response times of ${attempts.length} attempts, oldest first; ${failed} failed`;
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: attempts.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(attempts.length - 1, to));
    setAt(next);
    (event.currentTarget as Element).querySelectorAll('a')[next]?.focus();
  };
  return (
    <svg
      class="health-plot"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {attempts.map(({ delivery, number, atMs, ok, status, tookMs }, index) => {
        const part = status === null ? 1 : slowestMs === 0 ? 0 : tookMs / slowestMs;
        const tall = Math.max(4, Math.round(part * height));
        const words = `${exactWords(atMs)}: ${status ?? 'no response'}, ${Math.round(tookMs)} ms`;
        return (
          <a
            key={`${delivery} ${number}`}
            href={deliveryHref(delivery, number, {})}
            aria-label={words}
            tabIndex={index === chosen ? 0 : -1}
            onFocus={() => setAt(index)}
          >
            <rect class="reach" x={index * bar} y={0} width={bar} height={height} />
            <rect
              class={ok ? 'good' : 'failed'}
              x={index * bar}
              y={height - tall}
              width={bar - 1.5}
              height={tall}
              rx={1}
            />
            <title>{words}</title>
          </a>
        );
      })}
    </svg>
  );
}

/** Deliveries that were held while an endpoint was paused. They are not sent automatically. */
export function Held({ endpoint: { id, status } }: { endpoint: Endpoint }) {
  const { api, deliveries } = model.value;
  const [busy, setBusy] = useState(false);
  const version = deliveries.version.value;
  useEffect(() => deliveries.ensureAll(), [deliveries]);
  const held = useMemo(
    () => deliveries.rows.filter((row) => row.webhook_id === id && row.state === 'held'),
    [deliveries, version, id],
  );
  if (held.length === 0) return null;
  const redeliver = async () => {
    setBusy(true);
    let done = 0;
    for (const each of held) {
      if (!(await act(api.post('/_sandbox/deliveries/{id}/redeliver', { path: { id: each.id } })))) break;
      done += 1;
    }
    setBusy(false);
    if (done > 0) toast('good', `${done} ${done === 1 ? 'delivery is' : 'deliveries are'} redelivered.`);
  };
  return (
    <section class="card held row gap-50" aria-label="Held deliveries">
      <p>
        <a href={deliveriesHref({ endpoint: id, state: 'held' })}>
          {counted(held.length, 'held delivery', 'held deliveries')}
        </a>
        : {status === 'paused' ? 'set the endpoint active, then redeliver.' : 'they wait until they are redelivered.'}
      </p>
      {status === 'active' && (
        <Button icon="reply" disabled={busy} onClick={() => void redeliver()}>
          Redeliver all
        </Button>
      )}
    </section>
  );
}

function Certify({ id }: { id: string }) {
  const { api } = model.value;
  const [busy, setBusy] = useState(false);
  const [report, setReport] = useState<Certification | null>(null);
  const certify = async () => {
    if (busy) return;
    setBusy(true);
    setReport(await act(api.post('/_sandbox/webhooks/{id}/certify', { path: { id } })));
    setBusy(false);
  };
  return (
    <section class="grid gap-50" aria-label="Certification">
      <p class="detail-actions">
        <Button kind="small" icon="check" aria-disabled={busy} aria-busy={busy} onClick={() => void certify()}>
          {busy ? 'Certifying …' : 'Certify'}
        </Button>
        <span class="hint">
          Sends valid, forged and corrupt events to the receiver. <HelpLink page="certify.md">What it checks</HelpLink>
        </span>
      </p>
      <div role="status">{report && <Report of={report} />}</div>
    </section>
  );
}

function Report({ of: { certified, score, required, notes, checks, unreachable } }: { of: Certification }) {
  if (unreachable !== null) return <p class="notice toned breaks bad">{unreachable}</p>;
  const failed = checks.filter(({ result }) => result === 'failed');
  const skipped = checks.length - score.total;
  return (
    <>
      <p class={`certification-score toned gap-50 row ${certified ? 'good' : 'bad'}`}>
        <Icon name={certified ? 'check' : 'close'} size={18} />
        <span class="strong">{certified ? 'Certified' : 'Not certified'}</span>
        <span>
          {score.passed} of {score.total} checks passed, {required.passed} of {required.total} required
          {skipped > 0 && `; ${skipped} skipped`}
        </span>
      </p>
      {notes.map((note) => (
        <p key={note} class="notice toned breaks warn">
          {note}
        </p>
      ))}
      {failed.length > 0 && (
        <ul class="certification-checks grid gap-60 breaks" aria-label="Failed checks">
          {failed.map(({ id, title, level, found, expected, why }) => (
            <li key={id}>
              <p>
                <StatusBadge status={level} tone={level === 'required' ? 'bad' : 'warn'} />{' '}
                <HelpLink page="certify.md#the-checks">{title}</HelpLink>
              </p>
              <p>
                Expected: {expected} Found: {found}
              </p>
              <p class="faint">{why}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
