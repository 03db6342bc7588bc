/** Captures every response as sent: status, headers and bytes. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Call } from '../../../src/http/call.js';
import type { CheckedResponse } from './document-check.js';

export interface Captured {
  readonly plane: 'api' | 'control';
  readonly method: string;
  readonly path: string;
  /** Whether a rule of a scenario decided the response. */
  readonly scripted: boolean;
  /** The body of the response as text. */
  readonly body: string;
  /** The body of the call, parsed. */
  readonly call: unknown;
  readonly response: CheckedResponse;
}

type Heard = (status: number, headers: Record<string, string>, body: Buffer) => void;
type Method = (...args: unknown[]) => unknown;
type Methods = Record<'write' | 'end' | 'writeHead', Method>;

export function captureResponses(listener: RequestListener, take: (captured: Captured) => void): RequestListener {
  return (request, response) => {
    listen(response, (status, headers, body) => take(captured(request, status, headers, body)));
    listener(request, response);
  };
}

function captured(request: IncomingMessage, status: number, headers: Record<string, string>, body: Buffer): Captured {
  const call = request as Call;
  const { method, context } = call;
  const [path = ''] = call.originalUrl.split('?');
  return {
    plane: path === '/v1' || path.startsWith('/v1/') ? 'api' : 'control',
    method,
    path,
    // A rate limit is a response of the sandbox itself, so it is checked.
    scripted: context !== undefined && context.fault !== null && context.fault !== 'limit',
    body: body.toString('utf8'),
    call: call.body,
    response: { status, headers, body: method === 'HEAD' ? null : body },
  };
}

/** Headers handed to `writeHead` cannot be read afterwards, so they are remembered here. */
function listen(response: ServerResponse, heard: Heard): void {
  const methods = response as unknown as Methods;
  const [write, end, writeHead] = [methods.write, methods.end, methods.writeHead].map((method) =>
    method.bind(response),
  ) as [Method, Method, Method];
  const chunks: Buffer[] = [];
  let head: Record<string, string> = {};
  const take = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding === 'latin1' ? 'latin1' : 'utf8'));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  Object.assign(response, {
    writeHead: (...args) => {
      head = { ...head, ...lowerCase(args.at(-1)) };
      return writeHead(...args);
    },
    write: (...args) => {
      take(args[0], args[1]);
      return write(...args);
    },
    end: (...args) => {
      take(args[0], args[1]);
      heard(response.statusCode, { ...lowerCase(response.getHeaders()), ...head }, Buffer.concat(chunks));
      return end(...args);
    },
  } satisfies Methods);
}

function lowerCase(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
