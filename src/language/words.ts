/** Finds the word that a text means: typos, synonyms of beginners, words of other tools. */
import { nearestFirst, nearestWord } from '../domain/text.js';

/** Meanings of a word, without case and separators. Only words that are allowed at the place count. */
const SYNONYMS = tableOf(`
if filter condition conditions with: match where
name: id alias template
phone number customer user: phone to from
recipient: phone to
to: phone
from: phone
sender: phone from
at: when active after
on hook operation: when
event: when type
do action actions: then
time when: at
in: at after
wait: after delay latency_real
delay: after at latency_real
response: respond
reply answer: inbound respond
body: text
message: text because
content: text body
reason: because rejection_reason
why description: because
of what subject: that
percent percentage probability: chance
atleast minimum: min
atmost maximum: max
exactly: count
times: count calls
error: code
copies: duplicate
transactional service: utility
promotional promotion advertising: marketing
otp: authentication otps otp.send
auth verification: authentication
calls: requests
customers: received messages
replies answers outbound: sent
inbound incoming: received
endpoints: webhooks
codes: otps
end done: finish
received: message.received
webhooksend: webhook.deliver
send: message.send
customerwrites: inbound
enabled: active
disabled: paused
true yes: open
false no: closed
until: before
since: after
blocked rejected: failed
optout optedout unsubscribed stop: recipient_opted_out
unreachable notonwhatsapp bounce bounced invalidnumber: undeliverable failed
invalid wrong bad: wrong_secret
reject: rejected
approve: approved
never: pending
json data payload: body data
text: body
active: approved
assertions asserts checks expectations: expect
steps script events: timeline
setup fixtures: given
mocks stubs: rules
`);

function tableOf(rows: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    rows.split('\n').flatMap((row) => {
      const [words = '', meanings = ''] = row.split(': ');
      return words.split(' ').map((word) => [word, meanings.split(' ')] as const);
    }),
  );
}

const LANGUAGES =
  'english en german de french fr spanish es portuguese pt italian it dutch nl polish pl arabic ar hindi hi turkish tr russian ru chinese zh japanese ja'.split(
    ' ',
  );

/** `English` → `en`, because some authors do not use tags. */
export function languageTag(name: string): string | undefined {
  const index = LANGUAGES.indexOf(name.toLowerCase());
  return index % 2 === 0 ? LANGUAGES[index + 1] : undefined;
}

export function nameOfLanguage(name: string, tag: string): string {
  return `The language ${JSON.stringify(name)} is a name; its code is ${JSON.stringify(tag)}.`;
}

/** The same word in another spelling, with its parts reversed (`send.message`), a synonym, or the nearest word. */
export function meantWords(text: string, words: readonly string[]): string[] {
  const plain = plainForm(text);
  const turned = text
    .split(/[._\s-]+|(?<=[a-z])(?=[A-Z])/)
    .reverse()
    .join('')
    .toLowerCase();
  const same = words.filter((word) => plainForm(word) === plain || plainForm(word) === turned);
  if (same.length > 0) return same;
  const known = synonymsOf(text, words);
  if (known.length > 0) return known;
  const nearest = nearestWord(text, words);
  return nearest === undefined ? [] : [nearest];
}

export function synonymsOf(text: string, words: readonly string[]): string[] {
  return SYNONYMS.get(plainForm(text))?.filter((word) => words.includes(word)) ?? [];
}

/** A longer list of allowed words begins with the nearest ones. */
const LONG_LIST = 8;

export function listed(text: string, words: readonly string[]): readonly string[] {
  return words.length > LONG_LIST && text !== '' ? nearestFirst(text, words, 3) : words;
}

function plainForm(word: string): string {
  return word.toLowerCase().replace(/[\s_.-]/g, '');
}
