/** Unknown placeholders, and losses of parts that the interface document names. */
import { mustBe } from '../domain/must-be.js';
import { shapes, type Shape, type ShapeKey } from './names.js';
import { faultsOfTemplate, type Json, placeholderIn, repaired, type TemplateFault, usesOf } from './template.js';

/** Paths are within the shape. */
export function faultsOfShape(key: ShapeKey, value: Json): TemplateFault[] {
  const { names, kept, never = {}, whole }: Shape = shapes[key];
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMapping && whole !== null && !whole.includes(value as string)) {
    const or = whole.map((text) => ` or "${text}"`).join('');
    return [{ path: [], message: mustBe(`a mapping${or}`, value) }];
  }
  const faults = faultsOfTemplate(value, names);
  const meant = repaired(value, names);
  const uses = usesOf(meant);
  const lost = kept.flatMap(({ section, name, key: at, anywhere, isWhole, called = at ?? name, or = [] }) => {
    const holds = ({ name: used, path }: (typeof uses)[number]) =>
      (used === name || used.startsWith(`${name}.`) || or.includes(used)) &&
      (at === undefined || (path.at(-1) === at && (anywhere === true || path.length === 1)));
    const mustStandAlone = at !== undefined || isWhole === true;
    if (uses.some((use) => holds(use) && (!mustStandAlone || standsAlone(meant, use.path)))) return [];
    if (at === 'ok' && isMapping && (value as { ok?: Json }).ok === false) return [];
    const needs = [name, ...or].map((each) => (at === undefined ? `{${each}}` : `${at}: "{${each}}"`)).join(' or ');
    const alone = isWhole === true ? ', as a value without other text' : '';
    return [
      {
        path: [],
        message: `loses ${called}, which section ${section} of the interface document names; add ${needs}${alone}`,
      },
    ];
  });
  const excluded = keysIn(value).flatMap((path): TemplateFault[] => {
    const section = never[String(path.at(-1)).toLowerCase()];
    if (section === undefined) return [];
    return [{ path, message: `section ${section} of the interface document excludes this key; leave it out` }];
  });
  return [...faults, ...excluded, ...lost];
}

function keysIn(value: Json, path: TemplateFault['path'] = []): TemplateFault['path'][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [[...path, key], ...keysIn(each, [...path, key])]);
}

function standsAlone(template: Json, path: readonly (string | number)[]): boolean {
  let at: Json | undefined = template;
  for (const key of path) at = (at as Readonly<Record<PropertyKey, Json>>)[key];
  return placeholderIn(at) !== undefined;
}
