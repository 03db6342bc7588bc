/** What a server says to requests that the document forbids: measured, so that nobody has to believe a table. */
import { request } from 'node:http';
import { benchKey } from './load.js';

/** Status of the answer to each; null when none came within five seconds. */
export interface Refusals {
  readonly withoutKey: number | null;
  readonly wrongType: number | null;
  readonly missingTemplate: number | null;
  readonly brokenJson: number | null;
}

const patienceMs = 5_000;

export async function refusalsOf(url: string, send: object): Promise<Refusals> {
  const key = { authorization: `Bearer ${benchKey}` };
  const { template: _template, ...rest } = send as { template?: unknown };
  return {
    withoutKey: await statusOf(url, {}, JSON.stringify(send)),
    wrongType: await statusOf(url, key, JSON.stringify({ ...send, to: 5 })),
    missingTemplate: await statusOf(url, key, JSON.stringify(rest)),
    brokenJson: await statusOf(url, key, '{"to":'),
  };
}

function statusOf(url: string, headers: Record<string, string>, body: string): Promise<number | null> {
  return new Promise((resolve) => {
    const options = {
      method: 'POST',
      agent: false,
      timeout: patienceMs,
      headers: { 'content-type': 'application/json', ...headers },
    };
    const asked = request(`${url}/v1/messages`, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(null));
    asked.end(body);
  });
}
