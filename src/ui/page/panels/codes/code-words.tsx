/** A code in large digits, its state, its remaining attempts and its remaining time. */
import { model, type Otp, spanWords } from '../../core/index.js';
import { RelativeTime, StatusBadge } from '../../parts/index.js';
import { grouped, lifeLeft, stateAt } from './code.js';

export function CodeFigures({ code }: { readonly code: string }) {
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

export function CodeState({ otp }: { readonly otp: Otp }) {
  const state = stateAt(otp, model.value.clock.second.value);
  return <StatusBadge status={state} {...(state === 'active' && { tone: 'wait' })} />;
}

export function Attempts({ otp: { attempts_remaining: left } }: { readonly otp: Otp }) {
  return (
    <span class="attempts">
      {left} {left === 1 ? 'attempt' : 'attempts'} left
    </span>
  );
}

/** The time left on the account's clock; afterwards, the final state. */
export function Life({ otp }: { readonly otp: Otp }) {
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
export function LifeBar({ otp }: { readonly otp: Otp }) {
  const nowMs = model.value.clock.second.value;
  if (nowMs === null || stateAt(otp, nowMs) !== 'active') return null;
  const left = lifeLeft(otp, nowMs);
  return (
    <span class={`life-bar${left < 0.2 ? ' short' : ''}`} aria-hidden="true">
      <span style={{ width: `${left * 100}%` }} />
    </span>
  );
}
