/** Earlier and foreign words of the language: each is an error that says what to write. */
import { STATUS_CODES } from 'node:http';
import { meantRate, parseRate } from '../language/durations.js';
import { isRegexText } from '../language/regex.js';

/**
 * By the part in which a word stands, as its schema is named, or its key if that has no name:
 * - `PART WORDS ⇒ KEY`: another key, with the same value
 * - `PART WORDS: VALUE ⇒ ENTRY + ENTRY`: other entries, for a value of this form; `$1` is its first group, `$word` the word
 * - `PART WORDS: VALUE ⇒ = TEXT`: a value instead of the whole mapping, if it has no other entry
 * - `PART WORDS ✗ MESSAGE Allowed: TEXT`: nothing stands in its place
 * The first row that fits counts. `=2+1` is a sum, `@rate`, `@status` and `@regex` are what the functions below return for the value.
 */
const TABLE = String.raw`
Scenario clock: \{ *mode: *["']?(real|frozen|auto)["']?(?:, *quiet_real: *[^,}]*)? *\} ⇒ # start with --clock $1
Scenario clock: \{.*\bstart: *(["']?[\d:.TZ-]+["']?).*\} ⇒ clock: $1
Scenario extends: ["']?(?:\.\/)?([\w.-]+\.\w+)["']? ⇒ extends: [$1]
Rule respond|refuse|limit|lifecycle|review|otp|webhook|inbound|window: (.*) ⇒ then: { $word: $1 }
Rule calls|every|chance|share: (.*) ⇒ pick: { $word: $1 }
Rule after|before: (.*) ⇒ active: { $word: $1 }
Rule until: (.*) ⇒ active: { before: $1 }
Rule when: ["']?(?:POST +)?\/v1\/messages["']? ⇒ when: message.send
Rule when: ["']?message\.\*["']? ⇒ when: message.send
Rule when: ["']?\*["']? ⇒ when: api.any
Rule expect|never ✗ A rule that must not apply is a check of the records that it shaped. Allowed: in expect: { at: finish, that: requests, where: { rule: ID_OF_THIS_RULE }, count: 0 }
Rule pick: ["']?(?:once|first)["']? ⇒ pick: { calls: 1 }
Rule match: ["']?(\w+) *(?:==?|\bis\b) *([^"'{}[\]\n:]+?)["']? ⇒ match: { $1: $2 }
Rule then: ["']?drop(?:ped)?["']? ⇒ then: { webhook: { drop: true } }
Rule then: ["']?(happy|unread|slow|next_day|stuck|silent|blocked|undeliverable)["']? ⇒ then: { lifecycle: $1 }
Rule then: \[ *(\{.*\}) *\] ⇒ then: $1
Rule given: .*\b(?:message|text)\b.*\b(?:sent|sends?)\b.*|.*\b(?:sent|sends?)\b.*\b(?:message|text)\b.* ⇒ when: message.send
Rule given ✗ A rule names the point at which it is evaluated, and conditions in match. Allowed: when: message.send, otp.send, webhook.deliver or another hook
Rule request ✗ A rule does not describe a request: its hook names the operation, and match its fields. Allowed: when: message.send and match: { phone: +12025550113 }
Rule then: ["']?[^"'{}[\]\n:]*\b([2-5]\d\d)\b[^"'{}[\]\n:]*["']? ⇒ then: { respond: { status: $1 } }
Rule response: \{ *status: *(\d{3}), *fixedDelayMilliseconds: *(\d+) *\} ⇒ then: { respond: { status: $1, latency_real: $2ms } }
Rule response|return|returns: (\{ *(?:status|code|body|headers|retry_after): [^{}]*\}) ⇒ then: { respond: $1 }
Rule response|return|returns: (\d{3}) ⇒ then: { respond: { status: $1 } }
Rule response|return|returns ✗ The response is an action of the rule. Allowed: then: { respond: { status: 503 } }
Match to ⇒ phone
Match endpoint|path ⇒ url
Match attempt ⇒ attempts
Match account ✗ A rule belongs to one account, so it does not match its key. Allowed: a scenario for each key
Match any ✗ A match has one set of conditions. Allowed: a rule for each of them
Match after ✗ A rule does not depend on another one. Allowed: pick with per: phone, or active
Match customer ✗ A rule does not depend on what the customer did before. Allowed: pick with per: phone, or active
Match batch ✗ Each entry of a batch is matched like a single send. Allowed: phone and the other fields
Match variables ✗ The variables are part of the text. Allowed: text: "*Ada*"
Match length ✗ The length of a code cannot be matched. Allowed: phone, template
Pick nth ⇒ calls
Pick first: 1 ⇒ calls: 1
Pick first: ([1-9]\d*) ⇒ calls: 1..$1
Pick after: ([1-9]\d*) ⇒ calls: =$1+1..
Pick between: \[ *(\d+) *, *(\d+) *\] ⇒ calls: $1..$2
Pick first|after|between ✗ Which calls a rule applies to is written in numbers. Allowed: calls: 3, calls: 2..5 or calls: 4..
Pick group ✗ There is no group: the shares of all rules with the same action add up. Allowed: share
Active from ⇒ after
Active to|until ⇒ before
DeliverySlots timeout|time_out|times_out: (.*) ⇒ webhook: { receiver: { simulate: timeout } }
DeliverySlots fail|failure|error|status: ["']?([2-5]\d\d)["']? ⇒ webhook: { receiver: { simulate: $1 } }
DeliverySlots respond: \{ *status: *([2-5]\d\d) *\} ⇒ webhook: { receiver: { simulate: $1 } }
DeliverySlots duplicate|delay|drop|signature|body|receiver: (.*) ⇒ webhook: { $word: $1 }
Slots delay|latency|latency_real: (.*) ⇒ respond: { latency_real: $1 }
Slots timeout|time_out|times_out: (?:true|yes|on) ⇒ respond: { fault_real: hang }
Slots status|retry_after|fault_real: (.*) ⇒ respond: { $word: $1 }
Slots fail|fails|failure|error: ["']?(\d{3}|\d{6}|[a-z]+(?:_[a-z]+)+|blocked|undeliverable)["']? ⇒ lifecycle: $1
Slots respond: \{ *refuse: *(.*?) *\} ⇒ refuse: $1
Slots respond: ["']?time_?out["']? ⇒ respond: { fault_real: hang }
Slots refuse: (?:true|yes|on) ⇒ refuse: { code: undeliverable }
Slots webhook: ["']?(?:duplicate|twice)["']? ⇒ webhook: { duplicate: 1 }
Slots webhook: ["']?drop["']? ⇒ webhook: { drop: true }
Slots lifecycle: \{ *((?:sent|delivered|read|failed): *[^,{}]+(?:, *(?:sent|delivered|read|failed): *[^,{}]*[^,{} ])*) *\} ⇒ lifecycle: [$1]
LifecycleStep sent|delivered|read|failed: ["']?(?:never|none|no)["']? ✗ A status that is never reported has no step. Allowed: the other steps, such as [sent: 0s]
InboundSlot button: ["']?first["']? ⇒ button: 1
Slots limit: \{.*\brate: .*\} ⇒ limit: @rate
Conditions equals|is: (?!\/|[1-5]xx$)([^*{[]+) ⇒ = $1
Conditions matches|regex|pattern: (["']?)([^"'*{}[\],&|>]+)\1 ⇒ = @regex
Conditions contains: (["']?)([^"'*{}[\],&|>]+)\1 ⇒ = '*$2*'
Conditions startsWith|starts_with|begins_with|prefix: (["']?)([^"'*{}[\],&|>]+)\1 ⇒ = '$2*'
Conditions endsWith|ends_with|suffix: (["']?)([^"'*{}[\],&|>]+)\1 ⇒ = '*$2'
Conditions any: (\[.*\]) ⇒ = $1
Conditions missing: true ⇒ = { not: "*" }
Conditions missing: false ⇒ = "*"
Conditions equals|is|matches|regex|pattern|contains|any|missing ✗ Write the text, the glob, the /regex/ or the list itself, without a key. Allowed: a text, a * glob, a /regex/ or a list of them
Respond status: ["']?([a-z]+(?:_[a-z]+)+)["']? ⇒ code: $1
Respond status: ["']?[A-Z][A-Za-z' -]+["']? ⇒ status: @status
Respond fixedDelayMilliseconds: (\d+) ⇒ latency_real: $1ms
Respond jsonBody ⇒ body
Respond refuse ✗ refuse is a separate action. Allowed: then: { refuse: { code: undeliverable } }
Review approve: (?:true|yes|on) ⇒ status: approved
Review reject: (?:true|yes|on) ⇒ status: rejected
Review never: (?:true|yes|on) ⇒ status: pending
Review reason ⇒ because
Review event_lag: (.*) ✗ The event of a review is delayed like any other delivery. Allowed: a rule { when: webhook.deliver, match: { event: template.status }, then: { webhook: { delay: $1 } } }
Review later ✗ What happens to a template after its review is a step of the timeline. Allowed: { at: { after: ID_OF_THIS_RULE, by: 3d }, template: { name: NAME, status: paused } }
WebhookSlot status: ([2-5]\d\d) ⇒ receiver: { simulate: $1 }
WebhookSlot receiver: \{ *simulate: *timeout, *contacted: *true *\} ⇒ receiver: { simulate: late }
WebhookSlot duplicate: (?:true|yes|on) ⇒ duplicate: 1
WebhookSlot receiver: ["']?(?:down|off|unreachable)["']? ⇒ receiver: { simulate: refused }
WebhookSlot timeout|time_out|times_out: (?:true|yes|on) ⇒ receiver: { simulate: timeout }
WebhookSlot forged_copy: (before|after) ⇒ body: forged_$1
receiver contacted ✗ A receiver that handles the request, but responds too late, is simulated by one word. Allowed: simulate: late
GivenTemplate rejection_reason ⇒ because
GivenTemplate buttons ✗ A template with buttons is created by the application. Allowed: name, category, language, body, status, because
GivenCustomer profile_name ⇒ name
GivenCustomer last_inbound ⇒ window
TimelineEntry at: ["']?(\d:\d\d)["']? ⇒ at: { clock: "0$1" }
TimelineEntry at: ["']?(\d\d:\d\d)["']? ⇒ at: { clock: "$1" }
TimelineEntry at: ["']?\d{4}-\d\d-\d\dT(\d\d:\d\d)[^"']*["']? ✗ A step happens at a time after the activation, not at a date. Allowed: an offset such as +5m, or { clock: "$1" } for the next $1 UTC
TimelineEntry at: ["']?[A-Za-z ]+\b(\d\d:\d\d)["']? ✗ A step names an offset from activation, or a time of the day. Allowed: { clock: "$1" }, or an offset such as +1d
TimelineEntry at: ["']?every (\d+(?:ms|[smhd]))["']? ⇒ at: +$1 + every: $1 + count: 10
TimelineEntry repeat|repeats: (\d+) ✗ A step repeats with every and count. Allowed: every: 1h, count: $1
TimelineEntry replay: (?:true|yes|on) ⇒ replay: {}
TimelineEntry template: ["']?([a-z]\w*) (?:is )?(paused|approved|deleted|rejected)["']? ⇒ template: { name: $1, status: $2 }
webhook paused: (?:true|yes|on) ⇒ status: paused
TimelineEntry send|sends ✗ The application sends messages; a step calls the application, as its users do. Allowed: http: { url: /orders, body: { to: +12025550113 } }
TimelineEntry sleep|pause: (\d+\w+) ⇒ wait: { real: $1 }
TimelineEntry http: ["']?(GET|POST|PUT|PATCH|DELETE) +([^\s"']+)["']? ⇒ http: { method: $1, url: $2 }
TimelineEntry until: ["']?(\/[^\s="'#]+)(?: *==? *| +is +)([^"'{}\n]+?)["']? ⇒ until: { $1#status: $2 }
TimelineEntry get|GET: (.*) ⇒ http: { url: $1 }
TimelineEntry post|POST: (.*) ⇒ http: { method: POST, url: $1 }
TimelineEntry window: \{ *phone: *([^,} ]+), *open: *(?:true|yes|open) *\} ⇒ window: open + phone: $1
TimelineEntry window: \{ *phone: *([^,} ]+), *open: *(?:false|no|closed) *\} ⇒ window: closed + phone: $1
TimelineEntry times ⇒ count
TimelineEntry state ⇒ until
at after: (\+?\d+(?:ms|[smhd])) ⇒ = $1
at day ✗ The time is the next one that the clock shows. A later day is an offset. Allowed: at: { clock: "09:00" }, or an offset such as +1d9h
InboundAction from|to ⇒ phone
InboundAction media_url ⇒ url
InboundAction message: ((?![1-9]\d*$).+) ⇒ text: $1
InboundAction profile_name ⇒ name
InboundAction text: \{ *(?:body|text): *("[^"]*"|'[^']*'|[^,}]*[^,} ]) *\} ⇒ text: $1
InboundAction button: \{.*?\b(?:title|id): *("[^"]*"|'[^']*'|[^,}]*[^,} ]).*\} ⇒ button: $1
InboundAction interactive: \{.*?\btitle: *("[^"]*"|'[^']*'|[^,}]*[^,} ]).*\} ⇒ button: $1
TemplateAction reason ⇒ because
MessageAction to ⇒ phone
HttpAction expect|expects|expect_status|code ⇒ status
HttpAction answered ⇒ status
HttpAction get|GET|path ⇒ url
HttpAction post|POST: (.*) ⇒ method: POST + url: $1
HttpAction put|PUT: (.*) ⇒ method: PUT + url: $1
HttpAction patch|PATCH: (.*) ⇒ method: PATCH + url: $1
HttpAction delete|DELETE: (.*) ⇒ method: DELETE + url: $1
Expectation count: ["']?\s*>= *(\d+)\s*["']? ⇒ min: $1
Expectation count: ["']?\s*> *(\d+)\s*["']? ⇒ min: =$1+1
Expectation count: ["']?\s*<= *(\d+)\s*["']? ⇒ max: $1
Expectation count: ["']?\s*< *([1-9]\d*)\s*["']? ⇒ max: =$1-1
Expectation count: ["']?(\d+) *(?:\.\.|-|to) *(\d+)["']? ⇒ min: $1 + max: $2
Expectation count: ["']?(?:at least +([1-9]\d*)|([1-9]\d*)(?: *\.\.| or more))["']? ⇒ min: $1$2
Expectation count: ["']?at most +(\d+)["']? ⇒ max: $1
Expectation count: ["']?more than +(\d+)["']? ⇒ min: =$1+1
Expectation count: ["']?(?:none|no|never|zero|nothing)["']? ⇒ count: 0
Expectation count: ["']?(?:one|once)["']? ⇒ count: 1
Expectation not|never: (?:true|yes|on) ⇒ count: 0
Expectation exists: (?:true|yes|on) ⇒ min: 1
Expectation exists: (?:false|no|off) ⇒ count: 0
Expectation where: ["']?(\w+)(?: +| *==? *| +is +)([^\s"'{}[\]\n:]+)["']? ⇒ where: { $1: $2 }
Expectation duplicate: ["']?(?:none|no|never|false)["']? ⇒ duplicate: 0
Expectation unique: (?:true|yes|on) ⇒ duplicate: 0
Expectation after: ["']?(\+\d[\dhmsd]*)["']? ✗ after names a step or a check. Allowed: where: { at: $1.. }, for records after that time
Expectation within ⇒ by
Expectation at: ["']?(\d:\d\d)["']? ⇒ at: { clock: "0$1" }
Expectation at: ["']?(\d\d:\d\d)["']? ⇒ at: { clock: "$1" }
Expectation between: \[ *(\d+) *, *(\d+) *\] ⇒ min: $1 + max: $2
Expectation between: ["']?(\d+) *(?:\.\.|-|and) *(\d+)["']? ⇒ min: $1 + max: $2
Expectation equals|equal|is: (\d+) ⇒ count: $1
Expectation at: ["']?\d{4}-\d\d-\d\dT\d\d:\d\d[^"']*["']? ✗ A check is evaluated at a time after the activation, or at the end, not at a date. Allowed: finish, or an offset from activation such as +24h2m
Expectation that: ["']?state["']? ✗ The state of the application is a check without "that": it names paths and their values. Allowed: { at: finish, state: { "/orders/42#status": paid } }
Expectation that: ["']?(sent|received) messages["']? ⇒ that: $1
Expectation that: ["']?\S+\s.* ✗ A check names a kind of record, conditions and an amount. Allowed: sent, received, requests and others, as in { at: finish, that: sent, where: { to: +12025550113 }, count: 1 }
StateExpectation state: ["']?(\/[^\s="'#]+#[^\s="']+)(?: *==? *| +is +)([^"'{}]+?)["']? ⇒ state: { $1: $2 }
StateExpectation state: ["']?(\/[^\s="'#]+)(?: *==? *| +is +)([^"'{}]+?)["']? ⇒ state: { $1#status: $2 }
StateExpectation count|min|has|where ✗ A check of a state compares values, and counts nothing. Allowed: state and max: 0, for values that it must not have
Expectation duplicates ⇒ duplicate
Expectation answered: (.*) ⇒ has: { status: $1 }
`;

