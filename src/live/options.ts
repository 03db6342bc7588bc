/** The query of a live connection, parsed strictly: unknown names are errors (docs/control-plane.md). */
import { nearestWord } from '../domain/nearest-word.js';
import { invalidField } from '../domain/errors.js';
import { eventTypes, type EventType } from '../domain/words.js';
import type { TunnelOptions } from './tunnel-endpoints.js';

const names = ['key', 'control_token', 'tunnel', 'events', 'secret', 'resume'] as const;
type Name = (typeof names)[number];

export interface LiveQuery {
  readonly key: string | null;
  readonly tunnel: TunnelOptions | null;
}

/** @throws ServiceError `validation_error` */
export function parseLiveQuery(query: URLSearchParams): LiveQuery {
  const given = new Map<Name, string>();
  for (const [name, value] of query) {
    const known = names.find((each) => each === name);
    if (known === undefined) {
      const meant = nearestWord(name, names);
      throw invalidField(
        name,
        `is unknown.${meant === undefined ? '' : ` Did you mean "${meant}"?`} Known: ${names.join(', ')}`,
      );
    }
    if (given.has(known)) throw invalidField(name, 'is given twice; give it once');
    given.set(known, value);
  }
  const tunnel = parseTunnel(given);
  return {
    key: given.get('key') ?? null,
    tunnel,
  };
}

function parseTunnel(given: ReadonlyMap<Name, string>): TunnelOptions | null {
  const wanted = given.get('tunnel') ?? '0';
  if (wanted !== '0' && wanted !== '1') throw invalidField('tunnel', `must be 1 or 0; found "${wanted}"`);
  if (wanted === '1') {
    return {
      events: parseEvents(given.get('events')),
      secret: parseSecret(given.get('secret')),
      resume: given.get('resume') ?? null,
    };
  }
  const stray = (['events', 'secret', 'resume'] as const).find((name) => given.has(name));
  if (stray !== undefined) throw invalidField(stray, 'belongs to a tunnel; add tunnel=1');
  return null;
}

function parseEvents(text: string | undefined): readonly EventType[] {
  if (text === undefined) return eventTypes;
  const events = text.split(',').map((word) => {
    const event = eventTypes.find((type) => type === word);
    if (event !== undefined) return event;
    const meant = nearestWord(word, eventTypes);
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    throw invalidField('events', `contains the unknown event type "${word}".${hint} Known: ${eventTypes.join(', ')}`);
  });
  return [...new Set(events)];
}

function parseSecret(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^whsec_[\x21-\x7e]{1,250}$/.test(text)) return text;
  throw invalidField('secret', 'must begin with "whsec_", followed by 1 to 250 visible ASCII characters');
}
