/** Mistakes that beginners make: all that is reported of each text, and a corrected line where it is known what is meant. */
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/reader/load.js';
import type { Problem } from '../../src/language/problems.js';
import { checkRow, rowsOf, textOf } from './reports.js';

it.each(
  rowsOf(String.raw`
message.send if: { to: +12025550113 }
  3:27 unknown_key rules[0].if [if: { to → match: { phone]
  3:33 other_form rules[0].match.to [if: { to → match: { phone]
message.send name: blocked ⇒ 3:27 unknown_key rules[0].name [name → id]
message.send match: { phone: +12025550113 } ⇒ fine
message.send at: +5m ⇒ 3:27 unknown_key rules[0].at
part rules:⏎  - at: message.send⏎    then: { lifecycle: happy } ⇒ 3:5 unknown_key rules[0].at [at → when]
rule { when: send.message, then: { lifecycle: happy } } ⇒ 3:13 unknown_word rules[0].when [send.message → message.send]
rule { when: sendMessage, then: { lifecycle: happy } } ⇒ 3:13 unknown_word rules[0].when [sendMessage → message.send]
part timeline: [{ at: 5m, inbound: { phone: +12025550113, message: Hello } }]
  2:54 other_form timeline[0].inbound.message [message → text]
part timeline: [{ at: 5m, inbound: { phone: +12025550113, message: 2 } }] ⇒ 2:63 missing_key timeline[0].inbound.message
part timeline:⏎  - { at: +5m, inbound: { phone: +12025550113, text: Order #42 please } }⏎
  3:60 yaml_bad_indent [Order #42 please → "Order #42 please"]
part timeline:⏎  - at: +5m⏎    inbound: { phone: +12025550113, text: Where is #42? }⏎expect: []⏎
  4:52 yaml_bad_indent [Where is #42? → "Where is #42?"]
rule { when: message.send, match: { text: Order #42, phone: +12025550113 }, then: { lifecycle: stuck } }
  3:48 yaml_bad_indent [Order #42 → "Order #42"]
part timeline:⏎  - at: +5m⏎    inbound:⏎      phone: +12025550113⏎      text: Where is #42?
  6:13 comment_in_text timeline[0].inbound.text [Where is #42? → "Where is #42?"]
part timeline:⏎  - at: +5m⏎    inbound: { phone: +12025550113, text: “Hola, ¿qué tal?” }
  4:43 yaml_curly_quotes [“Hola, ¿qué tal?” → "Hola, ¿qué tal?"]
part expect:⏎  - { at: ‘finish’, that: messages, where: { text: “Hola, qué” }, count: 1 }
  3:11 yaml_curly_quotes [‘finish’, that: messages, where: { text: “Hola, qué” → "finish", that: messages, where: { text: "Hola, qué"]
part description: “Hola” dijo⏎ ⇒ fine
message.send then: { fail: 131026 } ⇒ 3:35 other_form rules[0].then.fail [fail → lifecycle]
message.send then: { error: undeliverable } ⇒ 3:35 other_form rules[0].then.error [error → lifecycle]
message.send then: { delay: 5s } ⇒ 3:35 other_form rules[0].then.delay [delay: 5s → respond: { latency_real: 5s }]
webhook.deliver then: { delay: 5s } ⇒ 3:38 other_form rules[0].then.delay [delay: 5s → webhook: { delay: 5s }]
webhook.deliver then: { timeout: true }
  3:38 other_form rules[0].then.timeout [timeout: true → webhook: { receiver: { simulate: timeout } }]
webhook.deliver then: { webhook: { timeout: true } }
  3:49 other_form rules[0].then.webhook.timeout [timeout: true → receiver: { simulate: timeout }]
message.send never: true ⇒ 3:27 other_form rules[0].never
message.send expect: never ⇒ 3:27 other_form rules[0].expect
expect that: messages, never: true ⇒ 3:35 other_form expect[0].never [never: true → count: 0]
expect that: messages, between: [1, 3] ⇒ 3:35 other_form expect[0].between [between: [1, 3] → min: 1, max: 3]
expect that: messages, equals: 1 ⇒ 3:35 other_form expect[0].equals [equals → count]
part expect: [{ at: 2026-03-01T09:00:00Z, that: messages, count: 1 }] ⇒ 2:12 other_form expect[0].at
part expect: [{ at: finish, that: state, where: { "/orders/42#status": paid } }] ⇒ 2:24 other_form expect[0].that
part expect:⏎  at: finish⏎  that: messages⏎  count: 1 ⇒ 3:3 dash_missing expect.at [  → -]
part timeline:⏎  at: +5m⏎  inbound: { phone: +12025550113, text: Hi } ⇒ 3:3 dash_missing timeline.at [  → -]
part timeline: [{ at: 5m, http: { get: /orders/42 } }] ⇒ 2:30 other_form timeline[0].http.get [get → url]
part timeline: [{ at: 5m, http: { post: /orders, body: { a: 1 } } }]
  2:30 other_form timeline[0].http.post [post → method: POST, url]
part timeline: [{ at: 5m, get: /orders/42 }] ⇒ 2:22 other_form timeline[0].get [get: /orders/42 → http: { url: /orders/42 }]
part timeline: [{ at: "2026-03-01T09:00:00Z", restart: true }] ⇒ 2:14 other_form timeline[0].at
message.send then: { lifecycle: opt_out } ⇒ 3:46 unknown_word rules[0].then.lifecycle [opt_out → recipient_opted_out]
file Feature: Orders⏎  Scenario: A customer writes⏎    Given a customer⏎    Then we reply⏎ ⇒ 1:1 other_language
file { "request": { "method": "POST" }, "response": { "status": 503 } } ⇒ 1:1 other_language
part given: { customers: [{ phone: 2025550113, window: open }] }
  2:31 bad_phone given.customers[0].phone [2025550113 → +12025550113]
part clock: "09:30" ⇒ 2:8 bad_instant clock [09:30 → 2026-03-01T09:30:00Z]
part timeline: [{ at: 5m, window: { phone: +12025550113, open: yes } }]
  2:22 other_form timeline[0].window [{ phone: +12025550113, open: yes } → open, phone: +12025550113]
template.create then: { review: { approve: yes } }
  3:13 other_form rules[0].when [template.create, then: { review: { approve: yes → template.review, then: { review: { status: approved]
  3:48 other_form rules[0].then.review.approve [template.create, then: { review: { approve: yes → template.review, then: { review: { status: approved]
template.create then: { review: approve }
  3:13 other_form rules[0].when [template.create, then: { review: approve → template.review, then: { review: { status: approved }]
  3:46 wrong_type rules[0].then.review [template.create, then: { review: approve → template.review, then: { review: { status: approved }]
part clock: frozen ⇒ 2:8 bad_instant clock
message.send pick: { chance: 0.5 } ⇒ 3:43 bad_chance rules[0].pick.chance [0.5 → 50%]
message.send pick: 10% ⇒ 3:33 wrong_type rules[0].pick [10% → { chance: 10% }]
message.send then: { respond: 429 } ⇒ 3:44 wrong_type rules[0].then.respond [429 → { status: 429 }]
message.send then: { limit: "1/s" } ⇒ fine
message.send then: { limit: 0/s } ⇒ 3:42 bad_rate rules[0].then.limit
message.send then: { limit: 1/0s } ⇒ 3:42 bad_rate rules[0].then.limit
message.send then: { limit: 80/w } ⇒ 3:42 bad_rate rules[0].then.limit
message.send then: { limit: 1.5/s } ⇒ 3:42 bad_rate rules[0].then.limit
message.send then: { limit: 80 } ⇒ 3:42 bad_rate rules[0].then.limit
message.send then: { limit: { rate: 10 per second } }
  3:35 other_form rules[0].then.limit [{ rate: 10 per second } → 10/s]
message.send then: { refuse: { code: undelivrable } }
  3:51 unknown_word rules[0].then.refuse.code [undelivrable → undeliverable]
part given: { templates: [{ name: hello, category: utility, language: english!, body: Hi }] } ⇒ 2:66 wrong_form given.templates[0].language
part given: { templates: [{ name: Order Shipped, category: utility, language: en, body: Hi }] }
  2:30 wrong_form given.templates[0].name [Order Shipped → order_shipped]
part given: { templates: [{ name: hello, category: utility, language: en }] } ⇒ 2:22 missing_key given.templates[0]
expect that: requests, max: "3" ⇒ 3:40 wrong_type expect[0].max ["3" → 3]
expect that: requests, at_least: 3 ⇒ 3:35 unknown_key expect[0].at_least [at_least → min]
expect that: requests, where: { status: 429 } ⇒ 3:5 nothing_stated expect[0]
part expect: [{ at: end, that: requests, max: 3 }] ⇒ 2:16 bad_duration expect[0].at [end → finish]
expect that: calls, max: 3 ⇒ 3:25 unknown_word expect[0].that [calls → requests]
expect that: requests, where: { operatn: otp.verify }, max: 3
  3:44 unknown_field expect[0].where.operatn [operatn → operation]
part given: { webhooks: [{ alias: app, url: "https://sink.sandbox/app", events: message.status }] }
  2:76 wrong_type given.webhooks[0].events [message.status → [message.status]]
part given: { webhooks: [{ alias: app, url: "http://app.test/hook", events: [message.status] }] }
  2:40 bad_url given.webhooks[0].url [http → https]
part extends: base ⇒ 2:10 wrong_type extends [base → [base]]
file name: hello⏎rules: []⏎ ⇒ 1:1 missing_key [name → version: 1⏎name]
file version: "1.0"⏎ ⇒ 1:10 wrong_type version ["1.0" → 1]
message.send match: { text: /stop } ⇒ 3:42 bad_regex rules[0].match.text
message.send match: { phone: +12025550113 +12025550114 }
  3:43 comma_missing rules[0].match.phone [+12025550113 +12025550114 → [+12025550113, +12025550114]]
message.send match: { phone: [+12025550113 +12025550114] }
  3:44 comma_missing rules[0].match.phone[0] [+12025550113 → +12025550113,]
message.send then: { lifecycle: [sent: 5 min] } ⇒ 3:53 bad_duration rules[0].then.lifecycle[0].sent [5 min → 5m]
message.send then: { lifecycle: [sent] } ⇒ 3:47 wrong_type rules[0].then.lifecycle[0]
webhook.deliver then: { webhook: { receiver: 503 } }
  3:59 wrong_type rules[0].then.webhook.receiver [503 → { simulate: 503 }]
part given: { customers: [{ phone: +12025550113, window: 23h }] }
  2:53 wrong_sign given.customers[0].window [23h → -23h]
part timeline: [{ when: +5m, inbound: { phone: +12025550113, text: hi } }]
  2:14 unknown_key timeline[0].when [when → at]
part given: { customers: [+12025550113] } ⇒ 2:22 wrong_type given.customers[0] [+12025550113 → { phone: +12025550113 }]
part given: { customers: [{ phone: "+1 (202) 555-0113" }] }
  2:31 bad_phone given.customers[0].phone [+1 (202) 555-0113 → +12025550113]
part rules:⏎  - when message.send⏎    then: { lifecycle: happy } ⇒ 3:5 yaml_multiline_implicit_key [when → when:]
part rules:⏎  - when: message.send⏎    then { lifecycle: happy }
  4:5 colon_missing rules[0]["then { lifecycle"] [then → then:]
part rules:⏎  - when:message.send⏎    then: { lifecycle: happy }
  3:5 yaml_multiline_implicit_key [message.send →  message.send]
rule { when message.send, then: { lifecycle: happy } } ⇒ 3:7 colon_missing rules[0]["when message.send"] [when → when:]
part description: Note: this ⇒ 2:14 yaml_block_as_implicit_key [Note: this → "Note: this"]
message.send then: { refuse: { message: Sorry: no } } ⇒ 3:54 yaml_block_in_flow [Sorry: no → "Sorry: no"]
part description: "He said "hi" to me" ⇒ 2:14 yaml_unexpected_token ["He said "hi" to me" → 'He said "hi" to me']
expect that: requests, max: 0, because: 'it's wrong' ⇒ 3:52 yaml_unexpected_token ['it's wrong' → "it's wrong"]
part description: "hi" there ⇒ 2:14 yaml_unexpected_token ["hi" there → '"hi" there']
part name: "abc⏎rules: [] ⇒ 2:7 yaml_missing_char [abc → abc"]
part rules:⏎⇥- when: message.send⏎⇥  then: { lifecycle: happy }
  3:1 yaml_tab_as_indent [⇥- →   -]
  4:1 yaml_tab_as_indent [⇥ →   ]
part rules:⏎  - when: message.send⏎⇥then: { lifecycle: happy } ⇒ 4:1 yaml_tab_as_indent [⇥then →     then]
part rules:⏎  - when: message.send⏎   then: { lifecycle: happy } ⇒ 4:1 yaml_missing_char [then →  then]
part rules: [{ when: message.send, then: { lifecycle: happy } ] ⇒ 2:58 yaml_bad_indent [ → } ]
part clock: { start: "2026-01-01T00:00:00Z" }
  2:1 other_form clock [{ start: "2026-01-01T00:00:00Z" } → "2026-01-01T00:00:00Z"]
message.send match: { phone: *0150 } ⇒ 3:43 unknown_alias rules[0].match.phone
message.send match: { name: order_shipped } ⇒ 3:36 fact_not_known_here rules[0].match.name [name → template]
part rules:⏎  - when: message.send⏎    thne: { lifecycel: happy }
  4:5 unknown_key rules[0].thne [thne: { lifecycel → then: { lifecycle]
  4:13 unknown_key rules[0].then.lifecycel [thne: { lifecycel → then: { lifecycle]
message.send then: { lifecycle: [{ failed: 1s, error: undelivered }] }
  3:68 unknown_word rules[0].then.lifecycle[0].error [undelivered → undeliverable]
part nam: x ⇒ 2:1 unknown_key nam [nam → name]
message.send then: { lifecycle: [{ failed: 1s, error: blokd }] } ⇒ 3:68 unknown_word rules[0].then.lifecycle[0].error
message.send then: { respond: { retry_after: 5 } } ⇒ 3:59 bad_duration rules[0].then.respond.retry_after [5 → 5s]
message.send then: { respond: { status: "503" } } ⇒ 3:54 wrong_type rules[0].then.respond.status ["503" → 503]
message.send then: { respond: { status: 99 } } ⇒ 3:54 out_of_range rules[0].then.respond.status
rule { when: message.send } ⇒ 3:5 missing_key rules[0]
part rules:⏎  - when: message.send⏎    then: ⇒ 4:10 missing_value rules[0].then
message.send match: { text: /a(?=b)/ } ⇒ 3:42 bad_regex rules[0].match.text
message.send match: { text: { matches: ^a/b } } ⇒ 3:42 other_form rules[0].match.text [{ matches: ^a/b } → /^a\/b/]
message.send match: { text: { equals: refund } } ⇒ 3:42 other_form rules[0].match.text [{ equals: refund } → refund]
message.send match: { text: { contains: a, equals: abc } }
  3:44 other_form rules[0].match.text.contains
  3:57 other_form rules[0].match.text.equals
message.send match: { attempts: 2 } ⇒ 3:36 fact_not_known_here rules[0].match.attempts
message.send then: { respond: { headers: { Content-Length: 3 } } }
  3:57 bad_header rules[0].then.respond.headers.Content-Length
message.send then: { respond: { headers: { X-A: "a\r\nSet-Cookie: b" } } }
  3:62 wrong_form rules[0].then.respond.headers.X-A
part given: { __proto__: { a: 1 } } ⇒ 2:10 forbidden_key given.__proto__
api.any then: { respond: { body: { constructor: 1 } } } ⇒ 3:49 forbidden_key rules[0].then.respond.body.constructor
part ? [a, b]⏎: c ⇒ 2:3 key_not_text ["?"]
part given: { customers: [{ phone: +12025550150 }, { phone: "+12025550150" }] } ⇒ 2:47 not_unique given.customers[1]
part rules:⏎  - { id: a, when: api.any, then: { respond: { status: 500 } } }⏎  - { id: a, when: otp.send, then: { respond: { status: 500 } } }
  4:5 not_unique rules[1]
part given: { templates: [{ name: a, category: utility, language: en, body: "{{2}}" }] }
  2:72 bad_placeholder given.templates[0].body
part expect: [{ at: finsh, that: requests, max: 0 }] ⇒ 2:16 bad_duration expect[0].at [finsh → finish]
template.review then: { review: { after: 1s } } ⇒ 3:46 missing_key rules[0].then.review
part timeline: [{ at: +5m, inbound: { phone: +12025550150 }, emit: { type: message.status } }]
  2:12 not_exactly_one timeline[0]
part given: { webhooks: [&a { alias: a, url: "https://sink.sandbox/a", events: [otp.verified] }, *a] }
  2:93 not_unique given.webhooks[1]
part extends: [../../etc/passwd] ⇒ 2:11 bad_file_name extends[0]
file  ⇒ 1:1 empty_document
file - version: 1⏎ ⇒ 1:1 wrong_type
part ---⏎version: 1 ⇒ 2:1 several_documents
part name: !!js/function x ⇒ 2:7 yaml_tag_resolve_failed
part rules: &r [*r] ⇒ 2:12 alias_cycle rules[0]
file { "name": "hello" } ⇒ 1:1 missing_key [name → version": 1, "name]
file {"version":1,"rules":[{"id":"b c","when":"otp.send","then":{"otp":"042042"}}]}
  1:29 wrong_form rules[0].id [b c","when":"otp.send","then":{"otp":"042042" → b-c","when":"otp.send","then":{"otp":{ "code": "042042" }]
  1:67 wrong_type rules[0].then.otp [b c","when":"otp.send","then":{"otp":"042042" → b-c","when":"otp.send","then":{"otp":{ "code": "042042" }]
file {"version":1,"rules":[{"when":"message.sned","then":{"lifecycle":"hapy"}}]}
  1:31 unknown_word rules[0].when [message.sned","then":{"lifecycle":"hapy → message.send","then":{"lifecycle":"happy]
  1:66 unknown_word rules[0].then.lifecycle [message.sned","then":{"lifecycle":"hapy → message.send","then":{"lifecycle":"happy]
file {"version":1,"given":{"customers":["+12025550150"]}}
  1:36 wrong_type given.customers[0] ["+12025550150" → { "phone": "+12025550150" }]
part rules:⏎  - &a { when: message.send, then: { lifecycle: hapy } }⏎  - *a
  3:49 unknown_word rules[0].then.lifecycle [hapy → happy]
part rules: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
  2:57 too_deep
part clock: "2026-02-30T00:00:00Z" ⇒ 2:8 bad_instant clock
part given: { templates: [{ name: code, category: authentication, language: en }] } ⇒ fine
part given: { templates: [{ name: a, category: utility, language: en, body: x, status: rejected, rejection_reason: No. }] }
  2:93 other_form given.templates[0].rejection_reason [rejection_reason → because]
part given: { customers: [{ phone: "+12025550150", window: -1h, window: open }] }
  2:60 duplicate_key given.customers[0].window
expect that: otps, in_order: [{ state: sent }, { stat: sent }]
  3:61 unknown_field expect[0].in_order[1].stat [stat → state]
  3:51 never_fits expect[0].in_order[0].state
expect that: requests, where: { request.body.text: x }, min: 1 ⇒ fine
expect that: requests, where: { request.to: +12025550113 }, min: 1
  3:44 never_fits expect[0].where["request.to"] [request.to → request.body.to]
expect that: attempts, answered: 4xx ⇒ 3:35 other_form expect[0].answered [answered: 4xx → has: { status: 4xx }]
expect that: messages, min: 3, max: 2 ⇒ 3:40 out_of_range expect[0].min
template.review then: { review: { status: approved, because: No. } } ⇒ 3:75 misplaced_key rules[0].then.review.because
message.send then: { lifecycle: [{ sent: 1s, error: undeliverable }] }
  3:66 misplaced_key rules[0].then.lifecycle[0].error
message.send then: { inbound: { text: a, button: 1 } } ⇒ 3:63 not_exactly_one rules[0].then.inbound.button
otp.send then: { respond: { latency_real: 5m1ms } } ⇒ 3:56 out_of_range rules[0].then.respond.latency_real
message.send then: { lifecycle: happy }, pick: { chance: 100.1% } ⇒ 3:71 bad_chance rules[0].pick.chance
message.send then: { lifecycle: happy }, pick: { between: [x, 4] } ⇒ 3:63 other_form rules[0].pick.between
message.send then: { lifecycle: happy }, active: { after: +1h, before: +1h } ⇒ 3:85 out_of_range rules[0].active.before
message.send then: { refuse: { code: 999 } } ⇒ 3:51 unknown_word rules[0].then.refuse.code
part timeline: [{ at: 1m, inbound: { phone: "+12025550150", url: "https://" } }] ⇒ 2:61 bad_url timeline[0].inbound.url
part given: { customers: [{ phone: "00 1 202-555-0150" }] }
  2:31 bad_phone given.customers[0].phone [00 1 202-555-0150 → +12025550150]
message.send then: { lifecycle: [sent: 1.5h, read: 30 s] }
  3:53 bad_duration rules[0].then.lifecycle[0].sent [1.5h, read: 30 s → 1h30m, read: 30s]
  3:65 bad_duration rules[0].then.lifecycle[1].read [1.5h, read: 30 s → 1h30m, read: 30s]
message.send then: { lifecycle: [sent: "5min"] } ⇒ 3:53 bad_duration rules[0].then.lifecycle[0].sent [5min → 5m]
message.send then: { lifecycle: [sent: -1] } ⇒ 3:53 bad_duration rules[0].then.lifecycle[0].sent [-1 → 1s]
message.send then: { lifecycle: [sent: PT5M] } ⇒ 3:53 bad_duration rules[0].then.lifecycle[0].sent [PT5M → 5m]
message.send then: { review: { status: approved, after: 1h, alter: [] } } ⇒ 3:74 unknown_key rules[0].then.review.alter
message.send then: { refuse: { message: @all } } ⇒ 3:54 yaml_bad_scalar_start [@all → "@all"]
part description: Note: this # why⏎name: x ⇒ 2:14 yaml_block_as_implicit_key [Note: this → "Note: this"]
part expect: [{ at: end, that: calls, at_most: 3 }]⏎name: x
  2:16 bad_duration expect[0].at [end, that: calls, at_most → finish, that: requests, max]
  2:27 unknown_word expect[0].that [end, that: calls, at_most → finish, that: requests, max]
  2:34 unknown_key expect[0].at_most [end, that: calls, at_most → finish, that: requests, max]
part timeline: [{ at: 5 min, windw: { phone: +12025550155, open: true } }]⏎name: x
  2:18 bad_duration timeline[0].at (5m)
  2:25 unknown_key timeline[0].windw (window)
  2:32 wrong_type timeline[0].window
part timeline: [{ at: 5m, inbuond: { from: +12025550155 } }]
  2:22 unknown_key timeline[0].inbuond [inbuond: { from → inbound: { phone]
  2:33 other_form timeline[0].inbound.from [inbuond: { from → inbound: { phone]
expect that: attempts, answred: 2xx ⇒ 3:35 unknown_key expect[0].answred
rule { when: *send, then: { lifecycle: happy } } ⇒ 3:13 unknown_alias rules[0].when
part timeline: [{ at: 5m, emit: { type: *x, data: { to: 1 } } }] ⇒ 2:36 unknown_alias timeline[0].emit.type
rule { <<: 1, when: message.send, then: { lifecycle: happy } } ⇒ 3:7 unknown_key rules[0]["<<"]
message.send match: { text: /a,b/i } ⇒ 3:42 bad_regex rules[0].match.text; 3:45 unknown_key rules[0].match["b/i"]
part name: x⏎description: 'it is⏎rules: [] ⇒ 3:14 yaml_missing_char [is → is']
part description: caf� ⇒ 2:17 not_utf8
part description: "\uFFFD" ⇒ fine
file version: 1␍nam: a b␍ ⇒ 2:1 unknown_key nam [nam → name]
part name: Reminder, the "day" before (Añejo) 😀 ⇒ fine
part name: "two⏎  \tlines" ⇒ 2:7 wrong_form name (two lines)
part name: " " ⇒ 2:7 wrong_form name
part timeline: [{ at: +1m, emit: { type: message.status, data: { status: deliverd } } }]
  2:69 wrong_data timeline[0].emit.data.status [deliverd → delivered]
part timeline: [{ at: +1m, emit: { type: message.received, data: { interactive: { id: a } } } }]
  2:76 missing_key timeline[0].emit.data.interactive
part timeline: [{ at: +1m, emit: { type: message.status, data: { error: { code: a, message: b, chanel_code: 1, channel_code: 1 } } } }]
  2:91 unknown_key timeline[0].emit.data.error.chanel_code (channel_code)
part timeline: [{ at: +1m, emit: { type: otp.verified, data: { to: "0123" } } }]
  2:63 wrong_data timeline[0].emit.data.to
part timeline: [{ at: +1m, emit: { type: message.status, data: { status: bogus, more: 1 }, webhook: { body: unknown_type } } }]
  fine
part timeline: [{ at: +1m, emit: { type: message.status, data: { staus: read, "a b": 1 } } }]
  2:61 unknown_field timeline[0].emit.data.staus [staus → status]
  2:74 unknown_field timeline[0].emit.data["a b"]
part timeline: [{ at: { after: first message.snd }, inbound: { phone: +12025550111 } }]
  2:27 unknown_word timeline[0].at.after
part timeline: [{ at: { after: api.any }, inbound: { phone: +12025550111 } }] ⇒ 2:27 unknown_word timeline[0].at.after
part timeline: [{ at: { clock: 25:00 }, inbound: { phone: +12025550111 } }] ⇒ 2:27 wrong_form timeline[0].at.clock
part timeline: [{ at: {}, inbound: { phone: +12025550111 } }] ⇒ 2:18 missing_key timeline[0].at
part timeline: [{ at: +1h, every: 1h..2h, count: 2, inbound: { phone: +12025550111 } }] ⇒ 2:30 bad_duration timeline[0].every
message.send match: { phone: } ⇒ 3:43 missing_value rules[0].match.phone
part timeline: [{ at: +1h, every: 1h, inbound: { phone: +12025550111 } }] ⇒ 2:30 missing_key timeline[0].every
part timeline: [{ at: +1h, times: 3, inbound: { phone: +12025550111 } }]
  2:23 other_form timeline[0].times (count)
  2:30 missing_key timeline[0].count
part timeline: [{ at: +1h, every: 1h, count: 5000, inbound: { phone: +12025550111 } }]
  2:41 out_of_range timeline[0].count
part given: { customers: [{ window: open }] } ⇒ 2:22 missing_key given.customers[0]
part given: { customers: [{ phone: +1202555… }] } ⇒ 2:31 bad_phone given.customers[0].phone
part given: { customers: [{ phone: +447700900123, count: 2 }] } ⇒ 2:31 bad_phone given.customers[0].phone
part given: { customers: [{ count: 1000 }, { count: 1000 }, { count: 1000 }, { count: 1000 }, { count: 1 }] }
  2:21 out_of_range given.customers
part rules:⏎  - when: message.send⏎     then: { lifecycle: happy } ⇒ 4:6 yaml_block_as_implicit_key [ then → then]
part rules:⏎  - when: message.send⏎    match: { phone: +12025550113 }⏎     then: { lifecycle: happy }
  5:6 yaml_bad_indent [ then → then]
message.send then: { lifecycle: failed } ⇒ 3:46 unknown_word rules[0].then.lifecycle [failed → [failed: 0s]]
webhook.deliver then: { webhook: { status: 503 } }
  3:49 other_form rules[0].then.webhook.status [status: 503 → receiver: { simulate: 503 }]
message.send then: { lifecycle: [sent: 0s, failed: 3s, error: undeliverable] }
  3:57 misplaced_key rules[0].then.lifecycle[1] [failed: 3s, error: undeliverable → { failed: 3s, error: undeliverable }]
rule { when: message.send, match: { phone: +12025550113 }, lifecycle: stuck }
  3:59 other_form rules[0].lifecycle [lifecycle: stuck → then: { lifecycle: stuck }]
message.send until: +2h ⇒ 3:27 other_form rules[0].until [until: +2h → active: { before: +2h }]
message.send calls: 2 ⇒ 3:27 other_form rules[0].calls [calls: 2 → pick: { calls: 2 }]
message.send then: { window: true } ⇒ 3:43 unknown_word rules[0].then.window [true → open]
message.send per: customer, pick: { nth: 2 }
  3:32 unknown_word rules[0].per [customer, pick: { nth → phone, pick: { calls]
  3:50 other_form rules[0].pick.nth [customer, pick: { nth → phone, pick: { calls]
part timeline: [{ at: '09:00', inbound: { from: +12025550113 } }]
  2:14 other_form timeline[0].at ['09:00', inbound: { from → { clock: "09:00" }, inbound: { phone]
  2:38 other_form timeline[0].inbound.from ['09:00', inbound: { from → { clock: "09:00" }, inbound: { phone]
expect that: requests, count: ">= 2" ⇒ 3:35 other_form expect[0].count [count: ">= 2" → min: 2]
expect that: messages, where: { status: blocked }, max: 0 ⇒ 3:52 never_fits expect[0].where.status [blocked → failed]
part clock: { mode: frozen } ⇒ 2:1 other_form clock [clock: { mode: frozen } → # start with --clock frozen]
message.send match: { account: test_* } ⇒ 3:36 other_form rules[0].match.account
message.send match: { any: [{ type: text }] } ⇒ 3:36 other_form rules[0].match.any
message.send match: { after: first } ⇒ 3:36 other_form rules[0].match.after
otp.send match: { length: 4 } ⇒ 3:32 other_form rules[0].match.length
webhook.deliver match: { endpoint: https://a.test/*, attempt: 1 }
  3:39 other_form rules[0].match.endpoint [endpoint: https://a.test/*, attempt → url: https://a.test/*, attempts]
  3:67 other_form rules[0].match.attempt [endpoint: https://a.test/*, attempt → url: https://a.test/*, attempts]
message.send match: { text: { contains: refund } }
  3:42 other_form rules[0].match.text [{ contains: refund } → '*refund*']
message.send match: { text: { missing: true } } ⇒ 3:42 other_form rules[0].match.text [missing: true → not: "*"]
message.send match: { text: { any: [a, b] } } ⇒ 3:42 other_form rules[0].match.text [{ any: [a, b] } → [a, b]]
message.send pick: { nth: 3 } ⇒ 3:35 other_form rules[0].pick.nth [nth → calls]
message.send pick: { first: 2 } ⇒ 3:35 other_form rules[0].pick.first [first: 2 → calls: 1..2]
message.send pick: { after: 3 } ⇒ 3:35 other_form rules[0].pick.after [after: 3 → calls: 4..]
message.send pick: { between: [2, 4] } ⇒ 3:35 other_form rules[0].pick.between [between: [2, 4] → calls: 2..4]
message.send pick: { share: 10%, group: other } ⇒ 3:47 other_form rules[0].pick.group
message.send pick: { chance: 10% }, per: recipient
  3:35 other_form rules[0].pick.chance [chance: 10% }, per: recipient → share: 10% }, per: phone]
  3:55 unknown_word rules[0].per [chance: 10% }, per: recipient → share: 10% }, per: phone]
message.send active: { from: +0s, to: +25h }
  3:37 other_form rules[0].active.from [from: +0s, to → after: +0s, before]
  3:48 other_form rules[0].active.to [from: +0s, to → after: +0s, before]
message.send then: { respond: { refuse: { code: undeliverable } } }
  3:35 other_form rules[0].then.respond [respond: { refuse: { code: undeliverable } → refuse: { code: undeliverable]
message.send then: { respond: { status: 503, refuse: { code: undeliverable } } }
  3:59 other_form rules[0].then.respond.refuse
message.send then: { limit: { rate: 80/s, burst: 10 } }
  3:35 other_form rules[0].then.limit [{ rate: 80/s, burst: 10 } → 10/125ms]
template.create then: { review: { reject: true, after: 2h, reason: No. } }
  3:13 other_form rules[0].when [template.create, then: { review: { reject: true, after: 2h, reason → template.review, then: { review: { status: rejected, after: 2h, because]
  3:48 other_form rules[0].then.review.reject [template.create, then: { review: { reject: true, after: 2h, reason → template.review, then: { review: { status: rejected, after: 2h, because]
  3:73 other_form rules[0].then.review.reason [template.create, then: { review: { reject: true, after: 2h, reason → template.review, then: { review: { status: rejected, after: 2h, because]
template.create then: { respond: { status: 503 }, review: { status: approved } } ⇒ 3:64 other_form rules[0].then.review
template.review then: { review: { status: approved, event_lag: 30m } } ⇒ 3:66 other_form rules[0].then.review.event_lag
template.review then: { review: { status: approved, later: [{ paused: 3d }] } }
  3:66 other_form rules[0].then.review.later
webhook.deliver then: { webhook: { receiver: { simulate: timeout, contacted: true } } }
  3:49 other_form rules[0].then.webhook.receiver [timeout, contacted: true → late]
part given: { customers: [{ phone: +12025550113, profile_name: Ada, last_inbound: -1h }] }
  2:45 other_form given.customers[0].profile_name [profile_name: Ada, last_inbound → name: Ada, window]
  2:64 other_form given.customers[0].last_inbound [profile_name: Ada, last_inbound → name: Ada, window]
part given: { templates: [{ name: a, category: utility, language: en, body: x, buttons: [] }] }
  2:75 other_form given.templates[0].buttons
part timeline: [{ at: +1m, inbound: { from: +12025550113, media_url: "https://a.test/b.png", profile_name: Ada } }]
  2:34 other_form timeline[0].inbound.from [from: +12025550113, media_url: "https://a.test/b.png", profile_name → phone: +12025550113, url: "https://a.test/b.png", name]
  2:54 other_form timeline[0].inbound.media_url [from: +12025550113, media_url: "https://a.test/b.png", profile_name → phone: +12025550113, url: "https://a.test/b.png", name]
  2:89 other_form timeline[0].inbound.profile_name [from: +12025550113, media_url: "https://a.test/b.png", profile_name → phone: +12025550113, url: "https://a.test/b.png", name]
part timeline: [{ at: +1m, inbound: { phone: +12025550113, interactive: { id: "yes", title: Yes } } }]
  2:55 other_form timeline[0].inbound.interactive [interactive: { id: "yes", title: Yes } → button: Yes]
part timeline:⏎  - at: +1m⏎    window: { phone: +12025550113, open: false }
  4:5 other_form timeline[0].window [{ phone: +12025550113, open: false } → closed⏎    phone: +12025550113]
part timeline: [{ at: +1m, window: open }] ⇒ 2:31 missing_key timeline[0].window
part timeline: [{ at: +1m, template: { name: a, status: rejected, reason: No. } }]
  2:62 other_form timeline[0].template.reason [reason → because]
part expect: [{ at: +1h, state: { stdout#sent: 1 } }] ⇒ 2:16 misplaced_key expect[0].at
part expect: [{ at: finish, state: { stdout.sent: 1 } }] ⇒ 2:33 bad_path expect[0].state["stdout.sent"]
part expect: [{ at: finish, state: { /a: 1 }, max: 1 }] ⇒ 2:47 wrong_type expect[0].max
part timeline: [{ at: +1m, state: { "/a": 1 } }] ⇒ 2:23 other_form timeline[0].state [state → until]
part timeline: [{ at: { clock: "09:00", day: 2 }, inbound: { phone: +12025550113 } }]
  2:36 other_form timeline[0].at.day
part timeline: [{ at: +1m, http: { url: /a, answered: 2xx } }]
  2:40 other_form timeline[0].http.answered [answered → status]
part timeline: [{ at: +1m, message_in: { phone: +12025550113, text: Hi } }]
  2:23 unknown_key timeline[0].message_in [message_in → inbound]
part timeline: [{ at: +1m, click: { phone: +12025550113, button: Yes } }]
  2:23 unknown_key timeline[0].click [click → inbound]
part expect:⏎  at: finish⏎    that: sent⏎    count: 1 ⇒ 3:3 yaml_multiline_implicit_key [at → - at]
part expect: [{ at: finish, state: /orders/42 = shipped }]
  2:24 other_form expect[0].state [/orders/42 = shipped → { /orders/42#status: shipped }]
part expect: [{ at: finish, state: "/orders/42#state is shipped", count: 1 }]
  2:24 other_form expect[0].state (state: { /orders/42#state: shipped })
  2:62 other_form expect[0].count
part expect: [{ at: finish, state: 5 }] ⇒ 2:31 wrong_type expect[0].state
part timeline: [{ at: 00:01:30, restart: true }] ⇒ 2:18 bad_duration timeline[0].at [00:01:30 → 1m30s]
part expect: [{ at: after 5 minutes, that: sent, count: 1 }] ⇒ 2:16 bad_duration expect[0].at [after 5 minutes → 5m]
part rules:⏎  - given: a message is sent⏎    then: the response is 429
  3:5 other_form rules[0].given [given: a message is sent → when: message.send]
  4:5 other_form rules[0].then [the response is 429 → { respond: { status: 429 } }]
part rules:⏎  - given: a customer⏎    then: { lifecycle: happy } ⇒ 3:5 other_form rules[0].given
rule { when: message.send, response: { status: 429, fixedDelayMilliseconds: 200 } }
  3:27 other_form rules[0].response [response: { status: 429, fixedDelayMilliseconds: 200 → then: { respond: { status: 429, latency_real: 200ms }]
rule { when: message.send, returns: { status: 429 } }
  3:27 other_form rules[0].returns [returns: { status: 429 → then: { respond: { status: 429 }]
rule { when: message.send, response: something } ⇒ 3:27 other_form rules[0].response
message.send request: { method: POST, urlPath: /v1/messages } ⇒ 3:27 other_form rules[0].request
message.send then: { respond: { status: Too Many Requests } }
  3:46 other_form rules[0].then.respond.status [Too Many Requests → 429]
message.send then: { respond: { status: rate_limited } }
  3:46 other_form rules[0].then.respond.status [status → code]
message.send then: { respond: { status: Very Wrong } } ⇒ 3:54 wrong_type rules[0].then.respond.status
message.send then: { respond: { jsonBody: { a: 1 }, latency: 200 } }
  3:46 other_form rules[0].then.respond.jsonBody [jsonBody: { a: 1 }, latency: 200 → body: { a: 1 }, latency_real: 200ms]
  3:66 unknown_key rules[0].then.respond.latency [jsonBody: { a: 1 }, latency: 200 → body: { a: 1 }, latency_real: 200ms]
  3:75 bad_duration rules[0].then.respond.latency_real [jsonBody: { a: 1 }, latency: 200 → body: { a: 1 }, latency_real: 200ms]
message.send then: { respond: timeout } ⇒ 3:35 other_form rules[0].then.respond [timeout → { fault_real: hang }]
message.send then: [{ lifecycle: happy }]
  3:27 other_form rules[0].then [[{ lifecycle: happy }] → { lifecycle: happy }]
part rules:⏎  - when: message.send⏎    match: { phone: +12025550113⏎    then: { lifecycle: happy }
  4:12 yaml_bad_indent [+12025550113 → +12025550113 }]
message.send then: { lifecycle: bounced } ⇒ 3:46 unknown_word rules[0].then.lifecycle [bounced → undeliverable]
message.send then: { lifecycle: whatever } ⇒ 3:46 unknown_word rules[0].then.lifecycle
expect that: sent, count: 1;
  3:38 wrong_type expect[0].count [1
  → 1]
part expect:⏎  - at: finish⏎    that: sent⏎    count: 1 // one reply ⇒ 5:12 wrong_type expect[0].count [// → #]
part expect:⏎  - at: finish⏎    that: sent⏎    count = 1 ⇒ 5:5 yaml_missing_char [count = → count:]
expect that: sent, where: { text: '/^(?!STOP)/' }, count: 1
  3:46 bad_regex expect[0].where.text ['/^(?!STOP)/' → { not: "/^STOP/" }]
expect that: sent, where: { text: '/^(?!.*STOP).*$/i' }, count: 1
  3:46 bad_regex expect[0].where.text ['/^(?!.*STOP).*$/i' → { not: "/STOP/i" }]
expect that: the customer gets one reply ⇒ 3:19 other_form expect[0].that
expect that: sent messages, count: 1 ⇒ 3:19 other_form expect[0].that [sent messages → sent]
expect that: sent, count: 1..3 ⇒ 3:31 other_form expect[0].count [count: 1..3 → min: 1, max: 3]
expect that: sent, count: at least 1 ⇒ 3:31 other_form expect[0].count [count: at least → min:]
expect that: sent, count: at most 2 ⇒ 3:31 other_form expect[0].count [count: at most → max:]
expect that: sent, count: none ⇒ 3:31 other_form expect[0].count [none → 0]
expect that: sent, not: true ⇒ 3:31 other_form expect[0].not [not: true → count: 0]
expect that: sent, exists: true ⇒ 3:31 other_form expect[0].exists [exists: true → min: 1]
expect that: sent, has: Hello ⇒ 3:36 wrong_type expect[0].has
expect that: sent, where: to +12025550113, count: 1
  3:31 other_form expect[0].where [to +12025550113 → { to: +12025550113 }]
message.send match: phone == +12025550113
  3:27 other_form rules[0].match [phone == +12025550113 → { phone: +12025550113 }]
message.send match: { text: { startsWith: Hi } } ⇒ 3:42 other_form rules[0].match.text [{ startsWith: Hi } → 'Hi*']
message.send match: { type: text or image } ⇒ 3:42 never_fits rules[0].match.type [text or image → [text, image]]
message.send match: { text: [^Hi, Hi.*, "Hi*", /^Hi/] }
  3:43 regex_without_slashes rules[0].match.text[0] [^Hi, Hi.* → /^Hi/, /Hi.*/]
  3:48 regex_without_slashes rules[0].match.text[1] [^Hi, Hi.* → /^Hi/, /Hi.*/]
message.send pick: once ⇒ 3:27 other_form rules[0].pick [once → { calls: 1 }]
message.send pick: { chance: 1 in 8 } ⇒ 3:43 bad_chance rules[0].pick.chance [1 in 8 → 12.5%]
part timeline: [{ at: +1m, send: { to: +12025550113 } }] ⇒ 2:23 other_form timeline[0].send
part timeline: [{ at: +1m, sleep: 5s }] ⇒ 2:23 other_form timeline[0].sleep [sleep: 5s → wait: { real: 5s }]
part timeline: [{ at: +1m, http: POST /orders }]
  2:23 other_form timeline[0].http [POST /orders → { method: POST, url: /orders }]
part timeline: [{ at: +1m, http: { url: orders/42, json: { a: 1 }, expect: 201 } }]
  2:36 bad_url timeline[0].http.url [orders/42, json: { a: 1 }, expect → /orders/42, body: { a: 1 }, status]
  2:47 unknown_key timeline[0].http.json [orders/42, json: { a: 1 }, expect → /orders/42, body: { a: 1 }, status]
  2:63 other_form timeline[0].http.expect [orders/42, json: { a: 1 }, expect → /orders/42, body: { a: 1 }, status]
part timeline: [{ at: +1m, until: /orders/42 is paid }]
  2:23 other_form timeline[0].until [/orders/42 is paid → { /orders/42#status: paid }]
part timeline: [{ at: tomorrow 09:00, restart: true }] ⇒ 2:14 other_form timeline[0].at
part timeline: [{ at: { after: +1m }, restart: true }] ⇒ 2:18 other_form timeline[0].at [{ after: +1m } → +1m]
part timeline: [{ at: +1m, inbound: { phone: +12025550113, text: { body: Hi } } }]
  2:55 other_form timeline[0].inbound.text [{ body: Hi } → Hi]
part timeline: [{ at: +1m, inbound: { phone: +12025550113, button: { id: "yes", title: Yes } } }]
  2:55 other_form timeline[0].inbound.button [{ id: "yes", title: Yes } → "yes"]
part given: { templates: [{ name: a, category: utility, language: en, text: Hi, status: active }] }
  2:66 unknown_key given.templates[0].text [text: Hi, status: active → body: Hi, status: approved]
  2:84 unknown_word given.templates[0].status [text: Hi, status: active → body: Hi, status: approved]
part steps: [] ⇒ 2:1 unknown_key steps [steps → timeline]
part assertions: [] ⇒ 2:1 unknown_key assertions [assertions → expect]
part extends: ./base.yaml ⇒ 2:1 other_form extends (extends: [base.yaml])
webhook.deliver then: { webhook: duplicate } ⇒ 3:38 other_form rules[0].then.webhook [duplicate → { duplicate: 1 }]
webhook.deliver then: { webhook: { duplicate: true, receiver: down } }
  3:49 other_form rules[0].then.webhook.duplicate [true, receiver: down → 1, receiver: { simulate: refused }]
  3:66 other_form rules[0].then.webhook.receiver [true, receiver: down → 1, receiver: { simulate: refused }]
webhook.deliver then: { respond: { status: 500 } }
  3:38 other_form rules[0].then.respond [respond: { status: 500 → webhook: { receiver: { simulate: 500 }]
webhook.deliver then: { webhook: { signature: invalid } }
  3:60 unknown_word rules[0].then.webhook.signature [invalid → wrong_secret]
rule { when: POST /v1/messages, then: { lifecycle: happy } }
  3:7 other_form rules[0].when [POST /v1/messages → message.send]
rule { when: message.*, then: { lifecycle: happy } } ⇒ 3:7 other_form rules[0].when [message.* → message.send]
message.send then: blocked ⇒ 3:27 other_form rules[0].then [blocked → { lifecycle: blocked }]
message.send then: { refuse: true } ⇒ 3:35 other_form rules[0].then.refuse [true → { code: undeliverable }]
message.send then: { lifecycle: { sent: 0s, failed: 3s } }
  3:35 other_form rules[0].then.lifecycle [{ sent: 0s, failed: 3s } → [sent: 0s, failed: 3s]]
message.send then: { lifecycle: [sent: 0s, delivered: never] } ⇒ 3:57 other_form rules[0].then.lifecycle[1].delivered
message.send then: { inbound: { button: first } } ⇒ 3:46 other_form rules[0].then.inbound.button [first → 1]
part timeline: [{ at: +1m, message: { phone: +12025550113, status: bounced } }]
  2:63 unknown_word timeline[0].message.status [bounced → failed]
part timeline: [{ at: +1m, template: order_slow paused }]
  2:23 other_form timeline[0].template [order_slow paused → { name: order_slow, status: paused }]
part timeline: [{ at: +1m, emit: message.status }, { at: +2m, replay: true }]
  2:29 wrong_type timeline[0].emit [message.status }, { at: +2m, replay: true → { type: message.status } }, { at: +2m, replay: {}]
  2:58 other_form timeline[1].replay [message.status }, { at: +2m, replay: true → { type: message.status } }, { at: +2m, replay: {}]
part timeline: [{ at: +1m, repeat: 5, restart: true }] ⇒ 2:23 other_form timeline[0].repeat
part timeline: [{ at: every 5m, restart: true }]
  2:14 other_form timeline[0].at [every 5m → +5m, every: 5m, count: 10]
part timeline: [{ at: +1m, restart: true, wait: { real: 5s } }] ⇒ 2:12 not_exactly_one timeline[0]
expect that: sent, spacing: 2s ⇒ 3:40 wrong_type expect[0].spacing [2s → { min: 2s }]
expect that: sent, duplicate: none ⇒ 3:31 other_form expect[0].duplicate [none → 0]
expect that: sent, unique: true ⇒ 3:31 other_form expect[0].unique [unique: true → duplicate: 0]
expect that: sent, count: 1, after: +1m ⇒ 3:41 other_form expect[0].after
expect that: sent, where: { error: null }, count: 1 ⇒ 3:47 missing_value expect[0].where.error [null → { not: "*" }]
expect that: messages, duplicates: 0, by: 2m ⇒ 3:35 other_form expect[0].duplicates [duplicates → duplicate]
`),
)('%s', checkRow);

