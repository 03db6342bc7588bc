import { findOrCreateCustomer } from '../simulation/customer-writes.js';
import { planLifecycle } from '../simulation/report-status.js';
import { counted, nameInWords } from '../domain/text.js';
import { defaultLifecycle, otpDefaults } from '../domain/limits.js';
import { invalidField, ServiceError } from '../domain/errors.js';
import { otpVerifiedData } from '../domain/event.js';
import { byDefault } from '../domain/explain.js';
import { isoTime } from '../domain/instant.js';
import { checkCode, type OtpVerdict } from '../domain/otp.js';
import type { Otp, Template, TemplateCopy } from '../domain/rows.js';
import { templateBody, variableCount } from '../domain/template.js';
import type { Facts } from '../language/match.js';
import type { components } from '../generated/api.js';
import type { AccountCall } from '../account/call.js';
import type { Input } from './operation.js';
import { copyWith, requireApproved } from './template-use.js';
import { appendEvent } from '../webhooks/events.js';

type Schemas = components['schemas'];

export function sendOtp(call: AccountCall, { body }: Input<Schemas['SendOtpRequest']>): Schemas['OtpSent'] {
  const { account, nowMs } = call;
  const { store, ids } = account;
  store.requireRoom();
  const length = body.length ?? otpDefaults.length;
  const named = body.template ?? defaultTemplate(call)?.name;
  const decision = call.decide('otp.send', { phone: body.to, ...(named !== undefined && { template: named }) });
  call.applyDecision(decision);
  const template = otpTemplate(call, body.template);
  const wanted = decision.otp?.effect;
  const explain =
    decision.otp?.explain ?? byDefault('No rule or magic number sets the code: a random one, five attempts.');
  const lifecycle = decision.lifecycle;
  call.explain(decision.otp || !lifecycle ? explain : lifecycle.explain);
  const code = wanted?.code?.slice(0, length) ?? ids.code(length);
  const copy = copyWithCode(template, code);
  const expiresAtMs = nowMs + (wanted?.expiresMs ?? (body.expiry_seconds ?? otpDefaults.expirySeconds) * 1000);
  const attempts = wanted?.attempts ?? otpDefaults.attempts;
  findOrCreateCustomer(account, body.to);
  const otpId = ids.uuid();
  const message = store.tables.messages.insert({
    id: ids.uuid(),
    seq: store.nextSeq(),
    wamid: ids.wamid(body.to),
    origin: 'otp',
    customer: body.to,
    type: 'template',
    content: { template: copy },
    status: 'accepted',
    error: null,
    createdAtMs: nowMs,
    history: [{ status: 'accepted', atMs: nowMs }],
    otpId,
    ...call.trace,
    explain: lifecycle?.explain ?? explain,
  });
  planLifecycle(account, message, lifecycle?.effect ?? defaultLifecycle);
  store.tables.otps.insert({
    id: otpId,
    seq: store.nextSeq(),
    to: body.to,
    code,
    state: 'active',
    maxAttempts: attempts,
    attemptsLeft: attempts,
    createdAtMs: nowMs,
    expiresAtMs,
    verifiedAtMs: null,
    templateId: template.id,
    messageId: message.id,
    ...call.trace,
    explain,
  });
  return { otp_id: otpId, status: 'sent', expires_at: isoTime(expiresAtMs) };
}

export function verifyOtp(call: AccountCall, { body }: Input<Schemas['VerifyOtpRequest']>): Schemas['OtpVerification'] {
  const { account, nowMs } = call;
  const { otps } = account.store.tables;
  const otp = otps.get(body.otp_id);
  call.applyDecision(
    call.decide('otp.verify', otp ? verifyFacts(otp, account.store.tables.templates.get(otp.templateId)) : {}),
  );
  if (!otp)
    throw new ServiceError('not_found', `No one-time code ${nameInWords(body.otp_id)} was sent by this account.`);
  const verdict = checkCode(otp, body.code, nowMs);
  if (decidedAtSend(otp, verdict)) call.credit(otp.explain);
  switch (verdict.kind) {
    case 'spent':
      throw new ServiceError(
        'not_found',
        `The one-time code ${otp.id} was already verified; it can be used only once.`,
      );
    case 'locked':
      throw locked(otp);
    case 'expired':
      throw new ServiceError(
        'otp_expired',
        `The one-time code expired at ${isoTime(otp.expiresAtMs)}. Send a new one.`,
      );
    case 'correct':
      otps.patch(otp, { state: 'verified', verifiedAtMs: nowMs, ...call.trace });
      appendEvent(account, 'otp.verified', otp.id, otpVerifiedData(otp, nowMs));
      return { valid: true };
    case 'wrong':
      otps.patch(otp, { attemptsLeft: verdict.attemptsLeft, ...(verdict.locks && { state: 'locked' }) });
      if (verdict.locks && account.dialect.otp.lock === 'same_call') throw locked(otp);
      return { valid: false, attempts_remaining: verdict.attemptsLeft };
  }
}

function verifyFacts({ to }: Otp, template: Template | undefined): Facts {
  return { phone: to, ...(template && { template: template.name }) };
}

function decidedAtSend(otp: Otp, { kind }: OtpVerdict): boolean {
  return kind === 'expired' || ((kind === 'wrong' || kind === 'locked') && otp.maxAttempts !== otpDefaults.attempts);
}

function locked(otp: Otp): ServiceError {
  return new ServiceError(
    'otp_max_attempts',
    `The one-time code ${otp.id} is locked after ${counted(otp.maxAttempts, 'wrong code')}. Send a new one.`,
  );
}

/** A body without a placeholder is sent unchanged: the code is then on the button that the channel adds. */
function copyWithCode(template: Template, code: string): TemplateCopy {
  const count = variableCount(templateBody(template));
  if (count < 2) return copyWith(template, count === 0 ? [] : [code]);
  throw new ServiceError(
    'template_variables_mismatch',
    `Template "${template.name}" takes ${count} variables, but a one-time code fills in only one, the code. ` +
      'In "template", name an authentication template with no placeholder other than {{1}}, or create one: without a body, it has the usual text.',
    { details: [{ field: 'template', message: `"${template.name}" takes ${count} variables; a code is one` }] },
  );
}

/** The default is the template that was approved last. */
function defaultTemplate({ account }: AccountCall): Template | undefined {
  return account.store.tables.templates
    .filter(({ category, status }) => category === 'authentication' && status === 'approved')
    .toSorted((a, b) => (a.approvedSeq ?? a.seq) - (b.approvedSeq ?? b.seq))
    .at(-1);
}

function otpTemplate(call: AccountCall, name: string | undefined): Template {
  if (name === undefined) {
    const latest = defaultTemplate(call);
    if (latest) return latest;
    throw new ServiceError(
      'no_default_otp_template',
      'The account has no approved authentication template. Create one and have it approved, or name a template.',
    );
  }
  const template = call.account.store.tables.templates.all().findLast((row) => row.name === name);
  if (!template)
    throw new ServiceError('template_not_found', `The account has no template named "${nameInWords(name)}".`);
  if (template.category !== 'authentication') {
    throw invalidField('template', `must name an authentication template; "${name}" is ${template.category}`);
  }
  requireApproved(template);
  return template;
}
