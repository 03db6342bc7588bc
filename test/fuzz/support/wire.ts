/** The client of the fuzz tests: real HTTP on kept-alive connections, responses as bytes, calls as curl lines. */
import { Pool } from 'undici';
import type { Call } from './calls.js';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export class Wire {
  readonly #pool: Pool;

  constructor(readonly url: string) {
    this.#pool = new Pool(url, { connections: 8, headersTimeout: 20_000, bodyTimeout: 20_000 });
  }

  async send(call: Pick<Call, 'method' | 'target' | 'headers' | 'body'>, key: string): Promise<Reply> {
    const { method, target, headers, body } = call;
    const answer = await this.#pool.request({
      method: method,
      path: target,
      headers: { authorization: `Bearer ${key}`, ...headers },
      body,
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Returns a shell command that makes the same call. */
  curl({ method, target, headers, body }: Pick<Call, 'method' | 'target' | 'headers' | 'body'>, key: string): string {
    const all = { authorization: `Bearer ${key}`, ...headers };
    const flags = Object.entries(all).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
    const data = body === null ? [] : [`--data-binary ${ansi(body)}`];
    return ['curl -i', `-X ${method}`, quoted(this.url + target), ...flags, ...data].join(' ');
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes bytes for bash; all except plain ASCII are written as codes. */
function ansi(body: Buffer): string {
  if (body.length > 4000) return `$'…${body.length} bytes, from ${body.subarray(0, 200).toString('latin1')}'`;
  const isPlain = body.every((byte) => byte >= 0x20 && byte < 0x7f);
  if (isPlain) return quoted(body.toString('latin1'));
  const codes = Array.from(body, (byte) => {
    if (byte === 0x27 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `$'${codes.join('')}'`;
}
