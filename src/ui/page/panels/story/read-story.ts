/** Reads the parts of a story from the control plane. */
import type { Api } from '../../core/api.js';
import type { Event, HandsetMessage, Otp } from '../../core/records.js';
import { callsOf, type StoryParts } from './story.js';

const most = 1000;

/** @returns null if the account has no record with that id */
export async function readStory(api: Api, noun: string, id: string): Promise<StoryParts | null> {
  if (noun === 'event') return ofEvent(api, id);
  if (noun === 'code') {
    const { items } = await api.get('/_sandbox/otps', { query: { limit: most, order: 'desc' } });
    const otp = items.find((each) => each.otp_id === id);
    return otp ? ofMessage(api, await sentWith(api, otp), otp) : null;
  }
  const message = await messageOf(api, id);
  if (message) return ofMessage(api, message, null);
  const { items } = await api.get('/_sandbox/otps', { query: { limit: most, order: 'desc' } });
  const otp = items.find((each) => each.message_id === id);
  return otp ? ofMessage(api, await sentWith(api, otp), otp) : null;
}

function sentWith(api: Api, { message_id: id }: Otp): Promise<HandsetMessage> {
  return api.get('/_sandbox/messages/{id}', { path: { id } });
}

/** Uses a list, which may be empty: the browser would log a failed lookup as an error. */
async function messageOf(api: Api, id: string): Promise<HandsetMessage | null> {
  for (const direction of ['outbound', 'inbound'] as const) {
    const { items } = await api.get('/_sandbox/messages', { query: { message_id: id, direction } });
    if (items[0]) return items[0];
  }
  return null;
}

async function ofEvent(api: Api, id: string): Promise<StoryParts | null> {
  const { items } = await api.get('/_sandbox/events', { query: { id } });
  const [event] = items;
  if (!event) return null;
  const { message_id: message, otp_id: otp } = event.data as { message_id?: string; otp_id?: string };
  const whole =
    otp !== undefined
      ? await readStory(api, 'code', otp)
      : message !== undefined
        ? await readStory(api, 'message', message)
        : null;
  return whole ?? ofEventAlone(api, event);
}

async function ofEventAlone(api: Api, event: Event): Promise<StoryParts> {
  const { items: deliveries } = await api.get('/_sandbox/deliveries', { query: { event_id: event.id } });
  return { message: null, otp: null, requests: [], events: [event], deliveries, replies: [], jobs: [] };
}

async function ofMessage(api: Api, message: HandsetMessage, otp: Otp | null): Promise<StoryParts> {
  const phone = message.direction === 'inbound' ? message.from : message.to;
  const id = message.message_id;
  const [sends, verifies, lookups, own, verified, conversation, jobs] = await Promise.all([
    api.get('/_sandbox/requests', { query: { to: phone, limit: most, order: 'desc' } }),
    otp ? api.get('/_sandbox/requests', { query: { operation: 'otp.verify', limit: most, order: 'desc' } }) : null,
    api.get('/_sandbox/requests', { query: { path: `/v1/messages/${id}`, limit: most } }),
    api.get('/_sandbox/events', { query: { message_id: id } }),
    otp ? api.get('/_sandbox/events', { query: { otp_id: otp.otp_id } }) : null,
    api.get('/_sandbox/customers/{phone}/messages', { path: { phone }, query: { after: message.seq, limit: 50 } }),
    api.get('/_sandbox/clock/jobs', { query: { subject: id } }),
  ]);
  const events = [...own.items, ...(verified?.items ?? [])];
  const deliveries = await Promise.all(
    events.map((event) => api.get('/_sandbox/deliveries', { query: { event_id: event.id } })),
  );
  const calls = [...sends.items, ...(verifies?.items ?? []), ...lookups.items];
  // The replies end when this side sends again.
  const end = conversation.items.findIndex(({ direction }) => direction === message.direction);
  return {
    message,
    otp,
    requests: callsOf([...new Map(calls.map((call) => [call.id, call])).values()], { message, otp }),
    events,
    deliveries: deliveries.flatMap(({ items }) => items),
    replies: conversation.items.slice(0, end === -1 ? undefined : end),
    jobs: jobs.items,
  };
}
