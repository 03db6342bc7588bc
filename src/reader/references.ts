import { isMap, isSeq } from 'yaml';
import { nearestWord } from '../domain/text.js';
import { NOW, placeholdersIn } from '../language/calls.js';
import type { Place } from './place.js';

/** A check that refers to a missing check or step, or to itself, could never pass. */
export function checkReferences(roots: readonly Place[]): void {
  const steps = roots.flatMap((root) => root.items('timeline').flatMap((step) => step.at('id')?.text ?? []));
  const checks = roots.flatMap((root) => root.items('expect')).filter((check) => check.at('that') !== undefined);
  const text = (check: Place, key: string) => check.at(key)?.text;
  const named = (id: string | undefined) => checks.find((check) => id !== undefined && text(check, 'id') === id);
  const leadsTo = (from: Place, seen: readonly Place[]): boolean =>
    ['after', 'before'].some((key) => {
      const next = named(text(from, key));
      return next !== undefined && (seen.includes(next) || leadsTo(next, [...seen, next]));
    });
  for (const check of checks) {
    const id = check.at('id');
    if (id?.text !== undefined && steps.includes(id.text)) {
      const message = `A step of the timeline has the id "${id.text}" as well.`;
      id.report({ code: 'not_unique', message, found: id.text, allowed: 'another id' });
    }
    for (const key of ['after', 'before']) {
      const at = check.at(key);
      const found = at?.text;
      if (at === undefined || found === undefined || steps.includes(found)) continue;
      if (named(found) === undefined) {
        const message = `There is no step or check with the id "${found}".`;
        const words = [...steps, ...checks.flatMap((one) => text(one, 'id') ?? [])];
        at.report({ code: 'unknown_check', message, found, words, orElse: 'an id of a step, or of another check' });
      } else if (leadsTo(check, [check])) {
        const allowed = 'a check that does not refer back to this one';
        at.report({ code: 'check_cycle', message: 'This check refers to itself.', allowed });
      }
    }
  }
}

/** A call with `${name}` that no step saves would be made without the value. */
export function checkSaved(roots: readonly Place[]): void {
  const steps = roots.flatMap((root) => root.items('timeline'));
  const saved = steps.flatMap((step) => [...(step.at('http.save')?.entries.keys() ?? [])].map(String));
  for (const step of steps) {
    for (const path of ['http.url', 'http.body', 'http.headers']) checkTexts(step.at(path), saved);
    const written = step.at('inbound.text');
    if (written !== undefined) checkText(written, written.text ?? '', saved, '${code}');
    checkKeys(step.at('until'), saved);
  }
  for (const check of roots.flatMap((root) => root.items('expect'))) checkKeys(check.at('state'), saved);
}

function checkTexts(place: Place | undefined, saved: readonly string[]): void {
  if (place === undefined) return;
  if (isMap(place.node) || isSeq(place.node)) for (const entry of place.entries.values()) checkTexts(entry, saved);
  else checkText(place, place.text ?? '', saved);
}

function checkKeys(map: Place | undefined, saved: readonly string[]): void {
  for (const [path, entry] of map?.entries ?? []) checkText(entry, String(path), saved, codeOfNumber, true);
}

const codeOfNumber = '${code +12025550150}';

/** @param code the form of one-time codes there */
function checkText(place: Place, text: string, saved: readonly string[], code = codeOfNumber, onKey = false): void {
  for (const { whole, name, phone } of placeholdersIn(text)) {
    const isCode = code === codeOfNumber ? phone !== undefined : whole === code;
    if (isCode || name === NOW || saved.includes(name)) continue;
    const [nearest] = /^code\b/.test(name) ? [] : [nearestWord(name, [...saved, NOW])];
    place.report({
      code: 'unknown_value',
      message: `No step saves a value with the name "${name}".`,
      found: whole,
      allowed: [...saved.map((one) => `\${${one}}`), '${now}', code].join(', '),
      onKey,
      ...(nearest !== undefined && { suggestion: text.replaceAll(whole, `\${${nearest}}`) }),
      ...(nearest === undefined && { example: `save: { ${/^\w+$/.test(name) ? name : 'order'}: id }` }),
    });
  }
}
