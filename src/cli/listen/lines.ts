/** The output of `listen`: the secret first, then a line for each delivery. */
import { isoTime } from '../../domain/instant.js';
import { printable } from '../../domain/printable.js';
import type { TunnelAsk, TunnelReady } from '../../live/frame.js';
import { parseJson } from '../../client/connection.js';
import type { Delivered } from './tunnel.js';

export interface LineStyle {
  readonly json: boolean;
  /** Whether each event is shown completely. */
  readonly full: boolean;
  /** The destination of deliveries; null if they are only shown. */
  readonly target: string | null;
}

export function readyLines({ json, target }: LineStyle, ready: TunnelReady): string {
  const { secret, events, url, webhook_id } = ready;
  if (json) return JSON.stringify({ kind: 'ready', secret, webhook_id, url, events, forward_to: target });
  const what = target === null ? 'Showing' : 'Forwarding';
  const where = target === null ? '' : ` to ${target}`;
  return `Signing secret: ${secret}\n${what} ${events.join(', ')}${where}. Press Ctrl-C to stop.`;
}

/** The text may come from the application, its server or a fault, so control characters are removed. */
export function deliveredLines(style: LineStyle, delivered: Delivered): string {
  return printable(plainLines(style, delivered));
}

function plainLines({ json, full }: LineStyle, { atMs, ask, result, durationMs }: Delivered): string {
  const event = eventOf(ask);
  const at = isoTime(atMs);
  const status = 'error' in result ? null : result.status;
  if (json) {
    const about = { kind: 'delivery', at, type: event.type, event_id: event.id, status, duration_ms: durationMs };
    const error = 'error' in result && { error: result.error };
    return JSON.stringify({ ...about, ...error, ...(full && { event: event.whole }) });
  }
  const outcome = 'error' in result ? result.error.code : String(result.status);
  const why = 'error' in result ? `  ${result.error.message}` : '';
  const line = `${at}  ${event.type ?? 'unreadable body'}  → ${outcome}  ${durationMs} ms  ${event.id ?? ''}`.trimEnd();
  return full ? `${line}${why}\n${indented(event.whole)}` : `${line}${why}`;
}

/** A fault may have corrupted the body on purpose; then it is shown unchanged. */
function eventOf({ body }: TunnelAsk): { id: string | null; type: string | null; whole: unknown } {
  const whole = parseJson(body);
  if (typeof whole !== 'object' || whole === null) return { id: null, type: null, whole: body };
  const { id, type } = whole as Record<string, unknown>;
  return { id: typeof id === 'string' ? id : null, type: typeof type === 'string' ? type : null, whole };
}

function indented(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.replace(/^/gm, '  ');
}
