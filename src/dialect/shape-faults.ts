/** Unknown placeholders, and losses of parts that the interface document names. */
import { mustBe } from '../domain/must-be.js';
import { shapes, type Shape, type ShapeKey } from './names.js';
import { faultsOfTemplate, type Json, placeholderIn, type TemplateFault, usesOf } from './template.js';

/** Paths are within the shape. */
export function faultsOfShape(key: ShapeKey, value: Json): TemplateFault[] {
  const { names, kept, whole }: Shape = shapes[key];
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMapping && whole !== null && !whole.includes(value as string)) {
    const or = whole.map((text) => ` or "${text}"`).join('');
    return [{ path: [], message: mustBe(`a mapping${or}`, value) }];
  }
  const faults = faultsOfTemplate(value, names);
  // A name that is misspelt is not also missing.
  if (faults.length > 0) return faults;
  const uses = usesOf(value);
  return kept.flatMap(({ section, name, key: at, anywhere }) => {
    const holds = ({ name: used, path }: (typeof uses)[number]) =>
      (used === name || used.startsWith(`${name}.`)) &&
      (at === undefined || (path.at(-1) === at && (anywhere === true || path.length === 1)));
    if (uses.some((use) => holds(use) && (at === undefined || isWhole(value, use.path)))) return [];
    if (at === 'ok' && isMapping && (value as { ok?: Json }).ok === false) return [];
    const need = at === undefined ? `{${name}}` : `${at}: "{${name}}"`;
    return [
      {
        path: [],
        message: `loses ${at ?? name}, which section ${section} of the interface document names; add ${need}`,
      },
    ];
  });
}

function isWhole(template: Json, path: readonly (string | number)[]): boolean {
  let at: Json | undefined = template;
  for (const key of path) at = (at as Readonly<Record<PropertyKey, Json>>)[key];
  return placeholderIn(at) !== undefined;
}
