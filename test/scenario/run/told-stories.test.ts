/** What explains what happened: a plan, a command, a rule, a magic number or the timeline. And rules added at run time. */
import { expect, it } from 'vitest';
import { newWorld } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { playStory, storiesOf } from './stories.js';

const { sandbox } = useSandbox({ clock: frozen });

it.each(
  storiesOf(String.raw`
a message says which states a command reported, and what the plan was
  send ada ⇒ 200
  see _sandbox/messages explain.text ⇒ No rule or magic number sets its lifecycle: sent immediately, delivered after 300ms, read after 1s.
  call POST /_sandbox/messages/$id/status { status: delivered } ⇒ 200
  call POST /_sandbox/messages/$id/status { status: failed } ⇒ 200 undeliverable
  see _sandbox/messages history.status history.by ⇒ ["accepted","sent","delivered","failed"] [null,null,"command","command"]
  see _sandbox/messages explain ⇒ {"by":"default","text":"A command moved it to delivered. A command moved it to failed. The plan was: No rule or magic number sets its lifecycle: sent immediately, delivered after 300ms, read after 1s."}
a message names the rule that had planned otherwise
  - stuck message.send then: { lifecycle: stuck }
  with timeline: [{ at: +1m, message: { phone: ada, status: read } }]
  send ada ⇒ 200 stuck | +1m
  see _sandbox/messages history.status history.by ⇒ ["accepted","sent","read"] [null,null,"timeline"]
  see _sandbox/messages explain.by explain.id explain.text ⇒ rule stuck The timeline moved it to read. The plan was: Rule stuck matches every call.
a template says which review a command made
  submit promo ⇒ 200
  see _sandbox/templates/$id explain.text ⇒ No rule or magic name decides its review: approved after 1s.
  call POST /_sandbox/templates/$id/review { decision: rejected } ⇒ 200
  see _sandbox/templates/$id history.status history.by explain ⇒ ["pending","rejected"] [null,"command"] {"by":"default","text":"A command moved it to rejected. The plan was: No rule or magic name decides its review: approved after 1s."}
a template says which state a command set
  submit promo ⇒ 200 | call POST /_sandbox/templates/$id/status { status: deleted } ⇒ 200
  see _sandbox/templates/$id history.status history.by explain ⇒ ["pending","deleted"] [null,"command"] {"by":"default","text":"A command moved it to deleted. The plan was: No rule or magic name decides its review: approved after 1s."}
a template that a scenario gives anew is given
  submit promo ⇒ 200
  call PUT /_sandbox/scenario { version: 1, given: { templates: [{ name: promo, category: utility, language: en, body: Hello, status: approved }] } } ⇒ 200
  see _sandbox/templates/$id explain ⇒ {"by":"default","text":"Given by the scenario."}
a customer wrote because of a command
  says ada Hi
  see _sandbox/customers/ada/messages explain ⇒ {"by":"default","text":"A command sent this message as the customer."}
a customer wrote because of the rule of the answered message
  - curious message.send then: { inbound: { after: 1m } }
  send ada ⇒ 200 curious | +1m
  see _sandbox/customers/ada/messages direction explain ⇒ outbound {"by":"rule","id":"curious","file":"request body","line":4,"text":"Rule curious matches every call."}, inbound {"by":"rule","id":"curious","file":"request body","line":4,"text":"Rule curious matches every call."}
a customer wrote because of a magic number
  send +12025550170 ⇒ 200 magic-70 | +30s
  see _sandbox/customers/+12025550170/messages direction explain ⇒ outbound {"by":"magic","id":"magic-70","text":"The customer replies \"OK\" after 30 seconds."}, inbound {"by":"magic","id":"magic-70","text":"The customer replies \"OK\" after 30 seconds."}
a customer wrote because of a step of the timeline
  with name: visit
  with timeline: [{ at: +90m, inbound: { phone: ada, text: Hello? } }]
  +2h
  see _sandbox/customers/ada/messages explain ⇒ {"by":"header","id":"timeline","text":"The timeline of scenario visit let the customer write, at +1h30m."}
a delivery that a call requested tells what was requested
  call POST /_sandbox/events { type: message.received, webhook: { signature: wrong_secret } } ⇒ 200
  call POST /_sandbox/events { type: message.received, webhook: { duplicate: 1, receiver: { simulate: 500 } } } ⇒ 200
  call POST /_sandbox/events { type: message.received, webhook: {} } ⇒ 200
  see _sandbox/deliveries explain ⇒ {"by":"header","text":"The call that caused this delivery requested it with signature: wrong_secret."}, {"by":"header","text":"The call that caused this delivery requested it with duplicate: 1, receiver: { simulate: 500 }."} x2, {"by":"header","text":"The call that caused this delivery requested it as it is."}
a delivery that is made after all is not told to be held any more
  call GET /_sandbox/webhooks ⇒ 200 | call PUT /_sandbox/webhooks/$id { status: paused } ⇒ 200 | says ada Hi
  see _sandbox/deliveries explain.text ⇒ Held: the endpoint was paused. Once it is active again (register its URL again, or set it active), redeliver the event.
  call PUT /_sandbox/webhooks/$id { status: active } ⇒ 200 | call GET /_sandbox/events ⇒ 200
  call POST /_sandbox/events/$id/redeliver ⇒ 200 | +1ms
  see _sandbox/deliveries state explain ⇒ delivered {"by":"default","text":"Redelivered by a command."}
a delivery that is made after all keeps the rule that had dropped it at first
  - lost webhook.deliver then: { webhook: { drop: true } }
  says ada Hi | see _sandbox/deliveries explain.text ⇒ Rule lost matches every call. | call GET /_sandbox/events ⇒ 200
  call POST /_sandbox/events/$id/redeliver ⇒ 200 | +1ms
  see _sandbox/deliveries state explain.id explain.text ⇒ delivered lost Redelivered by a command. Originally: Rule lost matches every call.
  call POST /_sandbox/events/$id/redeliver ⇒ 200 | +1ms
  see _sandbox/deliveries state explain.id explain.text ⇒ delivered lost Redelivered by a command. Originally: Rule lost matches every call.
a rule added at run time applies at once, tells its hits and the last one, and is removed
  call POST /_sandbox/rules { when: message.send, match: { phone: ada }, then: { respond: { status: 503 } } } ⇒ 200
  told hits last_hit ⇒ 0 null
  send ada ⇒ 503 service_unavailable rule_7
  called explain.by explain.id explain.text ⇒ rule rule_7 Rule rule_7 matches by phone. | +5s
  send bob ada ⇒ 200, 503 service_unavailable rule_7
  see _sandbox/rules id hits last_hit.at last_hit.subject ⇒ rule_7 2 2026-03-01T09:00:05.000Z +12025550110
  call DELETE /_sandbox/rules/rule_7 ⇒ 204 | see _sandbox/rules id ⇒ nothing
  send ada ⇒ 200 | call DELETE /_sandbox/rules/rule_7 ⇒ 404 not_found
a rule added at run time needs no scenario, and outlives one
  call DELETE /_sandbox/scenario ⇒ 204 | rule stays message.send then: { lifecycle: blocked } | send ada ⇒ 200 stays
  call PUT /_sandbox/scenario { version: 1, rules: [{ when: message.send, then: { lifecycle: happy } }] } ⇒ 200
  send ada ⇒ 200 stays
the id of a rule is taken by another one added at run time, and by one of the scenario
  - mine message.send then: { lifecycle: happy }
  rule once message.send pick: { calls: 1 }
  call POST /_sandbox/rules { id: once, when: message.send, then: { lifecycle: happy } } ⇒ 409 name_taken
  told error.message ⇒ Rule "once" already exists; remove it or choose another id.
  call POST /_sandbox/rules { id: mine, when: message.send, then: { lifecycle: happy } } ⇒ 409 name_taken
  told error.message ⇒ Rule "mine" already exists; remove it or choose another id.
  see _sandbox/rules id ⇒ once
a rule that takes the id of a removed one starts with counts and hits of its own
  rule once message.send pick: { calls: 1 } | send ada*2 ⇒ 503 down once, 200 | call DELETE /_sandbox/rules/once ⇒ 204
  rule once message.send pick: { calls: 1 } | see _sandbox/rules hits last_hit ⇒ 0 null
  send ada*2 ⇒ 503 down once, 200
a rule added at run time is active from that moment, not from the activation of a scenario
  +5h | rule once message.send pick: { calls: '2..' }, active: { after: +1m, before: +10m }
  send ada ⇒ 200 | +1m | send ada ⇒ 200 | +1s | send ada ⇒ 503 down once | +8m58s | send ada ⇒ 503 down once | +1s
  send ada ⇒ 200
an invalid rule is refused with its problems in their places
  call POST /_sandbox/rules { when: message.send, match: { colour: red }, then: { respond: { status: 700 } } } ⇒ 400 scenario_invalid
  told error.details.path ⇒ ["match.colour","then.respond.status"]
  see _sandbox/rules id ⇒ nothing
parts of a rule without effect come back as warnings, as they do for a file
  call POST /_sandbox/rules { id: vain, when: message.get, match: { template: order_shiped }, then: { otp: { attempts: 1 } } } ⇒ 200
  told warnings.code warnings.path warnings.file warnings.found ⇒ ["unknown_template","slot_under_wrong_hook"] ["match.template","then.otp"] ["request body","request body"] ["order_shiped","otp"]
  told warnings.allowed warnings.suggestion ⇒ ["order_shipped, login","respond, limit"] ["order_shipped",null]
  see _sandbox/rules id then ⇒ vain {"otp":{"attempts":1}}
  call POST /_sandbox/rules { when: otp.send, match: { template: login }, then: { otp: { attempts: 1 } } } ⇒ 200
  told warnings ⇒ []
`),
)('%s', (_name, lines) => playStory(sandbox, lines));

it('a rule added at run time may be YAML, with its problems at their lines', async () => {
  const yaml = 'id: mistyped\nwhen: message.snd\nthen: { respond: { status: 503 } }\n';
  const headers = { 'content-type': 'application/yaml' };
  const { status, body } = await newWorld(sandbox).call('POST', '/_sandbox/rules', yaml, headers);
  expect([status, body.error]).toMatchObject([
    400,
    {
      code: 'scenario_invalid',
      details: [{ line: 2, suggestion: 'message.send', fixed: 'when: message.send' }],
    },
  ]);
});
