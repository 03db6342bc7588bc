/** Two calls or deliveries in one text, with removed and added lines. */
import { here, model, type Route, useRecord } from '../../core/index.js';
import type { Delivery, JournalRequest } from '../../core/records.js';
import { EmptyState, Loading, Pair, RelativeTime } from '../../parts/index.js';
import { bodyText } from '../requests/call.js';
import { differenceOf, type Line } from './difference.js';
import './compare.css';

/** `compare/LEFT/RIGHT`, each `request:ID` or `delivery:ID`, or `delivery:ID:ATTEMPT`. */
export function Compare({ route: { path } }: { route: Route }) {
  const [left, right] = [useSide(path[0]), useSide(path[1])];
  if (left === undefined || right === undefined) return <Loading />;
  if (left === null || right === null) {
    return (
      <EmptyState icon="search" title="One of the two is not in this account">
        <p>It was cleared or reset. Select two requests or deliveries to compare them.</p>
        <a href={here('requests')}>All requests</a>
      </EmptyState>
    );
  }
  return (
    <article class="detail compare full scrolls" aria-label="Comparison">
      <header class="compare-head row">
        <h2>Comparison</h2>
        <dl class="pairs">
          <SideLine mark="−" side={left} />
          <SideLine mark="+" side={right} />
        </dl>
        <a class="button small" href={here('compare', [path[1] ?? '', path[0] ?? ''])}>
          Swap sides
        </a>
      </header>
      {partNames.map((part) => (
        <PartView key={part} part={part} left={left.parts[part]} right={right.parts[part]} />
      ))}
    </article>
  );
}

/** @returns undefined while it is loading, null if there is none */
function useSide(token = ''): Side | null | undefined {
  const { requests, deliveries } = model.value;
  const [kind, id = '', attempt] = token.split(':');
  const request = useRecord(requests, kind === 'request' ? id : undefined);
  const delivery = useRecord(deliveries, kind === 'delivery' ? id : undefined);
  if (kind === 'request') return request && sideOfRequest(request);
  return delivery && sideOfDelivery(delivery, attempt);
}

function SideLine({ mark, side: { title, at, panel, path } }: { mark: string; side: Side }) {
  return (
    <Pair name={mark}>
      <a href={here(panel, path)}>{title}</a>
      <span class="faint">
        <RelativeTime at={at} as="time" /> UTC
      </span>
    </Pair>
  );
}

const marks: Readonly<Record<Line['kind'], string>> = { same: ' ', removed: '−', added: '+', skipped: '⋯' };

function PartView({ part, left, right }: { part: Part; left: string; right: string }) {
  const { result, lines } = differenceOf(left, right);
  const words = {
    same: left === '' ? 'Both are empty.' : 'The same.',
    equal: 'The same JSON, written differently:',
    different: null,
    'too-large': 'More than 2,000 lines differ, so no comparison is shown.',
  }[result];
  return (
    <section class="card" aria-label={part}>
      <h3>{part}</h3>
      {words !== null && <p class="faint">{words}</p>}
      {lines.length > 0 && (
        <pre class="difference sunken breaks" tabIndex={0} aria-label={`Differences of ${part.toLowerCase()}`}>
          {lines.map(({ kind, text }, at) => {
            const Tag = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span';
            return (
              <Tag key={at} class={kind}>
                <span class="difference-mark">{marks[kind]}</span>
                {text}
                {'\n'}
              </Tag>
            );
          })}
        </pre>
      )}
    </section>
  );
}

/** One of the two, as text. */
interface Side {
  readonly title: string;
  readonly at: string;
  readonly panel: string;
  readonly path: readonly string[];
  readonly parts: Readonly<Record<Part, string>>;
}

const partNames = ['Request body', 'Response body', 'Request headers', 'Response headers'] as const;
type Part = (typeof partNames)[number];

type Headers = Readonly<Record<string, string | readonly string[]>>;

function sideOfRequest(call: JournalRequest): Side {
  const { id, at, method, path, status, request, response } = call;
  const body = response?.body ?? null;
  return {
    title: `${method} ${path} · ${status ?? 'no response'}`,
    at,
    panel: 'requests',
    path: [id],
    parts: {
      'Request body': bodyText(request) ?? '',
      'Response body': body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body),
      'Request headers': headerLines(request.headers),
      'Response headers': headerLines(response?.headers ?? {}),
    },
  };
}

/** @param number of the attempt; the latest by default */
function sideOfDelivery(delivery: Delivery, number?: string): Side {
  const { id, event_type: type, attempts, payload, created_at: created } = delivery;
  const attempt = attempts.find((each) => String(each.number) === number) ?? attempts.at(-1);
  const result = attempt ? `attempt ${attempt.number} · ${attempt.status ?? 'no response'}` : 'no attempt yet';
  return {
    title: `${type}, ${result}`,
    at: attempt?.at ?? created,
    panel: 'webhooks',
    path: ['deliveries', id, ...(attempt ? [String(attempt.number)] : [])],
    parts: {
      'Request body': attempt?.request.body ?? payload ?? '',
      'Response body': attempt?.response?.body ?? '',
      'Request headers': headerLines(attempt?.request.headers ?? {}),
      'Response headers': headerLines(attempt?.response?.headers ?? {}),
    },
  };
}

function headerLines(headers: Headers): string {
  return Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`))
    .sort()
    .join('\n');
}
