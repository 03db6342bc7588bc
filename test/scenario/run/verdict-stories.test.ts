/** Verdicts: when they are passed, on what, and what is said where the application did nothing. */
import { it } from 'vitest';
import { useSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { playStory, storiesOf } from './stories.js';

const { sandbox } = useSandbox({ clock: frozen });

it.each(
  storiesOf(String.raw`
at finish: on what is there when it is asked for
  with name: exam
  with expect: [{ at: finish, that: messages, where: { direction: outbound }, min: 1, max: 2, duplicate: 0 }]
  see _sandbox/verdict scenario passed checks.passed ⇒ exam false [false]
  send ada ⇒ 200
  see _sandbox/verdict scenario passed checks ⇒ exam true [{"passed":true,"at":"finish","that":"messages where {\"direction\":\"outbound\"}","expected":"at least 1; at most 2; no duplicates (same direction, to, type, text, template, language, variables, media_url, interactive)","found":"1 message; 0 duplicates among 1"}]
  send ada ⇒ 200 | see _sandbox/verdict passed ⇒ false
at an offset: at that instant, after everything that is due there, and it stays as it was
  - later message.send then: { lifecycle: [{ read: 10s }] }
  with expect:
  with - { at: +10s, that: messages, where: { status: read }, count: 1 }
  with - { at: +10s, that: messages, where: { status: read }, count: 0 }
  with - { at: +20s, that: attempts, min: 1, has: { status: 2xx } }
  send ada ⇒ 200 later | see _sandbox/verdict passed checks.passed checks.found ⇒ false [false,false,false] ["not evaluated yet: +10s is in the future","not evaluated yet: +10s is in the future","not evaluated yet: +20s is in the future"]
  +10s | see _sandbox/verdict checks.passed ⇒ [true,false,false]
  +1h | call POST /_sandbox/events { type: message.status } ⇒ 200 | see _sandbox/verdict checks.passed ⇒ [true,false,true]
a retry is judged by what was done to it, not by what was done to the first attempt
  - forged webhook.deliver match: { attempts: '1' }, then: { webhook: { signature: wrong_secret } }
  with expect: [{ at: finish, that: attempts, where: { rule: forged }, has: { status: 5xx } }]
  fails 1 | says ada Hi | +1m | see _sandbox/deliveries attempts.status ⇒ [500,200] | see _sandbox/verdict passed ⇒ true
what was delivered to a webhook stays evidence when the application removes the webhook
  with expect:
  with - { at: finish, that: attempts, where: { alias: app, to: ada, message_status: read }, count: 1 }
  with - { at: finish, that: deliveries, where: { alias: app, to: ada }, has: { state: delivered } }
  send ada ⇒ 200 | +1m | see _sandbox/verdict passed ⇒ true
  call GET /_sandbox/webhooks ⇒ 200 | call DELETE /v1/webhooks/$id ⇒ 204 | see _sandbox/verdict passed ⇒ true
without a scenario there is nothing to judge
  call DELETE /_sandbox/scenario ⇒ 204 | call GET /_sandbox/verdict ⇒ 404 not_found
  told error.message ⇒ No scenario is active, so there is nothing to evaluate. Activate one with "messaging-sandbox scenario use NAME" or PUT /_sandbox/scenario.
without a call, what nothing could fail is not passed; with one it is
  with expect: [{ at: finish, that: messages, where: { direction: outbound }, max: 0 }]
  see _sandbox/verdict passed reason note ⇒ false no_calls The application made no call and no delivery was attempted, so nothing could fail. If the scenario is meant to pass like this, add expect_no_calls: true to it.
  call GET /v1/templates ⇒ 200 | see _sandbox/verdict passed reason note ⇒ true - -
without a call, nor are no expectations
  see _sandbox/verdict passed reason ⇒ false no_calls
  call GET /v1/templates ⇒ 200 | see _sandbox/verdict passed reason ⇒ true -
without a call since the activation
  call GET /v1/templates ⇒ 200 | call PUT /_sandbox/scenario { version: 1, expect: [] } ⇒ 200
  see _sandbox/verdict passed reason ⇒ false no_calls
without a call, which the scenario may say is meant
  with expect_no_calls: true
  see _sandbox/verdict passed reason note ⇒ true - -
  call PUT /_sandbox/scenario { version: 1, expect_no_calls: false } ⇒ 200 | see _sandbox/verdict passed reason ⇒ false no_calls
without a call, a delivery alone passes, and the verdict says what came of it
  says ada Hi | +0s | see _sandbox/verdict passed reason note ⇒ true - The application made no call; it responded to 1 of 1 delivery attempt.
without a call, a delivery that found no receiver
  - down webhook.deliver then: { webhook: { receiver: { simulate: refused } } }
  says ada Hi | +0s | see _sandbox/verdict passed reason note ⇒ true - The application made no call; it responded to 0 of 1 delivery attempt.
between two steps: what happened after one began, and before the other; a step that did not happen fails its checks
  with timeline:
  with - { id: stop, at: +1h, inbound: { phone: ada, text: STOP } }
  with - { id: start, at: +2h, inbound: { phone: ada, text: START } }
  with - { id: never, at: { after: first otp.send }, inbound: { phone: ada, text: Code? } }
  with expect:
  with - { at: finish, that: sent, after: stop, before: start, count: 0 }
  with - { at: finish, that: sent, before: stop, count: 1 }
  with - { at: finish, that: sent, after: start, by: 30m, count: 1 }
  with - { at: finish, that: sent, after: never, count: 0 }
  with - { at: finish, that: received, after: stop, where: { from: ada }, in_order: [{ text: STOP }, { text: START }] }
  send ada ⇒ 200 | +2h | send ada ⇒ 200 | +1h
  see _sandbox/verdict checks.passed ⇒ [true,true,true,false,true]
  see _sandbox/verdict checks.3.that checks.3.expected checks.0.that ⇒ sent after "never" the step "never" of the timeline sent after "stop" before "start"
at a time of the day: a check at nine in the morning, and nothing at night
  with clock: 2026-03-01T20:00:00Z
  with expect:
  with - { at: { clock: "09:00" }, that: sent, count: 1 }
  with - { at: finish, that: sent, where: { at: { clock: "22:00..08:00" } }, count: 0 }
  with - { at: finish, that: sent, where: { at: +1h..+2h }, count: 1 }
  +90m | send ada ⇒ 200
  see _sandbox/verdict checks.passed checks.at checks.0.found ⇒ [false,true,true] ["+13h","finish","finish"] not evaluated yet: +13h is in the future
  +1h | send ada ⇒ 200 | +11h
  see _sandbox/verdict checks.passed checks.0.found checks.1.records.0.text ⇒ [false,false,true] 2 messages outbound template order_shipped to +12025550110 at +2h30m: "Order 42 left"
sent and received: the messages of the application and of customers
  with expect: [{ at: finish, that: sent, duplicate: 0, count: 2 }, { at: finish, that: received, where: { from: bob }, has: { text: Hi }, count: 1 }, { at: finish, that: sent, where: { template: order_shipped }, max: 1 }]
  send ada bob ⇒ 200 x2 | says ada Hello | says bob Hi
  see _sandbox/verdict checks.passed checks.2.records.0.text ⇒ [true,true,false] outbound template order_shipped to +12025550111 at +0s: "Order 42 left"
  see _sandbox/verdict checks.that ⇒ ["sent","received where {\"from\":\"+12025550111\"}","sent where {\"template\":\"order_shipped\"}"]
an event that found no endpoint is named where a check fails
  with expect: [{ at: finish, that: attempts, where: { event: message.received }, min: 1 }]
  call GET /_sandbox/webhooks ⇒ 200 | call DELETE /v1/webhooks/$id ⇒ 204
  says ada Hi | see _sandbox/verdict warnings ⇒ ["1 event found no endpoint, first at +0s: none is registered."]
  hook late ⇒ 200
  see _sandbox/verdict warnings ⇒ ["1 event of type message.received found no endpoint, first at +0s. An endpoint that is registered later does not get it."]
an event to which the application does not subscribe is not named
  with expect: [{ at: finish, that: attempts, where: { event: message.received }, min: 2 }]
  call GET /_sandbox/webhooks ⇒ 200 | call DELETE /v1/webhooks/$id ⇒ 204 | hook app ⇒ 200
  says ada Hi | send ada ⇒ 200 | +1h | see _sandbox/verdict passed warnings ⇒ false -
`),
)('%s', (_name, lines) => playStory(sandbox, lines));
