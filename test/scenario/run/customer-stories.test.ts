/** One-time codes, replies of customers, and the window. */
import { it } from 'vitest';
import { useSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { playStory, storiesOf } from './stories.js';

const { sandbox } = useSandbox({ clock: frozen });

it.each(
  storiesOf(String.raw`
code: a fixed one, its leading zero included, on the handset too
  - codes otp.send match: { phone: ada }, then: { otp: { code: 042042 } }
  code ada ⇒ 200 codes | see _sandbox/otps/$id code explain.by explain.id ⇒ 042042 rule codes
  see _sandbox/customers/ada/messages text ⇒ 042042 is your verification code.
  call POST /v1/otp/verify { otp_id: $id, code: "042042" } ⇒ 200 true
code: cut to the length that was requested
  - codes otp.send then: { otp: { code: 12345678 } }
  call POST /v1/otp/send { to: ada, length: 4 } ⇒ 200 codes | see _sandbox/otps/$id code ⇒ 1234
code: expires when the rule says, whatever was requested
  - codes otp.send then: { otp: { code: 042042, expires: 30s } }
  call POST /v1/otp/send { to: ada, expiry_seconds: 600 } ⇒ 200 codes
  called at response.body.expires_at ⇒ 2026-03-01T09:00:00.000Z 2026-03-01T09:00:30.000Z
  +29999ms | call POST /v1/otp/verify { otp_id: $id, code: "000000" } ⇒ 200 false
  +1ms | call POST /v1/otp/verify { otp_id: $id, code: "042042" } ⇒ 410 otp_expired codes
code: locks after as many wrong codes as the rule says
  - codes otp.send then: { otp: { code: 042042, attempts: 2 } }
  code ada ⇒ 200 codes | call POST /v1/otp/verify { otp_id: $id, code: "000000" } ⇒ 200 false codes
  called response.body.attempts_remaining ⇒ 1
  call POST /v1/otp/verify { otp_id: $id, code: "000000" } ⇒ 200 false codes
  called response.body.attempts_remaining ⇒ 0
  call POST /v1/otp/verify { otp_id: $id, code: "042042" } ⇒ 429 otp_max_attempts codes
code: the shipped trouble strikes each of its customers, whoever asks first
  call PUT /_sandbox/scenario { name: otp-trouble } ⇒ 200
  code +12025550115 +12025550116 +12025550115*2 ⇒ 200 expires-early, 200 locks-early, 503 after 1 service_unavailable channel-down-once, 200 leading-zero
  see _sandbox/otps to attempts_remaining ⇒ +12025550115 5, +12025550116 2, +12025550115 5
code: the shipped trouble, the other first
  call PUT /_sandbox/scenario { name: otp-trouble } ⇒ 200
  code +12025550116 +12025550115*3 ⇒ 200 locks-early, 200 expires-early, 503 after 1 service_unavailable channel-down-once, 200 leading-zero
  see _sandbox/otps to attempts_remaining ⇒ +12025550116 2, +12025550115 5 x2
code: the shipped trouble, the other last
  call PUT /_sandbox/scenario { name: otp-trouble } ⇒ 200
  code +12025550115*3 +12025550116 ⇒ 200 expires-early, 503 after 1 service_unavailable channel-down-once, 200 leading-zero, 200 locks-early
  see _sandbox/otps to attempts_remaining ⇒ +12025550115 5 x2, +12025550116 2
reply: with a text, at its offset from acceptance, and the window opens
  - answers message.send match: { phone: ada }, then: { inbound: { after: 90s, text: Where is it? } }
  send ada ⇒ 200 answers | see _sandbox/messages explain.by explain.id ⇒ rule answers | +89999ms
  events message.received ⇒ nothing | text ada ⇒ 400 send_failed answers
  +1ms | events message.received ⇒ Where is it? 1m30s
  see _sandbox/events?type=message.received data.from data.type ⇒ +12025550110 text | text ada ⇒ 200 answers
reply: not with a button that the message does not have, which the journal says
  - answers message.send then: { inbound: { after: 1m, button: 2 } }
  send ada ⇒ 200 answers
  called warnings ⇒ ["No reply by answers: button 2 is to be tapped, but the message does not have it."] | +1h
  events message.received ⇒ nothing
reply: with a generated text if the rule has none
  - answers message.send then: { inbound: {} }
  send ada ⇒ 200 answers | events message.received ⇒ nothing | +300ms
  see _sandbox/events?type=message.received data.type created_at ⇒ text 2026-03-01T09:00:00.300Z
reply: by tapping a button of an interactive message
  - answers message.send then: { inbound: { after: 30s, button: 2 } }
  says ada Hi
  call POST /v1/messages { to: ada, type: interactive, interactive: { body: Shall we?, buttons: [{ id: "yes", title: Yes }, { id: "no", title: No }] } } ⇒ 200 answers
  +30s
  see _sandbox/events?type=message.received data.type data.interactive created_at ⇒ text - 2026-03-01T09:00:00.000Z, interactive {"id":"no","title":"No"} 2026-03-01T09:00:30.000Z
reply: by tapping a quick reply of a template, which other buttons do not count as
  - answers message.send then: { inbound: { button: 1 } }
  call POST /v1/templates { name: with, category: utility, language: en, body: Hi, buttons: [{ type: url, text: Shop, url: "https://example.com" }, { type: quick_reply, text: Stop }] } ⇒ 200
  +1s | call POST /v1/messages { to: ada, type: template, template: { name: with, language: en } } ⇒ 200 answers
  +300ms | see _sandbox/events?type=message.received data.interactive ⇒ {"id":"Stop","title":"Stop"}
reply: not to a message that failed
  - answers message.send then: { lifecycle: undeliverable, inbound: { after: 1m, text: Yes } }
  send ada ⇒ 200 answers | called warnings ⇒ ["No reply by answers: the message will not be delivered."] | +1h
  events message.received ⇒ nothing
reply: not to a message that failed before the delivery
  - answers message.send then: { lifecycle: blocked, inbound: { after: 1m, text: Yes } }
  send ada ⇒ 200 answers | called warnings ⇒ ["No reply by answers: the message will not be delivered."] | +1h
  events message.received ⇒ nothing
reply: not to a message that is never delivered
  - answers message.send then: { lifecycle: stuck, inbound: { after: 1m, text: Yes } }
  send ada ⇒ 200 answers | called warnings ⇒ ["No reply by answers: the message will not be delivered."] | +1h
  events message.received ⇒ nothing
reply: after a late delivery
  - answers message.send then: { lifecycle: [{ delivered: 10m }], inbound: { after: 1m, text: Yes } }
  send ada ⇒ 200 answers | called warnings ⇒ [] | +1h | events message.received ⇒ Yes 11m
reply: after a message was read without a report of its delivery
  - answers message.send then: { lifecycle: [{ read: 2m }], inbound: { after: 1m, text: Yes } }
  send ada ⇒ 200 answers | called warnings ⇒ [] | +1h | events message.received ⇒ Yes 3m
reply: not to a message that a command has failed meanwhile
  - answers message.send then: { inbound: { after: 1m, text: Yes } }
  send ada ⇒ 200 answers
  call POST /_sandbox/messages/$id/status { status: failed, error: recipient_opted_out } ⇒ 200 recipient_opted_out | +1h
  events message.received ⇒ nothing
window: open, a customer who never wrote can be written to
  - open message.send then: { window: open }
  text ada ⇒ 200 open
window: closed even after an inbound message, and the rule is named
  - shut message.send match: { type: { not: template } }, then: { window: closed }
  says ada Hi | text ada ⇒ 400 send_failed shut | send ada ⇒ 200
a header may set the actions of a code, of a template and of the window
  call POST /v1/otp/send { to: ada } preferring otp_code=042042; attempts=1 ⇒ 200 X-Sandbox-Prefer | see _sandbox/otps code attempts_remaining ⇒ 042042 1
  call POST /v1/templates { name: later, category: utility, language: en, body: Hi } preferring review=reject; after=1h; reason=Why not ⇒ 200 X-Sandbox-Prefer
  +1h | see v1/templates/$id status rejection_reason ⇒ rejected Why not
  call POST /v1/messages { to: bob, type: text, text: Hi } preferring window=open ⇒ 200 X-Sandbox-Prefer
window: the default of the scenario is for those who never wrote, the clock for the others
  with defaults: { window: open }
  text ada ⇒ 200 | says ada Hi | +24h | text ada ⇒ 400 send_failed
tags of languages are compared without case, and with either separator
  - german message.send match: { language: [DE, pt-BR, zh_*] }
  call POST /v1/messages { to: ada, type: template, template: { name: order_shipped, language: de, variables: ["42"] } } ⇒ 503 down german
  call POST /v1/messages { to: ada, type: template, template: { name: order_shipped, language: pt_br, variables: ["42"] } } ⇒ 503 down german
  call POST /v1/messages { to: ada, type: template, template: { name: order_shipped, language: zh-Hant, variables: ["42"] } } ⇒ 503 down german
  call POST /v1/messages { to: ada, type: template, template: { name: order_shipped, language: en, variables: ["42"] } } ⇒ 200
`),
)('%s', (_name, lines) => playStory(sandbox, lines));
