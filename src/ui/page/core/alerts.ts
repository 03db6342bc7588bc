/**
 * Counts failures while the page is not visible. The page title shows the number, and so do browser notifications if
 * the user has turned them on.
 */
import { signal } from '@preact/signals';
import type { Frame } from './live.js';
import { taste } from './preference.js';
import { toast } from './toasts.js';

const wanted = taste('notifications', false);

/** Whether notifications are wanted and allowed. */
export const notifies = signal(wanted.value && 'Notification' in globalThis && Notification.permission === 'granted');
/** Failures since the page became hidden. */
export const alertCount = signal(0);

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) alertCount.value = 0;
});

export async function setNotifies(on: boolean): Promise<void> {
  const allowed = on && 'Notification' in globalThis && (await Notification.requestPermission()) === 'granted';
  if (on && !allowed) toast('bad', 'The browser blocks notifications from this page. Allow them in its site settings.');
  wanted.value = allowed;
  notifies.value = allowed;
}

/** Returns the text of an alert as a sentence, or null if no alert is needed. */
function alertOf({ kind, data }: Frame): string | null {
  const { passed, that, status, url, method, path, pause_reason: reason } = data;
  if (kind === 'expectation.judged' && passed === false) return `Expectation failed: ${String(that)}`;
  if (kind === 'webhook.updated' && status === 'paused') return `${String(url)} is paused: ${String(reason)}`;
  if (kind === 'request.created' && typeof status === 'number' && status >= 500) {
    return `${String(method)} ${String(path)} got ${status}`;
  }
  return null;
}

export function hearAlert(frame: Frame): void {
  const words = document.hidden ? alertOf(frame) : null;
  if (words === null) return;
  alertCount.value += 1;
  if (notifies.value) new Notification('messaging-sandbox', { body: words, tag: words });
}
