import { counted, nameInWords } from '../domain/text.js';
import { ServiceError } from '../domain/errors.js';
import type { Template, TemplateCopy } from '../domain/rows.js';
import { fillTemplate, languageKey, templateBody, variableCount } from '../domain/template.js';
import type { Facts } from '../language/match.js';

export interface TemplateRequest {
  readonly name: string;
  readonly language: string;
  readonly variables?: readonly string[];
}

export function usableTemplate(template: Template | undefined, request: TemplateRequest): TemplateCopy {
  if (!template)
    throw new ServiceError('template_not_found', `The account has no template named "${nameInWords(request.name)}".`);
  if (template.language !== request.language && languageKey(template.language) !== languageKey(request.language)) {
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

/**
 * The fields of the request, whether or not it will be allowed: the operation rejects a missing template, not the
 * rules.
 */
export function templateFacts(known: Template | undefined, request: TemplateRequest, phone: string): Facts {
  const { name: template, language, variables = [] } = request;
  if (known) return new TemplateFacts(known, template, language, variables, phone);
  return { phone, type: 'template', template, language };
}

class TemplateFacts {
  readonly type = 'template';
  readonly category: string;
  readonly #known: Template;
  readonly #variables: readonly string[];
  #text: string | null = null;

  constructor(
    known: Template,
    readonly template: string,
    readonly language: string,
    variables: readonly string[],
    readonly phone: string,
  ) {
    this.#known = known;
    this.#variables = variables;
    this.category = known.category;
  }

  /** Filled in when a rule first reads it, which most sends never need. */
  get text(): string {
    return (this.#text ??= fillTemplate(templateBody(this.#known), this.#variables));
  }
}
