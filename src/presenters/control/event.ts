/** An event, as the control plane shows it. */
import type { Event } from '../../domain/event.js';
import { isoTime } from '../../domain/instant.js';

/** The data is read back from the bytes that were signed: what is shown cannot differ from what was sent. */
export function showEvent(event: Event) {
  const { data } = JSON.parse(event.body) as { data: Record<string, unknown> };
  return { id: event.id, seq: event.seq, type: event.type, created_at: isoTime(event.createdAtMs), data };
}
