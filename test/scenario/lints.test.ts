import { describe, expect, it } from 'vitest';
import { defaultDialect } from '../../src/dialect/index.js';
import { documentsOf } from '../../src/documents.js';
import type { errorTable } from '../../src/domain/errors.js';
import { FIELDS_BY_SUBJECT, hookOf, operationIdOf } from '../../src/language/hooks.js';
import { errorCodes } from '../../src/language/respond.js';
import { lintNeverHit } from '../../src/reader/lint-rules.js';
import { loadScenario } from '../../src/reader/load.js';
import { loaded } from './fixtures.js';
import { checkRow, rowsOf } from './reports.js';

const rules = (...lines: string[]) => `version: 1\nrules:\n${lines.map((line) => `  - ${line}`).join('\n')}\n`;

const dollar = '$';

it.each(
  rowsOf(String.raw`
webhook.deliver match: { event: message.stats } ⇒ 3:46 never_fits rules[0].match.event [message.stats → message.status]
webhook.deliver match: { attempts: 0 } ⇒ 3:49 never_fits rules[0].match.attempts
webhook.deliver match: { status: deliverd } ⇒ 3:47 never_fits rules[0].match.status [deliverd → delivered]
message.send match: { type: txt } ⇒ 3:42 never_fits rules[0].match.type [txt → text]
message.send match: { type: [text, imgae] } ⇒ 3:49 never_fits rules[0].match.type[1] [imgae → image]
message.send match: { type: "temp_*" } ⇒ 3:42 never_fits rules[0].match.type
message.send match: { not: { type: txt } } ⇒ 3:49 never_fits rules[0].match.not.type [txt → text]
template.create match: { name: Order_Shipped } ⇒ 3:45 never_fits rules[0].match.name [Order_Shipped → order_shipped]
template.get match: { name: [order_shipped, order-shipped] }
  3:58 never_fits rules[0].match.name[1] [order-shipped → order_shipped]
template.review match: { not: { name: "promo*", category: utility } } ⇒ fine
template.review match: { name: ["promo *", "Promo*", /^Promo/, { not: Promo }] }
  3:46 never_fits rules[0].match.name[0]
  3:57 never_fits rules[0].match.name[1]
  3:67 never_fits rules[0].match.name[2]
  3:84 never_fits rules[0].match.name[3].not [Promo → promo]
webhook.create match: { events: messages.status }
  3:46 never_fits rules[0].match.events [messages.status → message.status]
api.any match: { method: get } ⇒ 3:39 never_fits rules[0].match.method [get → GET]
api.any match: { status: 600 } ⇒ 3:39 never_fits rules[0].match.status
webhook.deliver match: { event: "message.*", attempts: [1, { min: 2 }], status: /^(read|failed)$/ } ⇒ fine
webhook.deliver match: { event: template.status, status: approved } ⇒ fine
template.create match: { name: [order_shipped, "promo*", /^promo/, { not: promo }] } ⇒ fine
message.send match: { type: { not: text }, category: { not: '*' } } ⇒ fine
api.any match: { method: P*, status: [4xx, 503], url: /v1/otp/abc } ⇒ fine
message.send match: { type: text, language: en } ⇒ 3:58 never_fits rules[0].match.language
message.send match: { type: image, text: hi } ⇒ 3:55 never_fits rules[0].match.text
message.get match: { type: [text, image], template: "promo_*" } ⇒ 3:66 never_fits rules[0].match.template
webhook.deliver match: { event: otp.verified, status: read, type: text }
  3:68 never_fits rules[0].match.status
  3:80 never_fits rules[0].match.type
webhook.deliver match: { event: template.status, phone: +12025550150 } ⇒ 3:70 never_fits rules[0].match.phone
message.send pick: { calls: 4.., calls: 1..4 } ⇒ 3:47 duplicate_key rules[0].pick.calls
message.send match: { text: /a/path } ⇒ fine
  3:42 other_form rules[0].match.text [{ contains: /refund/q } → '*/refund/q*']
part given: { templates: [{ name: hello, category: utility, language: english, body: Hi }] }
  2:66 language_name given.templates[0].language [english → en]
expect that: requests, where: { operation: otp.verfy }, max: 0
  3:55 never_fits expect[0].where.operation [otp.verfy → otp.verify]
expect that: requests, where: { error: otp_max_attemps }, max: 0
  3:51 never_fits expect[0].where.error [otp_max_attemps → otp_max_attempts]
expect that: requests, where: { error: [too_bussy] }, max: 0
  3:52 never_fits expect[0].where.error[0] [too_bussy → too_busy]
expect that: otps, where: { state: lockd }, max: 0 ⇒ 3:47 never_fits expect[0].where.state [lockd → locked]
expect that: events, where: { type: message.stats }, max: 0
  3:48 never_fits expect[0].where.type [message.stats → message.status]
expect that: attempts, where: { rule: forged }, max: 0 ⇒ 3:50 never_fits expect[0].where.rule [forged → forge]
expect that: messages, where: { status: deliverd }, max: 0
  3:52 never_fits expect[0].where.status [deliverd → delivered]
expect that: messages, where: { error: undeliverabel }, max: 0
  3:51 never_fits expect[0].where.error [undeliverabel → undeliverable]
expect that: messages, where: { direction: in }, max: 0 ⇒ 3:55 never_fits expect[0].where.direction
expect that: messages, where: { to: 12025550113 }, count: 0
  3:48 never_fits expect[0].where.to [12025550113 → +12025550113]
expect that: messages, where: { to: ["+1 202 555 0113"] }, count: 0
  3:49 never_fits expect[0].where.to[0] [+1 202 555 0113 → +12025550113]
expect that: events, where: { from: +12025551234 }, count: 0 ⇒ 3:48 number_not_fictional expect[0].where.from
expect that: messages, where: { type: text, template: order_shipped }, count: 0
  3:66 never_fits expect[0].where.template
expect that: attempts, where: { event: otp.verified, message_status: read }, count: 0
  3:81 never_fits expect[0].where.message_status
expect that: requests, where: { operation: otp.send, type: text }, count: 0 ⇒ 3:71 never_fits expect[0].where.type
expect that: templates, where: { name: Order-Shipped }, count: 1
  3:51 never_fits expect[0].where.name [Order-Shipped → order_shipped]
expect that: requests, where: { operation: "otp.*", error: [too_busy, my_own, not_today, undeliverable, rate_limited], status: 4xx }, max: 0
  fine
expect that: requests, where: { error: { not: '*' }, rule: [busy, magic-40, X-Sandbox-Prefer] }, max: 0 ⇒ fine
expect that: attempts, where: { rule: forge, status: { not: '*' }, message_status: approved }, max: 0 ⇒ fine
expect that: attempts, where: { rule: timeline }, max: 0 ⇒ fine
expect that: messages, where: { status: received, direction: inbound }, max: 0 ⇒ fine
stop that: requests, after: stop, by: 2m, max: 0 ⇒ fine
stop that: requests, after: stop, by: 0s, max: 0 ⇒ 4:52 bad_duration expect[1].by
expect that: requests, spacing: { min: 0s } ⇒ 3:51 bad_duration expect[0].spacing.min
expect that: requests, min: 0 ⇒ 3:40 out_of_range expect[0].min
expect that: requests, where: { response.body.count: { min: 5, max: 4 } }, count: 0
  3:72 out_of_range expect[0].where["response.body.count"].min
expect that: sent, where: { to: '0012025550113' }, count: 0
  3:44 never_fits expect[0].where.to [0012025550113 → +12025550113]
expect that: sent, where: { to: ++12025550113 }, count: 0
  3:44 never_fits expect[0].where.to [++12025550113 → +12025550113]
expect that: sent, where: { to: 02025550113 }, count: 0 ⇒ 3:44 never_fits expect[0].where.to [02025550113 → +12025550113]
expect that: sent, where: { to: +02025550113 }, count: 0 ⇒ 3:44 never_fits expect[0].where.to
expect that: sent, where: { to: "tel:+12025550113" }, count: 0
  3:44 never_fits expect[0].where.to [tel:+12025550113 → +12025550113]
expect that: sent, where: { to: ["0012*", "*-0113", /^0012/, /^0012025550113$/] }, count: 0
  3:45 never_fits expect[0].where.to[0]
  3:54 never_fits expect[0].where.to[1]
  3:64 never_fits expect[0].where.to[2]
  3:73 never_fits expect[0].where.to[3]
expect that: sent, where: { to: ["+1202*", "*0113", "*555*", /^\+1202/, /0113$/, /^(\+44|0012)/, '*'] }, count: 0 ⇒ fine
expect that: sent, where: { to: { not: 12025550113 } }, count: 0
  3:51 never_fits expect[0].where.to.not [12025550113 → +12025550113]
part given: { customers: [{ phone: +12025550113, name: Ada }] }⏎expect: [{ at: finish, that: sent, where: { to: ada }, count: 0 }]
  3:49 never_fits expect[0].where.to [ada → +12025550113]
expect that: sent, where: { to: +1202555… }, count: 0 ⇒ 3:44 never_fits expect[0].where.to [+1202555… → +1202555*]
expect that: events, where: { data.anything: 1, data.staus: read }, count: 0
  3:60 never_fits expect[0].where["data.staus"] [data.staus → data.status]
expect that: received, where: { from: Ada }, count: 0 ⇒ 3:50 never_fits expect[0].where.from
message.send match: { phone: 0012025550113 } ⇒ 3:43 never_fits rules[0].match.phone [0012025550113 → +12025550113]
expect that: requests, where: { to: 0012025550113 }, count: 0
  3:48 never_fits expect[0].where.to [0012025550113 → +12025550113]
expect that: requests, where: { request.body.to: 0012025550113 }, count: 0
  3:61 never_fits expect[0].where["request.body.to"] [0012025550113 → +12025550113]
expect that: requests, where: { to: 0012025550113, error: validation_error }, count: 0 ⇒ fine
expect that: requests, where: { path: [/messages, v1/messages, "/_sandbox/*", https://api.test/v1/otp] }, count: 0
  3:51 never_fits expect[0].where.path[0] [messages, v1/messages, "/_sandbox/*", https://api.test → v1/messages, /v1/messages, "/_sandbox/*", ]
  3:62 never_fits expect[0].where.path[1] [messages, v1/messages, "/_sandbox/*", https://api.test → v1/messages, /v1/messages, "/_sandbox/*", ]
  3:75 never_fits expect[0].where.path[2]
  3:90 never_fits expect[0].where.path[3] [messages, v1/messages, "/_sandbox/*", https://api.test → v1/messages, /v1/messages, "/_sandbox/*", ]
expect that: requests, where: { path: [/v1/messages, "/v1/*", "*/messages", /otp/, "*"] }, count: 0 ⇒ fine
api.any match: { url: /messages } ⇒ 3:36 never_fits rules[0].match.url [messages → v1/messages]
expect that: attempts, where: { error: timed_out }, count: 0
  3:51 never_fits expect[0].where.error [timed_out → timeout]
expect that: attempts, where: { url: "http://app.test/*" }, count: 0 ⇒ 3:49 never_fits expect[0].where.url
expect that: received, where: { interactive: Good }, count: 0
  3:44 never_fits expect[0].where.interactive [interactive → interactive.title]
expect that: received, where: { interactive: "*Good*" }, count: 0 ⇒ fine
expect that: received, where: { interactive.titel: Good }, count: 0
  3:44 never_fits expect[0].where["interactive.titel"] [interactive.titel → interactive.title]
expect that: sent, where: { template.name: order_shipped, variables.0: Ada, error.code: undeliverable }, count: 0
  3:40 never_fits expect[0].where["template.name"] [template.name → template]
expect that: requests, where: { error.code: rate_limited, request.headers.User-Agent: "*", request.boddy: "*" }, count: 0
  3:44 never_fits expect[0].where["error.code"] [error.code: rate_limited, request.headers.User-Agent: "*", request.boddy → error: rate_limited, request.headers.user-agent: "*", request.body]
  3:70 never_fits expect[0].where["request.headers.User-Agent"] [error.code: rate_limited, request.headers.User-Agent: "*", request.boddy → error: rate_limited, request.headers.user-agent: "*", request.body]
  3:103 never_fits expect[0].where["request.boddy"] [error.code: rate_limited, request.headers.User-Agent: "*", request.boddy → error: rate_limited, request.headers.user-agent: "*", request.body]
expect that: requests, where: { request.body.txt: x, batch: [true, "yes"] }, count: 0
  3:79 never_fits expect[0].where.batch[1]
expect that: sent, where: { message_id: 42 }, count: 0 ⇒ 3:52 never_fits expect[0].where.message_id
expect that: sent, where: { template: Order Shipped, type: template }, count: 0
  3:50 never_fits expect[0].where.template [Order Shipped → order_shipped]
expect that: sent, where: { language: english }, count: 0 ⇒ 3:50 never_fits expect[0].where.language [english → en]
part given: { templates: [{ name: hello, category: utility, language: english, body: Hi }] }⏎expect: [{ at: finish, that: sent, where: { language: english }, count: 0 }]
  2:66 language_name given.templates[0].language (en)
expect that: attempts, where: { alias: app }, count: 0 ⇒ 3:51 never_fits expect[0].where.alias
expect that: sent, where: { at: +1h..+30m }, count: 0 ⇒ 3:44 out_of_range expect[0].where.at [+1h..+30m → +30m..+1h]
expect that: sent, where: { at: ["09:00", "2026-03-01 09:*"] }, count: 0
  3:45 never_fits expect[0].where.at[0]
  3:54 never_fits expect[0].where.at[1]
expect that: sent, where: { at: [+1h.., ..+2h, "2026-03-01T09:*", "*T09:*"] }, count: 0 ⇒ fine
expect that: sent, where: { at: { clock: "09:00..09:00" } }, count: 0 ⇒ 3:53 out_of_range expect[0].where.at.clock
expect that: sent, where: { at: { clock: "10pm..8am" } }, count: 0
  3:53 wrong_form expect[0].where.at.clock [10pm..8am → 22:00..08:00]
expect that: sent, where: { at: { clock: "22:00-08:00" } }, count: 0
  3:53 wrong_form expect[0].where.at.clock [00-08 → 00..08]
expect that: sent, where: { type: interactive, text: hi }, count: 0 ⇒ 3:65 never_fits expect[0].where.text
part timeline:⏎  - { at: 1m, http: { url: /orders, save: { order: id } } }⏎  - { at: 2m, http: { url: "/orders/${dollar}{ordr}" } } ⇒ 4:28 unknown_value timeline[1].http.url [ordr → order]
part timeline: [{ at: 1m, http: { url: /orders, body: { of: [{ id: "${dollar}{order}" }] } } }] ⇒ 2:63 unknown_value timeline[0].http.body.of[0].id
part timeline: [{ at: 1m, http: { url: /a, headers: { Authorization: "Bearer ${dollar}{token}" } } }] ⇒ 2:65 unknown_value timeline[0].http.headers.Authorization
part timeline: [{ at: 1m, inbound: { phone: "+12025550150", text: "Yes, ${dollar}{order}" } }] ⇒ 2:62 unknown_value timeline[0].inbound.text
part timeline: [{ at: 1m, inbound: { phone: "+12025550150", text: "${dollar}{code +12025550150}" } }] ⇒ 2:62 unknown_value timeline[0].inbound.text
part timeline: [{ at: 1m, http: { url: /a, body: "${dollar}{code 12025550150}" } }] ⇒ 2:45 unknown_value timeline[0].http.body
part timeline: [{ at: 1m, http: { url: /a, body: "${dollar}{code +12025550150} $x {y}" } }] ⇒ fine
part timeline: [{ at: 1m, until: { "/orders/${dollar}{order}#status": paid } }] ⇒ 2:31 unknown_value timeline[0].until["/orders/${dollar}{order}#status"]
part expect: [{ at: finish, state: { "/orders/${dollar}{order}#status": paid } }] ⇒ 2:33 unknown_value expect[0].state["/orders/${dollar}{order}#status"]
part timeline: [{ id: a, at: 1m, restart: true }]⏎expect: [{ at: finish, that: sent, after: b, count: 0 }] ⇒ 3:43 unknown_check expect[0].after
part timeline: [{ id: a, at: 1m, restart: true }]⏎expect: [{ at: finish, that: sent, after: a, count: 0 }] ⇒ fine
part timeline: [{ id: a, at: 1m, restart: true }]⏎expect: [{ id: a, at: finish, that: sent, count: 0 }] ⇒ 3:16 not_unique expect[0].id
part timeline: [{ id: a, at: 1m, restart: true }, { id: a, at: 2m, restart: true }] ⇒ 2:46 not_unique timeline[1]
part expect: [{ at: finish, that: sent, where: { direction: outbound }, count: 0 }] ⇒ 2:45 unknown_field expect[0].where.direction
part expect: [{ at: finish, that: replies, count: 0 }] ⇒ 2:30 unknown_word expect[0].that [replies → sent]
part timeline: [{ at: 1m, http: { url: /a, body: { at: "${dollar}{now}" } } }] ⇒ fine
part timeline: [{ at: 1m, http: { url: /a, save: { now: id } } }] ⇒ 2:47 not_unique timeline[0].http.save.now
expect that: sent, where: { at: +1h-+2h }, count: 0 ⇒ 3:44 wrong_form expect[0].where.at [+1h-+2h → +1h..+2h]
expect that: sent, where: { at: { clock: "22:00" } }, count: 0 ⇒ 3:53 wrong_form expect[0].where.at.clock
part expect: [{ at: "9:00", that: sent, count: 0 }] ⇒ 2:12 other_form expect[0].at ["9:00" → { clock: "09:00" }]
stop that: requests, after: stopp, max: 0 ⇒ 4:42 unknown_check expect[1].after [stopp → stop]
part expect:⏎  - { id: stop, at: finish, that: messages, where: { text: STOP }, min: 1 }⏎  - { id: stop, at: finish, that: requests, max: 0 }
  4:5 not_unique expect[1]
stop that: webhooks, after: stop, max: 0 ⇒ 4:42 misplaced_key expect[1].after
stop that: messages, spacing: { min: retry_after } ⇒ 4:44 misplaced_key expect[1].spacing
part expect:⏎  - { id: a, at: finish, that: requests, after: b, max: 0 }⏎  - { id: b, at: finish, that: requests, after: a, max: 0 }
  3:49 check_cycle expect[0].after
  4:49 check_cycle expect[1].after
message.get then: { otp: { attempts: 1 } } ⇒ 3:39 slot_under_wrong_hook rules[0].then.otp
otp.send then: { refuse: { code: undeliverable } } ⇒ 3:39 slot_under_wrong_hook rules[0].then.refuse
webhook.deliver match: { attempts: 2 }, then: { inbound: { text: a } }
  3:71 slot_under_wrong_hook rules[0].then.inbound
behind { when: message.send, then: { lifecycle: happy } } ⇒ 4:99 shadowed_rule rules[1].then.lifecycle
behind { when: message.send, match: { phone: "+1202*" }, then: { lifecycle: happy } }
  4:99 shadowed_rule rules[1].then.lifecycle
behind { when: message.send, match: { phone: /^.1202/ }, then: { lifecycle: happy } }
  4:99 shadowed_rule rules[1].then.lifecycle
behind { when: message.send, match: { phone: "+1415*" }, then: { lifecycle: happy } } ⇒ fine
behind { when: message.send, match: { phone: "+12025550101", type: text, text: x }, then: { lifecycle: happy } } ⇒ fine
behind { when: message.send, then: { inbound: { text: a } } } ⇒ fine
behind { when: otp.send, then: { respond: { status: 500 } } } ⇒ fine
behind { when: message.send, pick: { calls: 1 }, then: { lifecycle: happy } } ⇒ fine
behind { when: message.send, active: { before: +1h }, then: { lifecycle: happy } } ⇒ fine
behind { when: message.send, match: { not: { type: image } }, then: { lifecycle: happy } } ⇒ fine
part timeline: [{ at: { after: nobody }, inbound: { phone: +12025550111 } }] ⇒ 2:27 unknown_rule timeline[0].at.after
message.send match: { phone: [+12025550101, +447700900123, +442079460999, +441134960000, +33639981234, +61491570156] }
  fine
message.send match: { phone: [+12025550200, +447700901123, +442079461000, +33639971234, +61491570155] }
  3:44 number_not_fictional rules[0].match.phone[0]
  3:58 number_not_fictional rules[0].match.phone[1]
  3:73 number_not_fictional rules[0].match.phone[2]
  3:88 number_not_fictional rules[0].match.phone[3]
  3:102 number_not_fictional rules[0].match.phone[4]
message.send match: { phone: ["+1 (202) 555-0101", "+1 202*"] }
  3:44 never_fits rules[0].match.phone[0] [+1 (202) 555-0101 → +12025550101]
  3:65 never_fits rules[0].match.phone[1]
message.send match: { phone: [12025550101, "1202*"] }
  3:44 never_fits rules[0].match.phone[0] [12025550101 → +12025550101]
  3:57 never_fits rules[0].match.phone[1]
message.send match: { phone: [+12025550101, "+14155552671", +1415*] } ⇒ 3:58 number_not_fictional rules[0].match.phone[1]
part given: { customers: [{ phone: +4915112345678 }] } ⇒ 2:31 number_not_fictional given.customers[0].phone
part timeline: [{ at: 1m, inbound: { phone: +12025551234 } }, { at: 1m, window: open, phone: +12025551235 }]
  2:40 number_not_fictional timeline[0].inbound.phone
  2:89 number_not_fictional timeline[1].phone
part timeline: [{ at: 1m, inbound: { phone: +12025551234 } }, { at: 2m, inbound: { phone: +12025551234 } }] ⇒ 2:40 number_not_fictional timeline[0].inbound.phone
given message.send, match: { template: order_shiped } ⇒ 4:46 unknown_template rules[0].match.template [order_shiped → order_shipped]
given message.send, match: { template: [order_shipped, promo_slow, "promo_*", /x/] } ⇒ fine
given message.send, match: { not: { template: login } } ⇒ fine
given message.send, match: { template: order_dropped } ⇒ fine
part timeline: [{ at: 1m, template: { name: nothing, status: paused } }] ⇒ fine
part extends: [base]⏎rules: [{ when: message.send, match: { template: greeting }, then: { lifecycle: happy } }] ⇒ fine
`),
)('%s', checkRow);

