/** The history of an account and a customer since the activation. */
import type { Message } from '../../domain/message.js';
import type { AccountStore } from '../../store/tables/account-store.js';
import type { CustomerMemory } from '../language/matchers.js';

export function memoryOf({ tables }: AccountStore, phone: string, sinceSeq: number): CustomerMemory {
  const own = () => [...tables.messages.list('customer', phone)].filter(({ seq }) => seq > sinceSeq);
  const sent = () => own().filter(({ origin }) => origin !== 'inbound');
  return {
    said: () =>
      own()
        .flatMap((row) => (row.origin === 'inbound' ? textOf(row) : []))
        .reverse(),
    lastStatus: () => sent().at(-1)?.status,
    sends: () => sent().length,
    hasMet: (ruleId) => tables.counters.get(metKey(ruleId, phone)) !== undefined,
  };
}

/** Returns the key of the counter of how often a rule applied to a customer. */
export function metKey(ruleId: string, phone: string): string {
  return `met/${ruleId}/${phone}`;
}

/** Returns what a customer wrote: a text, or the title of the tapped button. */
function textOf({ content: { text, interactive } }: Message): string[] {
  const tapped = interactive && 'title' in interactive ? interactive.title : undefined;
  return [text, tapped].filter((part) => part !== undefined);
}
