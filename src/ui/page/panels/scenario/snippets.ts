/** Sample rules by purpose, and their place in a text. */

export interface Snippet {
  readonly label: string;
  /** One item of `rules`. */
  readonly rule: string;
}

export const snippets: readonly Snippet[] = [
  {
    label: 'A customer blocks us',
    rule: `id: blocked
when: message.send
match: { to: "+12025550121" }
then: { lifecycle: blocked }`,
  },
  {
    label: 'Rate limit',
    rule: `id: rate-limit
when: message.send
then:
  limit: { rate: 10/s, burst: 10 }`,
  },
  {
    label: 'The service is down for 10 minutes',
    rule: `id: outage
when: api.any
active: { from: 0s, to: 10m }
then:
  respond: { status: 503 }`,
  },
  {
    label: 'Every third send fails',
    rule: `id: every-third
when: message.send
pick: { every: 3 }
then:
  respond: { status: 500 }`,
  },
  {
    label: 'Receiver down for a day',
    rule: `id: receiver-down
when: webhook.deliver
active: { from: 0s, to: 25h }
then:
  webhook: { receiver: { simulate: 503 } }`,
  },
  {
    label: 'Events arrive twice',
    rule: `id: twice
when: webhook.deliver
then:
  webhook: { duplicate: 1 }`,
  },
  {
    label: 'A customer replies STOP',
    rule: `id: opt-out
when: message.send
match: { to: "+12025550123" }
then:
  inbound: { text: STOP, after: 5s }`,
  },
  {
    label: 'A template is rejected',
    rule: `id: rejected
when: template.create
match: { category: marketing }
then:
  review: { reject: true, reason: Not allowed }`,
  },
];

/**
 * Adds a rule at the end of `rules` in a text, and adds `rules` if necessary. `at` is the rule's first line, from 1.
 */
export function withRule(text: string, rule: string): { text: string; at: number } {
  const lines = text
    .replace(/\s*$/, '')
    .split('\n')
    .filter((line, at, all) => at < all.length - 1 || line !== '');
  let start = lines.findIndex((line) => /^rules\s*:/.test(line));
  if (start === -1) start = lines.push('rules:') - 1;
  else if (/^rules\s*:\s*\[\s*\]\s*(#.*)?$/.test(lines[start] ?? '')) lines[start] = 'rules:';
  let end = start + 1;
  while (end < lines.length && !/^[^\s#-]/.test(lines[end] ?? '')) end += 1;
  while (end > start + 1 && /^\s*(#.*)?$/.test(lines[end - 1] ?? '')) end -= 1;
  const indent = /^(\s*)-/.exec(lines.slice(start + 1, end).find((line) => /^\s*-/.test(line)) ?? '  -')?.[1] ?? '  ';
  const added = rule.split('\n').map((line, at) => `${indent}${at === 0 ? '- ' : '  '}${line}`);
  lines.splice(end, 0, ...added);
  return { text: `${lines.join('\n')}\n`, at: end + 1 };
}
