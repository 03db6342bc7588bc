/** One-time codes, latest first. */
import { counted, exampleOf, here, model, type Otp, replace, spanWords, useOlder } from '../../core/index.js';
import { CopyButton, EmptyState, RelativeTime, SearchField, StatusBadge, VirtualList } from '../../parts/index.js';
import { grouped, lifeLeft, stateAt } from './code.js';

interface Props {
  /** Newest first, filtered by the search. */
  readonly rows: readonly Otp[];
  readonly current: string | undefined;
  readonly named: string | undefined;
  readonly search: string;
}

export function CodeList({ rows, current, named, search }: Props) {
  const { otps } = model.value;
  const state = otps.state.value;
  const few = search !== '' && rows.length < 20 && otps.more.value;
  // A match may be older than the loaded records.
  useOlder(otps, few);
  return (
    <>
      <header class="list-head row">
        <SearchField
          label="Search codes"
          placeholder="Number or template"
          value={search}
          onChange={(q) => replace(here('codes', named === undefined ? [] : [named], { q }))}
        />
      </header>
      {state === 'ready' && rows.length === 0 && !few ? (
        <NoCodes search={search} />
      ) : (
        <VirtualList
          label="One-time codes"
          rows={rows}
          keyOf={({ otp_id }) => otp_id}
          estimate={92}
          reveal={named}
          onNearEnd={() => void otps.older()}
          row={(otp) => <Entry otp={otp} current={otp.otp_id === current} search={search} />}
        />
      )}
    </>
  );
}

function Entry({ otp, current, search }: { otp: Otp; current: boolean; search: string }) {
  const { otp_id: id, to, code, template } = otp;
  return (
    <div class={`list-entry grid ruled relative${current ? ' current' : ''}`}>
      <p class="code-top">
        <a class="row-link mono" href={here('codes', [id], { q: search })} aria-current={current ? 'true' : undefined}>
          {to}
        </a>
        <CodeState otp={otp} />
      </p>
      <p class="code-line">
        <CodeFigures code={code} />
        <span class="above relative">
          <CopyButton text={code} label={`code ${code}`} />
        </span>
      </p>
      <LifeBar otp={otp} />
      <p class="code-facts wraps small-text figures faint">
        <Life otp={otp} />
        <Attempts otp={otp} />
        <span class="code-template clips shrinks">{template}</span>
      </p>
    </div>
  );
}

function NoCodes({ search }: { search: string }) {
  if (search !== '') {
    return (
      <EmptyState icon="search" title="No code matches">
        <p>None was sent to a number, or with a template, that contains “{search}”.</p>
      </EmptyState>
    );
  }
  const { site } = model.value;
  const template = exampleOf(site, 'POST', '/v1/templates', {
    name: 'login_code',
    category: 'authentication',
    language: 'en',
  });
  const send = exampleOf(site, 'POST', '/v1/otp/send', { to: '+12025550110' });
  return (
    <EmptyState icon="key" title="No codes yet" command={`${template}\n# once it is approved:\n${send}`}>
      <p>
        Codes that your application sends appear here. They need an approved template in the authentication category:
      </p>
    </EmptyState>
  );
}

export function CodeFigures({ code }: { code: string }) {
  return (
    <span class="code-figures">
      <span class="for-readers">{code}</span>
      <span aria-hidden="true">
        {grouped(code).map((group, at) => (
          <span key={at}>{group}</span>
        ))}
      </span>
    </span>
  );
}

export function CodeState({ otp }: { otp: Otp }) {
  const state = stateAt(otp, model.value.clock.second.value);
  return <StatusBadge status={state} {...(state === 'active' && { tone: 'wait' })} />;
}

export function Attempts({ otp: { attempts_remaining: left } }: { otp: Otp }) {
  return <span class="attempts">{counted(left, 'attempt')} left</span>;
}

/** The time left on the account's clock; afterwards, the final state. */
export function Life({ otp }: { otp: Otp }) {
  const nowMs = model.value.clock.second.value;
  const state = stateAt(otp, nowMs);
  if (state === 'verified' && otp.verified_at !== null) {
    return (
      <span class="life">
        verified <RelativeTime at={otp.verified_at} />
      </span>
    );
  }
  if (state === 'expired') {
    return (
      <span class="life">
        expired <RelativeTime at={otp.expires_at} />
      </span>
    );
  }
  const leftMs = nowMs === null ? 0 : Date.parse(otp.expires_at) - nowMs;
  return (
    <span class="life">
      <time dateTime={otp.expires_at} title={otp.expires_at}>
        {leftMs > 0 ? `expires in ${spanWords(leftMs)}` : 'expired'}
      </time>
    </span>
  );
}

/** The remaining time as a bar. */
export function LifeBar({ otp }: { otp: Otp }) {
  const nowMs = model.value.clock.second.value;
  if (nowMs === null || stateAt(otp, nowMs) !== 'active') return null;
  const left = lifeLeft(otp, nowMs);
  return (
    <span class={`life-bar clips round${left < 0.2 ? ' short' : ''}`} aria-hidden="true">
      <span style={{ width: `${left * 100}%` }} />
    </span>
  );
}
