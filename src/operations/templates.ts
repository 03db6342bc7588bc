import { planReview } from '../simulation/review-template.js';
import { defaultReview } from '../domain/limits.js';
import { ServiceError } from '../domain/errors.js';
import { byDefault } from '../domain/explain.js';
import { nameInWords } from '../domain/text.js';
import { inState } from '../domain/template.js';
import type { Template } from '../domain/rows.js';
import type { components } from '../generated/api.js';
import { presentTemplate } from '../presenters/api.js';
import type { Facts } from '../language/match.js';
import { languageTag, nameOfLanguage } from '../language/words.js';
import { requireSound } from './semantic-validation.js';
import type { AccountCall } from '../account/call.js';
import type { Input } from './operation.js';

type Schemas = components['schemas'];

export function createTemplate(
  call: AccountCall,
  { body }: Input<Schemas['CreateTemplateRequest']>,
): Schemas['TemplateSubmission'] {
  const { account, nowMs } = call;
  const { templates } = account.store.tables;
  const { name, category, language } = body;
  const facts = { name, category, language, ...(body.body !== undefined && { body: body.body }) };
  call.applyDecision(call.decide('template.create', facts));
  requireSound('createTemplate', body);
  const taken = templates.all().findLast((row) => row.name === body.name);
  if (taken) {
    throw new ServiceError(
      'template_exists',
      `A template named "${body.name}" already exists (${taken.status}); names are unique per account, including the names of deleted templates.`,
    );
  }
  const tag = languageTag(language);
  if (tag !== undefined) call.warn(nameOfLanguage(language, tag));
  const { review } = call.decide('template.review', facts);
  const explain = review?.explain ?? byDefault('No rule or magic name decides its review: approved after 1s.');
  call.explain(explain);
  const template = templates.insert({
    id: account.ids.uuid(),
    seq: account.store.nextSeq(),
    name,
    category,
    language,
    body: body.body ?? null,
    ...(body.buttons && { buttons: body.buttons }),
    ...inState(null, 'pending', nowMs),
    rejectionReason: null,
    createdAtMs: nowMs,
    approvedSeq: null,
    ...call.trace,
    explain,
  });
  planReview(account, template, review?.effect ?? defaultReview);
  return { template_id: template.id, status: 'pending_review' };
}

export function getTemplate(call: AccountCall, { params }: Input<unknown, { template_id: string }>) {
  const template = call.account.store.tables.templates.get(params.template_id.toLowerCase());
  call.applyDecision(call.decide('template.get', template ? lookupFacts(template) : {}));
  if (!template) throw new ServiceError('not_found', `The account has no template ${nameInWords(params.template_id)}.`);
  return presentTemplate(template);
}

function lookupFacts({ name, category, language, body, status }: Template): Facts {
  return { name, category, language, status, ...(body !== null && { body }) };
}

/** Newest first. */
export function listTemplates({ account }: AccountCall) {
  const all: Template[] = [...account.store.tables.templates.all()];
  return { templates: all.reverse().map(presentTemplate) };
}
