/** What the frameworks answer, all of them alike: a fresh id for what is sent, and always the same message. */
import { randomUUID } from 'node:crypto';

export const message = {
  message_id: '0b54b6ff-9d7d-4ba1-8a5f-6d2f3c7e1a90',
  wamid: 'wamid.HBgLMTIwMjU1NTAxMDEVAgARGBIzRUIwQzQzMUMyNkExOTE2NTMA',
  status: 'read',
  type: 'template',
  created_at: '2026-03-01T09:00:00.000Z',
  error: null,
};

/** To one number, or to a list of them. */
export function accepted({ to }) {
  if (!Array.isArray(to)) return { message_id: randomUUID(), status: 'accepted' };
  const results = to.map((number) => ({ to: number, ok: true, message_id: randomUUID() }));
  return { batch_id: randomUUID(), recipient_count: to.length, failed_count: 0, status: 'queued', results };
}
