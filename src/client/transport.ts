/**
 * Makes one HTTP call to a sandbox. It uses node:http, because a test environment may have replaced or removed `fetch`.
 * Each call has its own connection, because an open socket would keep the process alive.
 */
import { Agent, request as httpRequest } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';

export interface Call {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * The certificate of a sandbox in this process, in PEM. It is the only one trusted, for any name. Default: the
   * certificates that Node trusts.
   */
  readonly certificate?: string;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const plain = new Agent({ keepAlive: false });
/** Created only for the first https address, because loading TLS takes milliseconds. */
let secure: TlsAgent | undefined;

/** Rejects with the system's error if there is no response, or if the connection ends before the response does. */
export function exchange({ method, url, headers, body, certificate }: Call): Promise<Answer> {
  const { protocol } = new URL(url);
  const request = protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const agent = protocol === 'https:' ? (secure ??= new TlsAgent({ keepAlive: false })) : plain;
    const trust = certificate !== undefined && {
      ca: certificate,
      allowPartialTrustChain: true,
      checkServerIdentity: () => undefined,
    };
    const call = request(url, { method, headers: { ...headers, ...length }, agent, ...trust }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, contentType: response.headers['content-type'] ?? '', text });
      });
    });
    call.once('error', reject);
    call.end(body);
  });
}
