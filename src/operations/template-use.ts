/** Finds the template that a send may use, and makes the copy that the message keeps. */
import { counted } from '../domain/counted.js';
import { ServiceError } from '../domain/errors.js';
import type { TemplateCopy } from '../domain/message.js';
import { nameInWords } from '../domain/truncate.js';
import { languageKey, templateBody, variableCount, type Template } from '../domain/template.js';
import type { Context } from './operation.js';

export interface TemplateRequest {
  readonly name: string;
  readonly language: string;
  readonly variables?: readonly string[];
}

/** @throws ServiceError template_not_found, template_not_approved, template_variables_mismatch */
export function usableTemplate({ account }: Context, request: TemplateRequest): TemplateCopy {
  const template = account.store.tables.templates.list('name', request.name).last();
  if (!template)
    throw new ServiceError('template_not_found', `The account has no template named "${nameInWords(request.name)}".`);
  if (languageKey(template.language) !== languageKey(request.language)) {
    throw new ServiceError(
      'template_not_found',
      `Template "${template.name}" exists in language "${template.language}", not in "${nameInWords(request.language)}".`,
    );
  }
  requireApproved(template);
  return copyWith(template, request.variables ?? []);
}

export function requireApproved(template: Template): void {
  if (template.status === 'approved') return;
  throw new ServiceError(
    'template_not_approved',
    `Template "${template.name}" is ${template.status}; only an approved template can be sent.`,
  );
}

/** The template as it is now, with its variables: what the message keeps. */
export function copyWith(template: Template, variables: readonly string[]): TemplateCopy {
  const body = templateBody(template);
  const expected = variableCount(body);
  if (variables.length !== expected) {
    const message = `must have ${counted(expected, 'entry')} for template "${template.name}", has ${variables.length}`;
    throw new ServiceError('template_variables_mismatch', `template.variables ${message}.`, {
      details: [{ field: 'template.variables', message }],
    });
  }
  const { id, name, language, category, buttons } = template;
  return { id, name, language, category, body, variables, ...(buttons && { buttons }) };
}
