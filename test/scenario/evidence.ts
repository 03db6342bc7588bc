import type { Evidence, EvidenceRecord } from '../../src/scenario/engine/evidence.js';
import { judge, type Judgement } from '../../src/scenario/engine/expectations.js';
import type { ExpectSubject } from '../../src/scenario/schema/hooks.js';

export function evaluated(...args: Parameters<typeof judge>): Judgement {
  return judge(...args);
}

/** Evidence of the given records; the subjects not named are empty. */
export function evidenceOf(records: Partial<Record<ExpectSubject, readonly EvidenceRecord[]>>): Evidence {
  const all = (subject: ExpectSubject) => () => records[subject] ?? [];
  return {
    requests: all('requests'),
    webhooks: all('webhooks'),
    attempts: all('attempts'),
    deliveries: all('deliveries'),
    messages: all('messages'),
    templates: all('templates'),
    otps: all('otps'),
    events: all('events'),
  };
}
