/**
 * Applications under test for commands that run one: a line of code in a separate process. It loads no `fetch`, which
 * takes as long as everything else.
 */

const prelude = `
const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key } = process.env;
const { request } = await import('node:http');
const call = async (method, path, body, as = key) => {
  const headers = { authorization: 'Bearer ' + as, 'content-type': 'application/json' };
  const answer = await new Promise((resolve, reject) => {
    const sent = request(base + path, { method, headers, agent: false }).on('response', resolve).on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
  let json = '';
  for await (const chunk of answer.setEncoding('utf8')) json += chunk;
  return answer.statusCode === 204 ? null : JSON.parse(json);
};
const text = (to, words = 'Hello') => call('POST', '/v1/messages', { to, type: 'text', text: words });
`;

/**
 * The command line of an application that runs `code`, which may await `call(method, path, body, key?)` and
 * `text(to, words?)` and finds `base` and `key`.
 */
export function application(code: string): string[] {
  return [process.execPath, '--input-type=module', '-e', `${prelude}${code}`];
}
