/** When a rule applies: to which calls, how often, for whom; limits; and which rule takes precedence. */
import { it } from 'vitest';
import { useSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { playStory, storiesOf } from './stories.js';

const { sandbox } = useSandbox({ clock: frozen });

it.each(
  storiesOf(String.raw`
pick first
  - strike message.send pick: { calls: 1..2 }
  send ada*7 ⇒ 503 down strike x2, 200 x5
pick nth, and the explanation tells its number
  - strike message.send pick: { calls: 3 }
  send ada*3 ⇒ 200 x2, 503 down strike
  called explain.text ⇒ Rule strike matches every call; number 3 of this account, picked by calls 3. | send ada*4 ⇒ 200 x4
pick every
  - strike message.send pick: { every: 3 }
  send ada*7 ⇒ 200 x2, 503 down strike, 200 x2, 503 down strike, 200
pick after
  - strike message.send pick: { calls: 6.. }
  send ada*7 ⇒ 200 x5, 503 down strike x2
pick between
  - strike message.send pick: { calls: 2..4 }
  send ada*7 ⇒ 200, 503 down strike x3, 200 x3
pick by several conditions
  - strike message.send pick: { every: 2, calls: 4.. }
  send ada*7 ⇒ 200 x3, 503 down strike, 200, 503 down strike, 200
no chance
  - strike message.send pick: { chance: 0% }
  send ada*7 ⇒ 200 x7
every chance, and one that is a condition among others
  - second message.send pick: { chance: 100%, calls: 2 }
  - strike message.send pick: { chance: 100% }
  send ada*7 ⇒ 503 down strike, 503 down second, 503 down strike x5
every rule counts the calls that it matches, whatever an earlier rule did with them
  - one message.send pick: { calls: 1 }
  - two message.send pick: { calls: 2 }, then: { respond: { status: 500 } }
  send ada*3 ⇒ 503 down one, 500 internal_error two, 200
a rule counts what matches, not what is sent
  - strike message.send match: { phone: bob }, pick: { calls: 2 }
  send ada bob ada bob bob ⇒ 200 x3, 503 down strike, 200
not excludes the calls that meet all of its conditions, and no others
  - strike message.send match: { not: { type: template, phone: ada } }
  send ada bob ⇒ 200, 503 down strike
per recipient, everybody has a count of their own, in a batch as well
  - once message.send pick: { calls: 1 }, per: phone, then: { refuse: { code: busy, message: Later. } }
  send ada ⇒ 400 busy once | batch ada bob ⇒ 200 ok busy once
per template
  - first message.send pick: { calls: 1 }, per: template
  submit other ⇒ 200 | +1s | send ada ⇒ 503 down first
  call POST /v1/messages { to: ada, type: template, template: { name: other, language: en, variables: ["1"] } } ⇒ 503 down first
  send ada ⇒ 200
  call POST /v1/messages { to: ada, type: template, template: { name: other, language: en, variables: ["1"] } } ⇒ 200
a check of a code has the template that the code was sent with
  - other otp.verify match: { template: order_shipped }, then: { respond: { status: 500 } }
  - login otp.verify match: { template: login }
  code ada ⇒ 200 | call POST /v1/otp/verify { otp_id: $id, code: "1" } ⇒ 503 down login
per endpoint, where it is registered: one URL is one endpoint
  - late webhook.create pick: { calls: 2 }, per: endpoint
  hook one two one two one ⇒ 200 x2, 503 down late x2, 200
per endpoint, at its deliveries
  - lost webhook.deliver pick: { calls: 1 }, per: endpoint, then: { webhook: { drop: true } }
  hook other ⇒ 200 | says ada Hi | says ada Hi | +1s
  see _sandbox/deliveries state ⇒ dropped x2, delivered x2
active from its first instant to before its last, counted from the activation
  - strike message.send active: { after: +1h, before: +2h }
  send ada ⇒ 200 | +3599999ms | send ada ⇒ 200 | +1ms | send ada ⇒ 503 down strike
  +3599999ms | send ada ⇒ 503 down strike | +1ms | send ada ⇒ 200
a share of the customers counts within, together with the other conditions
  - strike message.send pick: { share: 100%, calls: 2 }, per: phone
  send ada ada bob ada bob ⇒ 200, 503 down strike, 200 x2, 503 down strike
  called explain.text ⇒ Rule strike matches every call; number 2 of this phone, picked by calls 2, share 100%.
above its rate, any call is refused until the wait that it names is over
  - slow api.any then: { limit: 1/10s }
  call GET /v1/messages/8a1e9f6e-7d5c-4b1e-9d59-0f6b62a4c001 ⇒ 404 not_found
  call GET /v1/webhooks ⇒ 429 after 10 rate_limited slow
  called error fault explain.id ⇒ rate_limited limit slow
  +9999ms | call GET /v1/webhooks ⇒ 429 after 1 rate_limited slow | +1ms | call GET /v1/webhooks ⇒ 200
above its rate, a message is
  - slow message.send then: { limit: 1/10s }
  send ada*2 ⇒ 200, 429 after 10 rate_limited slow | called error fault explain.id ⇒ rate_limited limit slow | +9999ms
  send ada ⇒ 429 after 1 rate_limited slow | +1ms | send ada ⇒ 200
above its rate, so are a code, a template and an endpoint
  - code otp.send then: { limit: 1/10s }
  - template template.create then: { limit: 1/10s }
  - endpoint webhook.create then: { limit: 1/10s }
  code ada*2 ⇒ 200, 429 after 10 rate_limited code | submit a b ⇒ 200, 429 after 10 rate_limited template
  hook a b ⇒ 200, 429 after 10 rate_limited endpoint | +10s | code ada ⇒ 200 | submit b ⇒ 200 | hook b ⇒ 200
a bucket holds the burst, gives back one at a time in account time, and never more than it holds
  - slow message.send then: { limit: 3/300ms }
  send ada*4 ⇒ 200 x3, 429 after 1 rate_limited slow | +100ms | send ada*2 ⇒ 200, 429 after 1 rate_limited slow | +1h
  send ada*4 ⇒ 200 x3, 429 after 1 rate_limited slow
  see _sandbox/messages?limit=100 direction ⇒ outbound x7
a bucket per recipient
  - slow message.send per: phone, then: { limit: 1/m }
  send ada bob ada bob ⇒ 200 x2, 429 after 60 rate_limited slow x2
a batch is one call
  - slow message.send then: { limit: 1/m }
  batch ada bob ⇒ 200 ok ok | batch ada bob ⇒ 429 after 60 rate_limited slow
a bucket per recipient in a batch: each entry is charged to its own recipient, and refused alone
  - each message.send per: phone, then: { limit: 1/m }
  send bob ⇒ 200 | batch ada bob ada ⇒ 200 ok rate_limited rate_limited each
  called response.body.failed_count response.body.results.1.error.message ⇒ 2 Too many calls: rule each allows 1 per 60000 ms. The next one to this recipient is allowed in 60000 ms.
  see _sandbox/messages?to=ada to ⇒ +12025550110 | +1m | batch ada bob ⇒ 200 ok ok
a batch takes one token from every bucket that it concerns
  - first message.send match: { phone: ada }, then: { limit: 1/m }
  - rest message.send then: { limit: 2/m }
  batch bob bob ada ⇒ 200 ok ok ok | batch bob bob ⇒ 200 ok ok
  send bob ada ⇒ 429 after 30 rate_limited rest, 429 after 60 rate_limited first
a response names the rule that shaped it, not the limit that let it through
  - slow message.send then: { limit: 1/m }
  - blocked message.send then: { lifecycle: blocked }
  send ada*2 ⇒ 200 blocked, 429 after 60 rate_limited slow
magic numbers come after every rule, slot by slot
  send +12025550142 ⇒ 500 internal_error magic-42
  rule mine message.send then: { respond: { headers: { X-Mine: "yes" } } } | send +12025550142 ⇒ 200 mine
magic numbers come before the defaults of the scenario
  with defaults: { lifecycle: stuck }
  send +12025550100 ada ⇒ 200 magic-00, 200 | +1h
  see _sandbox/messages status explain.by explain.id ⇒ delivered magic magic-00, sent default defaults.lifecycle
a header may set any action of a message
  prefer lifecycle=blocked: ada ⇒ 200 X-Sandbox-Prefer | +3s | events message.status ⇒ sent 0s, failed 3s
  see _sandbox/messages explain.by ⇒ header
  prefer lifecycle=unread; inbound="OK; thanks": bob ⇒ 200 X-Sandbox-Prefer | +300ms
  history bob ⇒ accepted 3s, sent 3s, delivered 3s300ms | events message.received ⇒ OK; thanks 3s300ms
  prefer refuse=recipient_opted_out: ada ⇒ 400 recipient_opted_out X-Sandbox-Prefer
a header that is invalid is refused with what is allowed, and nothing happens
  prefer staus=500; retry_after=soon: ada ⇒ 400 validation_error | see _sandbox/messages id ⇒ nothing
  called response.body.error.details.0.field response.body.error.details.0.message ⇒ X-Sandbox-Prefer X-Sandbox-Prefer: staus: Unknown key "staus". Did you mean "status"? Allowed: status, refuse, code, message, retry_after, latency_real, fault_real, accept, lifecycle, review, after, reason, otp_code, attempts, expires, inbound, window.
the rule of each delivery is named
  - lost webhook.deliver match: { status: read }, then: { webhook: { drop: true } }
  send +12025550180 ⇒ 200 | +5s | see _sandbox/deliveries explain.by explain.id ⇒ magic magic-80 x2, rule lost
without a rule, the default is named
  send ada ⇒ 200 | called explain.by ⇒ default | see _sandbox/messages explain.by ⇒ default
`),
)('%s', (_name, lines) => playStory(sandbox, lines));
