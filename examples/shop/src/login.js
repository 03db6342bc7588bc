/**
 * Signing in by one-time code. The service knows the code and counts wrong ones. The shop limits how many codes a
 * number may request, because each new code allows new guesses, and costs money.
 *
 * @typedef {ReturnType<typeof createLogin>} LoginDesk
 * @typedef {{ status: number, body: object, retryAfterMs?: number }} Reply for the browser
 */
import { createHash } from 'node:crypto';
import { delayMs } from './api.js';

const TEMPLATE = 'login_code';
const HOUR_MS = 3_600_000;
const CODES_AN_HOUR = 5;
/** Number of codes with too many wrong guesses before the number is locked. */
const STRIKES_AN_HOUR = 3;
const RESEND_AFTER_MS = 60_000;
/** No customer waits longer than this for a code. */
const PATIENCE_MS = 600_000;
const KEEP_MS = 24 * HOUR_MS;

/** @param {string} code */
const digestOf = (code) => createHash('sha256').update(code).digest('hex');

/**
 * @param {object} parts
 * @param {import('./store.js').Store} parts.store
 * @param {import('./clock.js').Clock} parts.clock
 * @param {import('./api.js').Api} parts.api
 * @param {import('./templates.js').Templates} parts.templates
 * @param {() => string} parts.newId
 * @param {(line: string) => void} parts.log
 */
