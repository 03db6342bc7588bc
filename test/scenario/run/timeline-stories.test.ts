/** The timeline: each of its actions, and when its steps happen. */
import { it } from 'vitest';
import { useSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { playStory, storiesOf } from './stories.js';

const { sandbox } = useSandbox({ clock: frozen });

it.each(
  storiesOf(String.raw`
inbound: a customer writes, sends a picture, taps
  with timeline:
  with - { at: +2m, inbound: { phone: ada, type: image, url: "https://example.com/a.png" } }
  with - { at: +1m, inbound: { phone: ada, text: Hello?, name: Ada } }
  with - { at: +3m, inbound: { phone: ada, type: interactive, button: "Yes" } }
  says ada Hi
  call POST /v1/messages { to: ada, type: interactive, interactive: { body: Shall we?, buttons: [{ id: "yes", title: "Yes" }] } } ⇒ 200
  +1h | events message.received ⇒ Hi 0s, Hello? 1m, undefined 2m, yes 3m
  see _sandbox/events?type=message.received created_at data.from data.type data.media_url data.interactive ⇒ 2026-03-01T09:00:00.000Z +12025550110 text - -, 2026-03-01T09:01:00.000Z +12025550110 text - -, 2026-03-01T09:02:00.000Z +12025550110 image https://example.com/a.png -, 2026-03-01T09:03:00.000Z +12025550110 interactive - {"id":"yes","title":"Yes"}
  see _sandbox/events?type=message.received&data.profile_name=Ada data.profile_name ⇒ Ada x3
  see _sandbox/customers/ada window.open window.closes_at ⇒ true 2026-03-02T09:03:00.000Z
tap: the latest message that shows the button, an earlier one, by title or id; one that was never shown fails the run
  - stuck message.send match: { text: "*Stuck*" }, then: { lifecycle: stuck }
  with timeline:
  with - { at: +1m, inbound: { phone: ada, button: Confirm } }
  with - { at: +2m, inbound: { phone: ada, button: Confirm, message: 1 } }
  with - { at: +3m, inbound: { phone: ada, button: no-1 } }
  with - { at: +4m, inbound: { phone: ada, button: Later } }
  with - { at: +5m, inbound: { phone: ada, button: Confirm, message: 3 } }
  with - { at: +6m, inbound: { phone: bob, button: Confirm } }
  with expect: [{ at: finish, that: messages, where: { direction: inbound }, count: 4 }]
  says ada Hi
  call POST /v1/messages { to: ada, type: interactive, interactive: { body: First, buttons: [{ id: yes-1, title: Confirm }, { id: no-1, title: Cancel }] } } ⇒ 200
  call POST /v1/messages { to: ada, type: interactive, interactive: { body: Second, buttons: [{ id: yes-2, title: Confirm }] } } ⇒ 200
  call POST /v1/messages { to: ada, type: interactive, interactive: { body: Stuck, buttons: [{ id: yes-3, title: Confirm }, { id: later, title: Later }] } } ⇒ 200 stuck
  text ada ⇒ 200 | +1h
  events message.received ⇒ Hi 0s, yes-2 1m, yes-1 2m, no-1 3m
  see _sandbox/verdict passed checks.passed checks.at checks.that checks.expected checks.found ⇒ false [false,false,false,true] ["+4m","+5m","+6m","finish"] ["tap of +12025550110 on \"Later\"","tap of +12025550110 on \"Confirm\"","tap of +12025550111 on \"Confirm\"","messages where {\"direction\":\"inbound\"}"] ["a message that shows this button","3 messages that show this button","a message that shows this button","exactly 4"] ["the message with this button is sent: Rule stuck matches by text.","2 found","no message with buttons was delivered","4 messages"]
template: paused, approved, deleted; a pending one approved or rejected
  - owner template.review then: { review: { status: pending } }
  with timeline:
  with - { at: +1m, template: { name: order_shipped, status: paused } }
  with - { at: +2m, template: { name: order_shipped, status: approved } }
  with - { at: +3m, template: { name: order_shipped, status: deleted } }
  with - { at: +4m, template: { name: order_shipped, status: approved } }
  with - { at: +5m, template: { name: second, status: rejected, because: Shouts. } }
  with - { at: +5m, template: { name: third, status: approved } }
  with - { at: +6m, template: { name: unheard_of, status: deleted } }
  submit second third ⇒ 200 owner x2
  +1m | see _sandbox/templates name status ⇒ order_shipped paused, login approved, second pending, third pending
  +1m | see _sandbox/templates?name=order_shipped status ⇒ approved | +1m
  see _sandbox/templates?name=order_shipped status ⇒ deleted
  +1m | see _sandbox/templates?name=order_shipped status ⇒ deleted
  +1h
  see _sandbox/templates name status rejection_reason ⇒ order_shipped deleted null, login approved null, second rejected Shouts., third approved null
  events template.status ⇒ rejected 5m, approved 5m
  see _sandbox/scenario warnings.code warnings.message ⇒ ["step_passed_over","step_passed_over"] ["The step \"template\" of the timeline at 2026-03-01T09:04:00.000Z was skipped: the template \"order_shipped\" is deleted and cannot become approved.","The step \"template\" of the timeline at 2026-03-01T09:06:00.000Z was skipped: there is no template \"unheard_of\"."]
  see _sandbox/verdict warnings ⇒ ["The step \"template\" of the timeline at 2026-03-01T09:04:00.000Z was skipped: the template \"order_shipped\" is deleted and cannot become approved.","The step \"template\" of the timeline at 2026-03-01T09:06:00.000Z was skipped: there is no template \"unheard_of\"."]
message: the channel reports on the latest message; what is not possible is skipped
  - silent message.send then: { lifecycle: silent }
  with timeline:
  with - { at: +1m, message: { phone: ada, status: delivered } }
  with - { at: +2m, message: { phone: ada, status: sent } }
  with - { at: +3m, message: { phone: ada, status: failed, error: 131049 } }
  with - { at: +4m, message: { phone: bob, status: read } }
  send ada*2 ⇒ 200 silent x2 | +1h
  see _sandbox/messages status error.code ⇒ accepted -, failed not_delivered_by_channel
  events message.status ⇒ delivered 1m, failed 3m
  see _sandbox/scenario warnings.message ⇒ ["The step \"message\" of the timeline at 2026-03-01T09:02:00.000Z was skipped: the message to +12025550110 is delivered and cannot become sent.","The step \"message\" of the timeline at 2026-03-01T09:04:00.000Z was skipped: no message was sent to +12025550111."]
  see _sandbox/verdict warnings ⇒ ["The step \"message\" of the timeline at 2026-03-01T09:02:00.000Z was skipped: the message to +12025550110 is delivered and cannot become sent.","The step \"message\" of the timeline at 2026-03-01T09:04:00.000Z was skipped: no message was sent to +12025550111."]
window: opened and closed without an inbound event
  with timeline: [{ at: +1m, window: open, phone: ada }, { at: +2m, window: closed, phone: ada }]
  text ada ⇒ 400 send_failed | +1m | text ada ⇒ 200 | +1m | text ada ⇒ 400 send_failed
  events message.received ⇒ nothing
webhook: paused, so that deliveries are held, and resumed
  with timeline:
  with - { at: +1m, webhook: { alias: app, status: paused } }
  with - { at: +2m, inbound: { phone: ada, text: missed } }
  with - { at: +3m, webhook: { alias: app, status: active } }
  with - { at: +3m, webhook: { alias: app, status: active } }
  with - { at: +3m, webhook: { alias: ap, status: active } }
  with - { at: +4m, inbound: { phone: ada, text: heard } }
  +1m | see v1/webhooks webhooks.status webhooks.pause_reason ⇒ ["paused"] ["Paused by the scenario's timeline."] | +1h
  see _sandbox/deliveries state ⇒ held, delivered
  see _sandbox/sink/app/received json.data.text ⇒ heard
  see _sandbox/scenario warnings.message ⇒ ["The step \"webhook\" of the timeline at 2026-03-01T09:03:00.000Z was skipped: there is no endpoint with the alias \"ap\"."]
webhook: without an alias, all endpoints, even those of the application
  call POST /v1/webhooks { url: "https://sink.sandbox/own", events: [message.received] } ⇒ 200
  with timeline:
  with - { at: +1m, webhook: { status: paused } }
  +1m | see v1/webhooks webhooks.status ⇒ ["paused","paused"]
a step at +0s has happened when the activation returns
  with timeline: [{ at: +0s, inbound: { phone: ada, text: now } }]
  events message.received ⇒ now 0s
the timeline of a scenario goes with it
  with timeline: [{ at: +1h, inbound: { phone: ada, text: old } }]
  +30m | call PUT /_sandbox/scenario { version: 1, timeline: [{ at: +45m, inbound: { phone: ada, text: new } }] } ⇒ 200
  +1h | events message.received ⇒ new 1h15m
  call PUT /_sandbox/scenario { version: 1, timeline: [{ at: +1h, inbound: { phone: ada, text: never } }] } ⇒ 200
  call DELETE /_sandbox/scenario ⇒ 204 | +1d | events message.received ⇒ new 1h15m | see _sandbox/clock pending ⇒ 0
a step waits for the first call at a hook, and comes once
  with timeline: [{ at: { after: first message.send, by: 5m }, inbound: { phone: bob, text: Hi } }]
  +1h | events message.received ⇒ nothing | send ada ⇒ 200 | +1m | send ada ⇒ 200 | +1h
  events message.received ⇒ Hi 1h5m
a step waits for a rule to apply, and repeats
  - second message.send pick: { calls: 2 }, then: { lifecycle: unread }
  with timeline: [{ at: { after: second }, every: 10s, count: 3, inbound: { phone: bob, text: Hi } }]
  send ada ⇒ 200 | +1m | send ada ⇒ 200 second | +1m | events message.received ⇒ Hi 1m, Hi 1m10s, Hi 1m20s
a step comes at a time of the day, and again every so often; it is nine
  with timeline:
  with - { at: { clock: "09:30" }, inbound: { phone: bob, text: a } }
  with - { at: { clock: "08:00" }, inbound: { phone: bob, text: b } }
  with - { at: +1h, every: 30m, count: 3, inbound: { phone: bob, text: d } }
  +3d | events message.received ⇒ a 30m, d 1h, d 1h30m, d 2h, b 23h
a step that waits does so over a snapshot
  with timeline: [{ at: { after: message.send, by: 5m }, inbound: { phone: bob, text: Hi } }, { at: { after: otp.send }, inbound: { phone: bob, text: Ho } }]
  send ada ⇒ 200 | call POST /_sandbox/snapshots { name: waiting } ⇒ 200 | +1h
  call POST /_sandbox/snapshots/waiting/restore {} ⇒ 200
  send ada ⇒ 200 | code ada ⇒ 200 | +1h | events message.received ⇒ Ho 0s, Hi 5m
a replay comes in order if nothing else is said
  - down webhook.deliver active: { before: +2h }, then: { webhook: { receiver: { simulate: 503 } } }
  with timeline: [{ at: +1m, inbound: { phone: bob, text: a } }, { at: +2m, inbound: { phone: bob, text: b } }, { at: +2h, replay: {} }]
  +119m | see _sandbox/sink/app/received json.data.text ⇒ nothing | +1m
  see _sandbox/sink/app/received json.data.text ⇒ a, b
a replay to an endpoint that is not there is skipped
  with timeline: [{ at: +1m, replay: { alias: nobody } }]
  +1m | see _sandbox/verdict warnings ⇒ ["The step \"replay\" of the timeline at 2026-03-01T09:01:00.000Z was skipped: there is no endpoint with the alias \"nobody\"."]
`),
)('%s', (_name, lines) => playStory(sandbox, lines));
