/** Applications under test for commands that run one: a line of code in a separate process. */

const prelude = `
const { MESSAGING_BASE_URL: base, MESSAGING_API_KEY: key } = process.env;
const call = async (method, path, body, as = key) => {
  const headers = { authorization: 'Bearer ' + as, 'content-type': 'application/json' };
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  return answer.status === 204 ? null : answer.json();
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
