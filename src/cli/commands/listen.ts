import type { Command } from 'commander';
import { targetOf as receiverOf } from '../../certify/receiver.js';
import { parseJson } from '../../client/connection.js';
import { readServer } from '../../config/values.js';
import { isoTime } from '../../domain/instant.js';
import { isObject } from '../../domain/json.js';
import { printable } from '../../domain/text.js';
import { eventTypes } from '../../domain/words.js';
import { typeOf } from '../../parity/event-values.js';
import type { TunnelAsk, TunnelReady } from '../../live/tunnel.js';
import { machineTime } from '../../time/system-clock.js';
import { createSender } from '../../webhooks/send.js';
import { connect, withClientFlags, type ClientFlags } from '../client.js';
import { stopSignal, valueOption } from '../command.js';
import { UsageError } from '../../failure.js';
import { openTunnel, type Delivered, type TunnelResponse } from '../tunnel-client.js';

const EXAMPLES = `
Examples:
  messaging-sandbox listen --forward-to http://localhost:3000/hook
  messaging-sandbox listen --forward-to http://localhost:3000/hook --events message.status,message.received
  messaging-sandbox listen --print

listen registers an endpoint, and removes the endpoint when it ends. The response of your server is the result of the delivery.
listen first prints the secret for signatures. To use the same secret in every run, pass --secret.`;

interface Flags extends ClientFlags {
  readonly forwardTo?: URL;
  readonly print?: boolean;
  readonly events?: string;
  readonly secret?: string;
}

export function listen(command: Command): void {
  const server = 'URL of your server, such as http://localhost:3000/hook or localhost:3000/hook';
  command
    .addOption(valueOption('--forward-to <URL>', server, readServer))
    .option('--print', 'print complete events; without --forward-to, respond to each event with 200')
    .option('--events <LIST>', `comma-separated event types; default: ${eventTypes.join(',')}`)
    .option('--secret <SECRET>', 'secret for signatures, whsec_…; default: a new one')
    .addHelpText('after', EXAMPLES);
  withClientFlags(command).action(forward);
}

async function forward(flags: Flags): Promise<void> {
  const { forwardTo: target = null } = flags;
  if (target === null && flags.print !== true) {
    throw new UsageError('listen: there is no destination. Add --forward-to http://localhost:3000/hook, or --print.');
  }
  const query = new URLSearchParams({ tunnel: '1' });
  for (const name of ['events', 'secret'] as const) if (flags[name] !== undefined) query.set(name, flags[name]);
  const style = { json: flags.json === true, full: flags.print === true };
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  await openTunnel(connect(flags), query, stop.signal, {
    respond: target === null ? () => Promise.resolve({ status: 200, headers: {}, body: '' }) : forwardTo(target),
    onReady: (ready) => say(printable(readyLines(ready, style.json, target?.href ?? null))),
    onDelivered: (delivered) => say(deliveredLines(style, delivered)),
    onNotice: (text) => process.stderr.write(`${printable(text)}\n`),
  });
  // Deliveries in flight would keep the process alive.
  process.exit(0);
}

/** Byte for byte, without following redirects, as the sandbox sends its own requests. */
function forwardTo(target: URL) {
  const { url, routes } = receiverOf(target);
  const parts = { host: machineTime, routes, allowPublic: true, insideContainer: false };
  return async ({ headers, body }: TunnelAsk, timeoutMs: number): Promise<TunnelResponse> => {
    const sender = createSender({ ...parts, timeoutMs });
    const { status, response, error, hint = '' } = await sender.send({ url, headers, body });
    // Each request has its own connections: the server may be restarted between two of them.
    await sender.close();
    if (status !== null) return { status, headers: response?.headers ?? {}, body: response?.body ?? '' };
    const { code = 'internal_error', message = '' } = error ?? {};
    return { error: { code, message: `${message} ${hint}`.trim() } };
  };
}

function readyLines({ secret, events, url, webhook_id }: TunnelReady, json: boolean, target: string | null): string {
  if (json) return JSON.stringify({ kind: 'ready', secret, webhook_id, url, events, forward_to: target });
  const what = target === null ? `Showing ${events.join(', ')}` : `Forwarding ${events.join(', ')} to ${target}`;
  return `Signing secret: ${secret}\n${what}. Press Ctrl-C to stop.`;
}

/** The text can come from the application, its server or a fault, so control characters are removed. */
export function deliveredLines(
  { json, full }: { readonly json: boolean; readonly full: boolean },
  { atMs, ask, result, durationMs }: Delivered,
): string {
  // A fault may have corrupted the body on purpose; then it is shown unchanged.
  const parsed = parseJson(ask.body);
  const event = isObject(parsed) ? parsed : ask.body;
  const { id = null, type: own } = (isObject(parsed) ? parsed : {}) as { id?: string; type?: string };
  // Under a dialect, another property or a header has the type.
  const type = own ?? (isObject(parsed) ? typeOf(parsed, ask.headers) : null);
  const at = isoTime(atMs);
  if (json) {
    const outcome = 'error' in result ? { status: null, error: result.error } : { status: result.status };
    const about = { kind: 'delivery', at, type, event_id: id, ...outcome, duration_ms: durationMs };
    return printable(JSON.stringify({ ...about, ...(full && { event }) }));
  }
  const [outcome, why] = 'error' in result ? [result.error.code, `  ${result.error.message}`] : [result.status, ''];
  const line = `${at}  ${type ?? 'unreadable body'}  → ${outcome}  ${durationMs} ms  ${id ?? ''}`.trimEnd() + why;
  const whole = typeof event === 'string' ? event : JSON.stringify(event, null, 2);
  return printable(full ? `${line}\n${whole.replace(/^/gm, '  ')}` : line);
}