export function createLogin({ store, clock, api, templates, newId, log }) {
  const { logins, guards } = store;

  const sending = () => [...logins.values()].filter(({ state }) => state === 'sending');

  /**
   * Counts a code or a locked code within the last hour.
   * @param {string} phone
   */
  function guard(phone) {
    const recent = (/** @type {number[]} */ times) => times.filter((at) => at > clock.now() - HOUR_MS);
    const { codes, strikes } = guards.get(phone) ?? { codes: [], strikes: [] };
    const found = { codes: recent(codes), strikes: recent(strikes) };
    guards.set(phone, found);
    return found;
  }

  /**
   * @param {string} phone
   * @returns {Reply | null} the reason why no code is sent now
   */
  function objection(phone) {
    const { codes, strikes } = guard(phone);
    const [full] = [strikes.length >= STRIKES_AN_HOUR && strikes, codes.length >= CODES_AN_HOUR && codes].filter(
      Boolean,
    );
    if (full) return tooEarly('locked_out', (full[0] ?? 0) + HOUR_MS);
    const latest = [...logins.values()].findLast((login) => login.phone === phone);
    const isFresh = latest && (latest.state === 'sending' || latest.state === 'sent');
    return isFresh && latest.sentMs + RESEND_AFTER_MS > clock.now()
      ? tooEarly('code_is_on_its_way', latest.sentMs + RESEND_AFTER_MS)
      : null;
  }

  /** @param {string} error @param {number} atMs @returns {Reply} */
  const tooEarly = (error, atMs) => ({ status: 429, body: { error }, retryAfterMs: Math.max(atMs - clock.now(), 0) });

  /** @param {import('./store.js').Login} login */
  function order(login) {
    guard(login.phone).codes.push(clock.now());
    const now = clock.now();
    Object.assign(login, {
      state: 'sending',
      otpId: null,
      sentMs: now,
      dueMs: now,
      tries: 0,
      uncertain: null,
      heard: false,
    });
  }

  /** @param {import('./store.js').Login} login */
  async function sendCode(login) {
    if (clock.now() > login.sentMs + PATIENCE_MS) {
      login.state = 'failed';
      return;
    }
    login.tries += 1;
    const outcome = await api.sendCode(login.phone, TEMPLATE);
    if (outcome.kind === 'done')
      Object.assign(login, { state: 'sent', otpId: outcome.body.otp_id, sentMs: clock.now() });
    else if (outcome.kind === 'refused') login.state = 'failed';
    else {
      // Unlike a message, a code can safely be sent twice: only the newer one is valid.
      login.dueMs = clock.now() + delayMs(outcome, login.tries);
    }
    if (outcome.kind !== 'done') log(`no code for ${login.phone} yet: ${outcome.why}`);
  }

  /** @param {import('./store.js').Login} login @param {'expired' | 'locked'} state @returns {Reply} */
  function dead(login, state) {
    if (login.state === 'sent' && state === 'locked') guard(login.phone).strikes.push(clock.now());
    login.state = state;
    return { status: 410, body: { error: `code_${state}`, then: 'ask for a new one' } };
  }

  /** @param {import('./store.js').Login} login @returns {Reply} */
  function signedIn(login) {
    login.state = 'signed in';
    // Here, a shop would set its session cookie.
    return { status: 200, body: { signed_in: true } };
  }

  function forget() {
    for (const [id, { startedMs }] of logins) {
      if (startedMs > clock.now() - KEEP_MS) return;
      logins.delete(id);
    }
  }

  return {
    /** @param {string} phone @returns {Reply} */
    start(phone) {
      forget();
      const refusal = objection(phone);
      if (refusal) return refusal;
      // The browser gets an id of the shop. With the service's own id, anyone could use up the attempts.
      const id = newId();
      /** @type {import('./store.js').Login} */
      const login = {
        phone,
        state: 'sending',
        otpId: null,
        startedMs: clock.now(),
        sentMs: 0,
        dueMs: 0,
        tries: 0,
        uncertain: null,
        heard: false,
      };
      logins.set(id, login);
      order(login);
      return { status: 202, body: { login: id } };
    },
    /** @param {string} id @returns {Reply} */
    resend(id) {
      const login = logins.get(id);
      if (!login || login.state === 'signed in') return { status: 404, body: { error: 'no_such_login' } };
      const refusal = objection(login.phone);
      if (refusal) return refusal;
      order(login);
      return { status: 202, body: { login: id } };
    },
    /** @param {string} id @returns {Reply} */
    show(id) {
      const login = logins.get(id);
      return login ? { status: 200, body: { state: login.state } } : { status: 404, body: { error: 'no_such_login' } };
    },
    /** @param {string} id @param {string} code a text, because 042042 is not a number @returns {Promise<Reply>} */
    async enter(id, code) {
      const login = logins.get(id);
      if (!login || login.state === 'signed in') return { status: 404, body: { error: 'no_such_login' } };
      const { state, otpId } = login;
      // An expired or locked code never becomes valid again, so it is not verified again.
      if (state === 'expired' || state === 'locked') return dead(login, state);
      if (otpId === null) return { status: 409, body: { error: 'no_code_sent_yet' } };
      if (login.heard && login.uncertain === digestOf(code)) return signedIn(login);
      const outcome = await api.verifyCode(otpId, code);
      if (outcome.kind === 'done') {
        if (outcome.body.valid === true) return signedIn(login);
        const left = Number(outcome.body.attempts_remaining);
        return left === 0 ? dead(login, 'locked') : { status: 401, body: { error: 'wrong_code', attempts_left: left } };
      }
      // Unknown because it was already used by the try whose response was lost: otp.verified is on its way.
      const isSpent = outcome.kind === 'refused' && outcome.code === 'not_found' && login.uncertain === digestOf(code);
      if (outcome.kind === 'refused' && !isSpent) {
        log(`a code of ${login.phone} was refused: ${outcome.why}`);
        return dead(login, outcome.code === 'otp_max_attempts' ? 'locked' : 'expired');
      }
      // If the code was correct, otp.verified follows, and the same code signs the customer in (a used code is
      // unknown).
      if (outcome.kind === 'uncertain') login.uncertain = digestOf(code);
      return { status: 503, body: { error: 'try_again' }, retryAfterMs: delayMs(outcome, 1) };
    },
    /** @param {Record<string, any>} data of otp.verified */
    hear({ otp_id: otpId }) {
      for (const login of logins.values()) if (login.otpId !== null && login.otpId === otpId) login.heard = true;
    },
    due() {
      const times = templates.isUsable(TEMPLATE) ? sending().map(({ dueMs }) => dueMs) : [];
      return times.length > 0 ? Math.min(...times) : null;
    },
    async run() {
      for (const login of sending()) if (login.dueMs <= clock.now()) await sendCode(login);
      await store.save();
    },
  };
}
