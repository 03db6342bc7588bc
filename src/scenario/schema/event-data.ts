/** The data of an event that a step of the timeline sends. */
import { faultsOfData } from '../../domain/event.js';
import type { EventType } from '../../domain/words.js';
import type { Misfit } from './kit.js';

/** Returns every invalid field in the data of such an event. */
export function eventDataFaults(type: EventType, data: object): Misfit<'data'>[] {
  return faultsOfData(type, data).map(({ kind, path, allowed, words }) => {
    const name = path.at(-1) ?? '';
    switch (kind) {
      case 'missing': {
        const message = `The key "${name}" is missing. It must be ${allowed}.`;
        return { at: ['data', ...path.slice(0, -1)], code: 'missing_key', message, allowed };
      }
      case 'unknown': {
        const message = `Unknown key "${name}".`;
        return { at: ['data', ...path], onKey: true, code: 'unknown_key', message, found: `"${name}"`, words };
      }
      case 'wrong': {
        const message = `In the data of ${type}, ${path.join('.')} must be ${allowed}.`;
        return { at: ['data', ...path], code: 'wrong_data', message, allowed, words };
      }
    }
  });
}