export type Instead =
  | { readonly key: string }
  | { readonly entries: readonly string[] }
  | { readonly whole: string }
  | { readonly message: string; readonly allowed: string };

interface Row {
  readonly words: readonly string[];
  readonly value: RegExp;
  readonly means: string;
}

/** For a row that does not name a value, any value matches. */
const ANY = /^/;
const ROWS = new Map<string, Row[]>();
for (const row of TABLE.trim().split('\n')) {
  const [, part = '', words = '', value, means = ''] = /^(\w+) ([\w|]+)(?:: (.*?))? ([⇒✗] .*)$/.exec(row) ?? [];
  const form = value === undefined ? ANY : new RegExp(`^(?:${value})$`);
  ROWS.set(part, [...(ROWS.get(part) ?? []), { words: words.split('|'), value: form, means }]);
}

/** Undefined if the entry is not in an old form. `isAlone`: a value can replace the whole mapping. */
export function insteadOf(part: string, word: string, source: string, isAlone: boolean): Instead | undefined {
  for (const { words, value, means } of ROWS.get(part) ?? []) {
    if (!words.includes(word) || !value.test(source)) continue;
    const [, sign = '', text = ''] = /^(⇒ =|⇒|✗) (.*)$/.exec(means) ?? [];
    if (sign === '⇒' && value === ANY) return { key: text };
    const written = filledIn(value === ANY ? text : source.replace(value, text.replaceAll('$word', word)), source);
    const [message = '', allowed] = written?.split(' Allowed: ') ?? [];
    if (sign === '✗' && allowed !== undefined) return { message, allowed };
    if (sign === '⇒' && written !== undefined) return { entries: written.split(' + ') };
    if (sign === '⇒ =' && isAlone && written !== undefined) return { whole: written };
  }
  return undefined;
}