it('the words are those of the service: its operations and its error codes', () => {
  const names = Object.values(documentsOf(defaultDialect).api.paths).flatMap((path) =>
    Object.values(path).flatMap((entry) =>
      typeof entry === 'object' && entry !== null && 'operationId' in entry ? String(entry.operationId) : [],
    ),
  );
  const known = FIELDS_BY_SUBJECT.requests.get('operation')?.values ?? [];
  expect(known.map((name) => operationIdOf(String(name))).toSorted()).toEqual(names.toSorted());
  expect(names.map(hookOf).toSorted()).toEqual(known.toSorted());
  expect(errorCodes).toContain('otp_max_attempts' satisfies keyof typeof errorTable);
  expect(errorCodes).not.toContain('scenario_invalid' satisfies keyof typeof errorTable);
});

describe('a shadowed rule', () => {
  const narrow =
    '{ id: n, when: message.send, match: { phone: "+12025550101", type: text }, then: { lifecycle: stuck } }';

  it('is seen across files, with the place of both', () => {
    const text = 'version: 1\nextends: [base]\nrules: [{ id: mine, when: message.send, then: { lifecycle: happy } }]\n';
    const result = loadScenario(text, { file: 'a.yaml', resolve: () => ({ file: 'base.yaml', text: rules(narrow) }) });
    const [warning] = 'warnings' in result ? result.warnings : [];
    expect(warning).toMatchObject({ file: 'base.yaml', line: 3, code: 'shadowed_rule' });
    expect(warning!.message).toContain('rule mine (a.yaml:3)');
  });
});

it('rules that were never hit in a run, except those that a check does not want', () => {
  const rules = loaded(
    { id: 'a', when: 'api.any', then: { respond: { status: 500 } } },
    { id: 'b', when: 'otp.send', then: { otp: { attempts: 1 } } },
    { id: 'trap', when: 'otp.send', then: { otp: { attempts: 1 } } },
    { id: 'other', when: 'otp.send', then: { otp: { attempts: 1 } } },
  );
  const trap = { at: 'finish', that: 'requests', where: { rule: ['trap', 'other'] }, count: 0 } as const;
  const wanted = { ...trap, where: { rule: 'b' }, count: 1 };
  const run = { rules, expect: [{ ...trap, where: { rule: [...trap.where.rule] } }, wanted] };
  const warnings = lintNeverHit(run, (id) => (id === 'a' ? 3 : 0));
  expect(warnings).toEqual([expect.objectContaining({ code: 'never_hit', path: 'b', file: 'test.yaml', line: 2 })]);
});
