/** Checks the data of an event that a timeline emits: invalid fields, and unknown ones. */
import type { EventType } from '../../domain/event.js';
import { dataFields, faultsOfData, type DataFault } from '../../domain/event-data.js';
import type { YamlNode } from './yaml-node.js';
import { joinPath } from './json-text.js';

/** Reports every invalid field of such an event. */
export function checkEventData(type: EventType, data: object, at: YamlNode): void {
  for (const fault of faultsOfData(type, data)) reportFault(type, fault, at);
}

function reportFault(type: EventType, { kind, path, allowed, words }: DataFault, at: YamlNode): void {
  const placeOf = (names: readonly string[]) => at.reading.places.get(names.reduce(joinPath, at.path)) ?? at;
  const [holder, name] = [placeOf(path.slice(0, -1)), path.at(-1) ?? ''];
  switch (kind) {
    case 'missing': {
      const message = `The key "${name}" is missing. It must be ${allowed}.`;
      holder.report({ code: 'missing_key', message, allowed });
      return;
    }
    case 'unknown': {
      const message = `Unknown key "${name}".`;
      keyOf(holder, name).report({ code: 'unknown_key', message, found: `"${name}"`, words });
      return;
    }
    case 'wrong': {
      const message = `In the data of ${type}, ${path.join('.')} must be ${allowed}.`;
      placeOf(path).report({ code: 'wrong_data', message, allowed, words });
    }
  }
}

/** Warns of fields that such an event does not have: they are allowed, but probably a mistake. */
export function lintEventData(type: EventType, data: object, at: YamlNode): void {
  const words = dataFields(type);
  for (const name of Object.keys(data)) {
    if (words.includes(name)) continue;
    const message = `The data of ${type} has no field "${name}"; it is sent anyway.`;
    keyOf(at, name).warn({ code: 'unknown_field', message, found: `"${name}"`, words });
  }
}

/** Returns the place of a key in a mapping. */
function keyOf(at: YamlNode, name: string): YamlNode {
  return at.entries().find(({ key }) => key === name)?.keyPlace ?? at;
}
