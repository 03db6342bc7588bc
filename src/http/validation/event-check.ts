/** Validates the data of an event that a caller composes, so that receivers get only what the document allows. */
import { ServiceError } from '../../domain/errors.js';
import type { EventType } from '../../domain/event.js';
import { faultsOfData, type DataFault } from '../../domain/event-data.js';
import { nearestWord } from '../../domain/nearest-word.js';
import { shown } from './format-value.js';

/** @throws ServiceError `validation_error`, with every field given that cannot stand in such an event */
export function requireSoundData(type: EventType, given: object): void {
  const details = faultsOfData(type, given).map((fault) => ({
    field: ['data', ...fault.path].join('.'),
    message: inWords(fault),
  }));
  const [first] = details;
  if (first) throw new ServiceError('validation_error', `${first.field} ${first.message}.`, { details });
}

function inWords({ kind, allowed, words, path, found }: DataFault): string {
  const meant = nearestWord((kind === 'unknown' ? path.at(-1) : undefined) ?? '', words);
  switch (kind) {
    case 'missing':
      return `is required; give ${allowed}`;
    case 'unknown':
      return `is not known here; ${meant === undefined ? `allowed are ${allowed}` : `did you mean ${meant}?`}`;
    case 'wrong':
      return `must be ${allowed}; found ${shown(found)}`;
  }
}
