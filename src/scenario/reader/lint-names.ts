/** Warnings about names that nothing has, and about numbers that match nobody or a real person. */
import { templateNameForm } from '../../domain/words.js';
import { isFictional, isPhone } from '../../domain/customer.js';
import { isPlainText } from '../engine/match.js';
import { magicTemplateFor } from '../engine/magic-numbers.js';
import type { Report } from '../schema/problems.js';
import type { Place } from './place.js';

/** Names that conditions can refer to. */
export interface Names {
  readonly templates: readonly string[];
  readonly aliases: readonly string[];
}

export type Checks = Readonly<Record<'phone' | 'template' | 'alias', (at: Place | undefined) => void>>;

/** @param names null if it is unknown what there is: then only numbers are checked */
export function checksOf(names: Names | null): Checks {
  const named = (known: readonly string[], allowed: string, reportOf: (name: string) => Report | undefined) => {
    return (at: Place | undefined) => {
      const text = at?.scalarText();
      if (names === null || text === undefined || !isPlainText(text) || known.includes(text)) return;
      const report = reportOf(text);
      if (report) at?.warn({ ...report, found: text, words: known, ...(known.length === 0 && { allowed }) });
    };
  };
  return {
    phone(at) {
      const text = at?.scalarText();
      const report = text === undefined ? undefined : phoneReport(text);
      if (report) at?.warn(report);
    },
    template: named(names?.templates ?? [], 'a template in given.templates', (name) => {
      const message = `given.templates has no "${name}", so nothing matches until the application creates it.`;
      return magicTemplateFor(name) === null ? { code: 'unknown_template', message } : undefined;
    }),
    alias: named(names?.aliases ?? [], 'an alias in given.webhooks', (name) => {
      return { code: 'unknown_alias_name', message: `given.webhooks has no alias "${name}".` };
    }),
  };
}

const CHECK_OF: Readonly<Record<string, keyof Checks>> = {
  phone: 'phone',
  to: 'phone',
  from: 'phone',
  template: 'template',
  alias: 'alias',
};

export function lintNamed(name: string, at: Place, check: Checks): void {
  const kind = Object.hasOwn(CHECK_OF, name) ? CHECK_OF[name] : undefined;
  if (kind) check[kind](at);
}

function phoneReport(text: string): Report | undefined {
  const bare = text.replace(/[\s().-]/g, '').replace(/^(?=\d{7,15}$)/, '+');
  if (text !== bare && isPhone(bare)) {
    const message = `${text} is not + and digits, so it matches no number.`;
    return { code: 'never_fits', message, allowed: 'a number such as +12025550101', suggestion: bare };
  }
  if (!/^\+\d+$/.test(text) || isFictional(text)) return undefined;
  const message = `${text} may be a real phone number. Use a number reserved for fiction.`;
  return { code: 'number_not_fictional', message, allowed: '+1AAA55501NN with any US area code AAA' };
}

/** Warns of a name that no template can have. The application may create any other one. */
export function lintTemplateName(where: string, at: Place): void {
  const text = at.scalarText();
  if (text === undefined || templateNameForm.test(text) || !isPlainText(text)) return;
  const meant = text.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  const found = text.slice(0, 80);
  at.warn({
    code: 'never_fits',
    message: `${where}, name is never ${JSON.stringify(found)}: it is not a valid template name.`,
    found,
    allowed: 'a lower-case letter, then lower-case letters, digits and underscores',
    ...(templateNameForm.test(meant) && { suggestion: meant }),
  });
}
