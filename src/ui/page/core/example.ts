/** Lines to run that an empty state shows. */
import { quoted } from './curl.js';

/** A call of the account that is shown, for an empty state: the key is in it. */
export function exampleOf(key: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): string {
  const authorization = quoted(`Authorization: Bearer ${key}`);
  const lines = [`curl -s${method === 'PUT' ? ' -X PUT' : ''} ${location.origin}${path}`, `-H ${authorization}`];
  if (body) lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}
