import { planAnswer, findOrCreateCustomer, windowOf } from '../simulation/customer-writes.js';
import { planLifecycle } from '../simulation/report-status.js';
import { channelError, ServiceError } from '../domain/errors.js';
import { isPhone, windowLengthMs } from '../domain/customer.js';
import { defaultLifecycle } from '../domain/limits.js';
import { byDefault } from '../domain/explain.js';
import type { Explain, Message, MessageContent, MessageError, Template, TemplateCopy } from '../domain/rows.js';
import { lookupStatus } from '../domain/message.js';
import { isoTime } from '../domain/instant.js';
import { nameInWords } from '../domain/text.js';
import { isOddVariable, isTooLong, longestText } from '../domain/template.js';
import type { components } from '../generated/api.js';
import { presentMessage } from '../presenters/api.js';
import { undecided, type Decision, type LifecyclePlan, type Winner } from '../rules/effects.js';
import type { Facts } from '../language/match.js';
import { requireSound } from './semantic-validation.js';
import type { AccountCall } from '../account/call.js';
import { type Input, refusal } from './operation.js';
import { templateFacts, usableTemplate } from './template-use.js';

type SendRequest = components['schemas']['SendMessageRequest'];
type SendResponse = components['schemas']['SendResult'];
type TemplateSend = Extract<SendRequest, { type: 'template' }>;
type ConversationSend = Exclude<SendRequest, { type: 'template' }>;

export function sendMessage(call: AccountCall, { body }: Input<SendRequest>): SendResponse {
  call.account.store.requireRoom();
  if (body.type !== 'template') return sendConversation(call, body);
  return Array.isArray(body.to) ? sendBatch(call, body, body.to) : sendTemplate(call, body, body.to);
}

export function getMessage(call: AccountCall, { params }: Input<unknown, { message_id: string }>) {
  const known = call.account.store.tables.messages.get(params.message_id.toLowerCase());
  const message = known?.origin === 'api' ? known : undefined;
  call.applyDecision(call.decide('message.get', message ? lookupFacts(message) : {}));
  if (!message)
    throw new ServiceError('not_found', `No message ${nameInWords(params.message_id)} was sent by this account.`);
  return presentMessage(message);
}

function lookupFacts({ customer: phone, type, status, content: { template } }: Message): Facts {
  return { phone, type, status: lookupStatus(status), ...(template && { template: template.name }) };
}

function sendTemplate(call: AccountCall, body: TemplateSend, to: string): SendResponse {
  const known = templateOf(call, body);
  const decision = call.decide('message.send', templateFacts(known, body.template, to));
  call.applyDecision(decision);
  const template = usableTemplate(known, body.template);
  if (decision.refuse) throw refusal(decision.refuse.effect.code, decision.refuse.effect.message);
  const message = accept(call, to, 'template', { template }, decision);
  return { message_id: message.id, status: 'accepted' };
}

/**
 * Entries are independent: an invalid number, a rejection or a limit of one recipient fails that entry only. The first
 * entry with a rule for the whole response determines the response; any other limit takes one token for the call.
 */
function sendBatch(call: AccountCall, body: TemplateSend, recipients: readonly string[]): SendResponse {
  const known = templateOf(call, body);
  const decisions = recipients.map((to) =>
    isPhone(to) ? call.decide('message.send', templateFacts(known, body.template, to)) : undecided,
  );
  const respond = decisions.find((decision) => decision.respond)?.respond;
  for (const limit of limitsOfCall(decisions)) call.applyDecision({ limit });
  call.applyDecision({ ...(respond && { respond }) });
  const template = usableTemplate(known, body.template);
  const batchId = call.account.ids.uuid();
  const inOrder = recipients.map((to, i) => batchEntry(call, to, template, batchId, decisions[i] ?? undecided));
  const results = respond?.effect.results === 'reversed' ? inOrder.toReversed() : inOrder;
  return {
    batch_id: batchId,
    recipient_count: results.length,
    failed_count: results.filter((entry) => !entry.ok).length,
    status: 'queued',
    results,
  };
}

/** Once per bucket, except buckets of recipients. */
function limitsOfCall(decisions: readonly Decision[]): Winner<'limit'>[] {
  const byBucket = new Map<string, Winner<'limit'>>();
  for (const { limit } of decisions) if (limit && limit.per !== 'phone') byBucket.set(limit.key, limit);
  return [...byBucket.values()];
}

function batchEntry(call: AccountCall, to: string, template: TemplateCopy, batchId: string, decision: Decision) {
  if (!isPhone(to)) return { to, ok: false as const, error: badNumber(to) };
  const overLimit = decision.limit?.per === 'phone' ? call.takeToken(decision.limit) : null;
  if (overLimit) return { to, ok: false as const, error: overLimit };
  const refused = decision.refuse?.effect;
  if (refused) {
    const { code, message, channelCode = null } = refused;
    return { to, ok: false as const, error: { code, message, channel_code: channelCode } };
  }
  const message = accept(call, to, 'template', { template }, decision, batchId);
  return { to, ok: true as const, message_id: message.id };
}

function templateOf({ account }: AccountCall, { template }: TemplateSend): Template | undefined {
  return account.store.tables.templates.all().findLast((row) => row.name === template.name);
}

