import type { Command } from 'commander';
import { targetOf as receiverOf } from '../../certify/target.js';
import { eventTypes } from '../../domain/words.js';
import { printable } from '../../domain/printable.js';
import type { TunnelAsk } from '../../live/frame.js';
import { machineTime } from '../../time/system-clock.js';
import { createSender } from '../../webhooks/send.js';
import { connect, withClientFlags, type ClientFlags } from '../client.js';
import { newCommand, stopSignal } from '../command.js';
import { UsageError } from '../failure.js';
import { deliveredLines, readyLines, type LineStyle } from '../listen/lines.js';
import { listenUntil, type TunnelResponse } from '../listen/tunnel.js';

const EXAMPLES = `
Examples:
  messaging-sandbox listen --forward-to http://localhost:3000/hook
  messaging-sandbox listen --forward-to http://localhost:3000/hook --events message.status,message.received
  messaging-sandbox listen --print

Registers an endpoint for as long as it runs. The response of your server, or its absence, is the result
of the delivery. The first line is the secret for signatures; --secret keeps it the same in every run.`;

interface Flags extends ClientFlags {
  readonly forwardTo?: string;
  readonly print?: boolean;
  readonly events?: string;
  readonly secret?: string;
}

/** `listen`: forwards deliveries to a server that the sandbox cannot reach. */
export function define(): Command {
  const command = newCommand('listen', 'forward deliveries from the sandbox to your server')
    .option('--forward-to <URL>', 'URL of your server, such as http://localhost:3000/hook or localhost:3000/hook')
    .option('--print', 'print complete events; without --forward-to, respond to each with 200')
    .option('--events <LIST>', `comma-separated event types; default: ${eventTypes.join(',')}`)
    .option('--secret <SECRET>', 'secret for signatures, whsec_…; default: a new one')
    .addHelpText('after', EXAMPLES);
  return withClientFlags(command).action(listen);
}

async function listen(flags: Flags): Promise<void> {
  const target = targetOf(flags);
  const client = connect(flags);
  const query = new URLSearchParams({ tunnel: '1' });
  for (const name of ['events', 'secret'] as const) if (flags[name] !== undefined) query.set(name, flags[name]);
  const style: LineStyle = { json: flags.json === true, full: flags.print === true, target: target?.href ?? null };
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  await listenUntil(stop.signal, {
    client,
    query,
    respond: target === null ? () => Promise.resolve({ status: 200, headers: {}, body: '' }) : forwardTo(target),
    onReady: (ready) => say(printable(readyLines(style, ready))),
    onDelivered: (delivered) => say(deliveredLines(style, delivered)),
    onNotice: (text) => process.stderr.write(`${printable(text)}\n`),
  });
  // Deliveries in flight would keep the process alive.
  process.exit(0);
}

/** Sends each request on as the sandbox sends its own: byte for byte, without following redirects. */
function forwardTo(target: URL) {
  const { url, routes } = receiverOf(target.href);
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

function targetOf({ forwardTo: text, print }: Flags): URL | null {
  if (text === undefined) {
    if (print === true) return null;
    throw new UsageError('listen: there is no destination. Add --forward-to http://localhost:3000/hook, or --print.');
  }
  const whole = wholeUrl(text);
  const url = URL.canParse(whole) ? new URL(whole) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError(
    `Invalid value "${text}" for --forward-to. Expected the URL of a server, such as http://localhost:3000/hook.`,
  );
}

/** Completes the usual short forms: `localhost:3000/hook`, or only the port. */
function wholeUrl(text: string): string {
  if (/^\d+$/.test(text)) return `http://localhost:${text}`;
  return /^[\w.-]+(?::\d+)?(?:[/?]|$)/.test(text) ? `http://${text}` : text;
}
