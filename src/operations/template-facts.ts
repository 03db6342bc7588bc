/** The fields of a template send that rules match: those of the request, whether or not it will be allowed. */
import { fillTemplate, templateBody, type Template } from '../domain/template.js';
import type { Facts } from '../scenario/language/hooks.js';
import type { TemplateRequest } from './template-use.js';

/** @param known the template of that name; none is a matter for the operation, not for the rules */
export function templateFacts(
  known: Template | undefined,
  request: TemplateRequest,
  to: string,
  batch: boolean,
): Facts {
  const { name: template, language, variables = [] } = request;
  if (known) return new TemplateFacts(known, template, language, variables, to, batch);
  return { to, batch, type: 'template', template, language, variables };
}

class TemplateFacts {
  readonly type = 'template';
  readonly category: string;
  readonly #known: Template;
  #text: string | null = null;

  constructor(
    known: Template,
    readonly template: string,
    readonly language: string,
    readonly variables: readonly string[],
    readonly to: string,
    readonly batch: boolean,
  ) {
    this.#known = known;
    this.category = known.category;
  }

  /** Filled in when the first rule looks at it, which most sends see none of. */
  get text(): string {
    return (this.#text ??= fillTemplate(templateBody(this.#known), this.variables));
  }
}