const headers = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: a`).join(', ');
it.each([
  ['as many headers as are allowed', `headers: { ${headers(20)} }`, 'fine'],
  ['a header too many', `headers: { ${headers(21)} }`, '3:51 wrong_length rules[0].then.respond.headers'],
  ['a text counted by what people see as a letter', `message: "${'👍'.repeat(1000)}"`, 'fine'],
])('%s', (_what, respond, reports) => {
  checkRow(`otp.send then: { respond: { ${respond} } } ⇒ ${reports}`);
});

const problemsOf = (text: string): readonly Problem[] => {
  const result = loadScenario(text, { file: 'wrong.yaml' });
  return 'problems' in result ? result.problems : [];
};

it.each([
  ['rule { <<: 1, when: message.send, then: { lifecycle: happy } }', /no merge keys/],
  [
    'rule { when: message.send, match: { text: /a,b/i }, then: { lifecycle: happy } }',
    /In braces, put an expression that contains a comma in quotes/,
  ],
  ['part name: "abc', /^The quoted text that begins here has no closing "\.$/],
])('%s says why', (row, message) => {
  expect(problemsOf(textOf(row))[0]?.message).toMatch(message);
});

it.each([
  ['faults of the syntax', 'a: @b\n'.repeat(5000)],
  ['unknown keys', `version: 1\n${Array.from({ length: 5000 }, (_, index) => `key${index}: 1\n`).join('')}`],
])('of thousands of %s a hundred are listed and the others counted', (_name, text) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toMatchObject({ code: 'more_problems', found: 'at least 4900 more problems' });
  expect(problems.filter(({ fixed }) => fixed !== undefined)).toEqual([]);
});

describe('a line too long for people', () => {
  it('is not corrected, however much of it stands before the mistake or behind it', () => {
    const long = JSON.stringify('x'.repeat(400));
    const wrong = (before: string, after: string) =>
      `version: 1\nrules: [{ ${before}when: message.snd, then: { lifecycle: happy }${after} }]`;
    const fixedOf = (text: string) => problemsOf(text).map(({ fixed }) => fixed === undefined);
    expect(fixedOf(wrong('', ''))).toStrictEqual([false]);
    expect(fixedOf(wrong(`match: { text: ${long} }, `, ''))).toStrictEqual([true]);
    expect(fixedOf(wrong('', `, match: { text: ${long} }`))).toStrictEqual([true]);
  });
});