function badNumber(to: string): MessageError {
  const message = `"${nameInWords(to)}" is not an E.164 number: write + and 7 to 15 digits, the first not 0, such as +12025550101.`;
  return { code: 'validation_error', message, channel_code: null };
}

function sendConversation(call: AccountCall, body: ConversationSend): SendResponse {
  if (body.type !== 'text') requireSound('sendMessage', body);
  const content = contentOf(body);
  const text = body.type === 'interactive' ? body.interactive.body : content.text;
  const decision = call.decide('message.send', {
    phone: body.to,
    type: body.type,
    ...(text !== undefined && { text }),
  });
  call.applyDecision(decision);
  requireOpenWindow(call, body.to, decision);
  if (decision.refuse) throw refusal(decision.refuse.effect.code, decision.refuse.effect.message);
  const message = accept(call, body.to, body.type, content, decision);
  return { message_id: message.id, status: 'accepted' };
}

/** A rule takes precedence. A magic number acts through the window itself, which a command may have changed since. */
function requireOpenWindow(call: AccountCall, to: string, { window }: Decision): void {
  const forced = window?.explain.by === 'magic' ? undefined : window;
  if (forced === undefined ? windowOf(call.account, to).open : forced.effect === 'open') return;
  call.explain(window?.effect === 'closed' ? window.explain : closedByItself);
  throw new ServiceError(
    'send_failed',
    `The session window is closed${whyClosed(call, to, window)} Send a template message instead.`,
  );
}

const closedByItself = byDefault(
  'The window opens when the customer writes and closes 24 hours later; it is closed now.',
);

/** The end of a sentence about a recipient. */
function whyClosed({ account, nowMs }: AccountCall, to: string, window: Decision['window']): string {
  if (window?.effect === 'closed') return `: "${window.explain.id}" keeps it closed.`;
  const lastMs = account.store.tables.customers.get(to)?.lastInboundAtMs ?? null;
  if (lastMs === null || nowMs >= lastMs + windowLengthMs) return `: ${to} has not written within the last 24 hours.`;
  return `: ${to} wrote at ${isoTime(lastMs)}, but a command has closed the window since.`;
}

function contentOf(body: ConversationSend): MessageContent {
  switch (body.type) {
    case 'text':
      return { text: body.text };
    case 'interactive':
      return { interactive: interactiveOf(body.interactive) };
    default:
      return { media_url: body.media_url };
  }
}

function interactiveOf({ body, buttons }: { body: string; buttons: { id: string; title: string }[] }) {
  return { body, buttons: buttons.map(({ id, title }) => ({ id, title })) };
}

const usualExplain = byDefault(
  'No rule or magic number sets its lifecycle: sent immediately, delivered after 300ms, read after 1s.',
);

function accept(
  call: AccountCall,
  to: string,
  type: string,
  content: MessageContent,
  decision: Decision,
  batchId?: string,
): Message {
  const { account, nowMs } = call;
  const { store, ids } = account;
  const opened = type === 'template' ? undefined : decision.window?.explain;
  const lifecycle = chosenLifecycle(decision, content);
  const explain = lifecycle.explain ?? decision.inbound?.explain ?? opened ?? usualExplain;
  call.explain(explain);
  findOrCreateCustomer(account, to);
  const message = store.tables.messages.insert({
    id: ids.uuid(),
    seq: store.nextSeq(),
    wamid: ids.wamid(to),
    origin: 'api',
    customer: to,
    type,
    content,
    status: 'accepted',
    error: null,
    createdAtMs: nowMs,
    history: [{ status: 'accepted', atMs: nowMs }],
    ...(batchId !== undefined && { batchId }),
    ...call.trace,
    explain,
  });
  planLifecycle(account, message, lifecycle.plan);
  if (decision.inbound) {
    const reason = planAnswer(account, message, decision.inbound, lifecycle.plan);
    if (reason !== undefined) call.warn(`No reply by ${decision.inbound.explain.id}: ${reason}.`);
  }
  return message;
}

interface Chosen {
  readonly plan: LifecyclePlan;
  /** Null for the default lifecycle. */
  readonly explain: Explain | null;
}

const tooLong: Chosen = {
  plan: [{ status: 'failed', offsetMs: 0, error: channelError('template_text_too_long') }],
  explain: byDefault(
    `The template filled in has more than ${longestText} characters, which the channel does not accept: failed immediately.`,
  ),
};

const oddVariable: Chosen = {
  plan: [{ status: 'failed', offsetMs: 0, error: channelError('template_parameter_format') }],
  explain: byDefault(
    'A template variable has a line break, a tab or more than four spaces in a row, which the channel does not accept: failed immediately.',
  ),
};

/** A rule's lifecycle, or else one that follows from the message itself. */
function chosenLifecycle({ lifecycle }: Decision, { template }: MessageContent): Chosen {
  const byRule = lifecycle && { plan: lifecycle.effect, explain: lifecycle.explain };
  if (byRule && byRule.explain.by !== 'default') return byRule;
  if (template && isTooLong(template.body, template.variables)) return tooLong;
  if (template?.variables.some(isOddVariable) === true) return oddVariable;
  return byRule ?? { plan: defaultLifecycle, explain: null };
}