function filledIn(text: string, source: string): string | undefined {
  if (text.includes('@status')) {
    const [status] = Object.entries(STATUS_CODES).find(([, phrase = '']) => isSame(phrase, source)) ?? [];
    return status && text.replace('@status', status);
  }
  if (text.includes('@rate')) return rateOf(source) && text.replace('@rate', rateOf(source) ?? '');
  return text
    .replace('@regex', () => regexOf(source.replace(/^(["'])(.*)\1$/, '$2')))
    .replace(/=(\d+)([+-]1)/, (_sum, number, more) => String(Number(number) + Number(more)));
}

/** `too-many requests` is the phrase `Too Many Requests`. */
function isSame(phrase: string, written: string): boolean {
  const [one, other] = [phrase, written].map((text) => text.toLowerCase().replace(/[^a-z]/g, ''));
  return one === other;
}

/** `{ rate: 80/s, burst: 10 }` → `10/125ms` */
function rateOf(source: string): string | undefined {
  const [, written = ''] = /\brate: *["']?([^"',}]+)/.exec(source) ?? [];
  const rate = parseRate(written.trim()) ? written.trim() : (meantRate(written) ?? '');
  const [, burst] = /\bburst: *(\d+)/.exec(source) ?? [];
  const parsed = parseRate(rate);
  if (parsed === undefined || burst === undefined || Number(burst) === parsed.tokens) return parsed && rate;
  const ms = (parsed.perMs * Number(burst)) / parsed.tokens;
  if (!Number.isInteger(ms)) return undefined;
  return `${burst}/${ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`}`;
}

function regexOf(text: string): string {
  return isRegexText(text) ? text : `/${text.replaceAll('/', '\\/')}/`;
}
