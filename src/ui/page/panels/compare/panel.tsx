/** Two calls or deliveries in one text, with removed and added lines. */
import { here, model, type Route, useRecord } from '../../core/index.js';
import { EmptyState, Pair, RelativeTime } from '../../parts/index.js';
import { differenceOf, type Line } from './difference.js';
import { partNames, sideOfDelivery, sideOfRequest, type Part, type Side } from './sides.js';
import './compare.css';

/** `compare/LEFT/RIGHT`, each `request:ID` or `delivery:ID`, or `delivery:ID:ATTEMPT`. */
export function Compare({ route: { path } }: { readonly route: Route }) {
  const [left, right] = [useSide(path[0]), useSide(path[1])];
  if (left === undefined || right === undefined) return <p class="starting faint">Loading …</p>;
  if (left === null || right === null) {
    return (
      <EmptyState icon="search" title="One of the two is not in this account">
        <p>It was cleared or reset. Select two requests or deliveries to compare them.</p>
        <a href={here('requests')}>All requests</a>
      </EmptyState>
    );
  }
  return (
    <article class="detail compare" aria-label="Comparison">
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
  const { api, requests, deliveries } = model.value;
  const [kind, id = '', attempt] = token.split(':');
  const request = useRecord(requests, kind === 'request' ? id : undefined, (each) =>
    api.get('/_sandbox/requests/{id}', { path: { id: each } }),
  );
  const delivery = useRecord(deliveries, kind === 'delivery' ? id : undefined, (each) =>
    api.get('/_sandbox/deliveries/{id}', { path: { id: each } }),
  );
  if (kind === 'request') return request && sideOfRequest(request);
  return delivery && sideOfDelivery(delivery, attempt);
}

function SideLine({ mark, side: { title, at, panel, path } }: { readonly mark: string; readonly side: Side }) {
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

function PartView({ part, left, right }: { readonly part: Part; readonly left: string; readonly right: string }) {
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
        <pre class="difference breaks" tabIndex={0} aria-label={`Differences of ${part.toLowerCase()}`}>
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
