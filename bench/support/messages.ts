/** What is sent: one approved template with one variable. */
import { call } from './load.js';
import { pause } from './process.js';

const template = { name: 'order_shipped', language: 'en', variables: ['1042'] };

/** Recipients outside the magic numbers, so that every send takes the default path. */
export function recipient(number: number): string {
  return `+4915${String(200_000_000 + number)}`;
}

export function templateSend(to: string | readonly string[]): object {
  return { to, type: 'template', template };
}

/** Submits the template and lets its review pass. */
export async function approveTemplate(url: string): Promise<void> {
  const body = { name: template.name, category: 'utility', language: template.language, body: 'Order {{1}} left' };
  await call(`${url}/v1/templates`, 'POST', body);
  await call(`${url}/_sandbox/clock/advance`, 'POST', { by: '2s' });
}

/** Sends `count` messages in batches of 100 to as many recipients. What comes of them is still ahead when it returns. */
export async function fill(url: string, count: number, first = 0): Promise<void> {
  for (let sent = 0; sent < count; sent += 100) {
    const to = Array.from({ length: Math.min(100, count - sent) }, (_, i) => recipient(first + sent + i));
    await call(`${url}/v1/messages`, 'POST', templateSend(to));
  }
}

/** Returns when nothing lies ahead any more of what was sent: on a real clock a message is read after a second. */
export async function settled(url: string): Promise<void> {
  const jobsAhead = async () => (await call<{ pending: number }>(`${url}/_sandbox/idle?timeout=60s`, 'POST')).pending;
  while ((await jobsAhead()) > 0) await pause(50);
}
