/** What a scenario gives an account: templates, customers and webhooks, and the defaults for what no rule decides. */
import { it } from 'vitest';
import { useSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { playStory, storiesOf } from './stories.js';

const { sandbox } = useSandbox({ clock: frozen });

it.each(
  storiesOf(String.raw`
templates exist in any state, with reasons, and an approved one can be sent at once
  call PUT /_sandbox/scenario { version: 1, given: { templates: [{ name: bad, category: marketing, language: en, body: Hi, status: rejected, because: Shouts. }, { name: waiting, category: utility, language: en, body: Hi, status: pending }, { name: resting, category: utility, language: en, body: Hi, status: paused }] } } ⇒ 200
  see _sandbox/templates name status rejection_reason ⇒ order_shipped approved null, login approved null, bad rejected Shouts., waiting pending null, resting paused null
  send ada ⇒ 200 | code ada ⇒ 200 | events template.status ⇒ nothing
templates are merged by name with what the account has
  call PUT /_sandbox/scenario { version: 1, given: { templates: [{ name: order_shipped, category: utility, language: en, body: New words, status: paused }] } } ⇒ 200
  see _sandbox/templates name body status ⇒ order_shipped New words paused, login null approved
customers have names and windows, to the millisecond; the default is for those of whom nothing is given
  call PUT /_sandbox/scenario { version: 1, defaults: { window: open }, given: { customers: [{ phone: ada, name: Ada, window: -23h59m }, { phone: bob, window: open }, { phone: grace, window: closed }, { phone: "+12025550113", window: -25h }] } } ⇒ 200
  see _sandbox/customers/ada profile_name window.open window.closes_at last_inbound_at ⇒ Ada true 2026-03-01T09:01:00.000Z 2026-02-28T09:01:00.000Z
  text ada bob grace +12025550113 +12025550114 ⇒ 200 x2, 400 send_failed x2, 200
  +1m | text ada bob grace +12025550113 +12025550114 ⇒ 400 send_failed, 200, 400 send_failed x2, 200
  events message.received ⇒ nothing
webhooks are registered with their secret, and go by their alias
  - lost webhook.deliver match: { alias: app }, then: { webhook: { drop: true } }
  hook second ⇒ 200 | says ada Hi | +0s | see _sandbox/deliveries url state ⇒ https://sink.sandbox/app dropped, https://sink.sandbox/second delivered
  see _sandbox/webhooks alias status ⇒ app active, - active
  call GET /_sandbox/webhooks ⇒ 200 | told items.0.secret ⇒ whsec_fixed_for_tests
  call PUT /_sandbox/scenario { version: 1, given: { webhooks: [{ alias: app, url: "https://sink.sandbox/app", events: [message.status], status: paused }] } } ⇒ 200
  see _sandbox/webhooks url status events ⇒ https://sink.sandbox/app paused ["message.status"], https://sink.sandbox/second active ["message.received"]
a webhook that is given although the account has it begins a run of failures of its own: the deadline of the one before does not pause it
  fails 99 | says ada Hi | +23h
  call PUT /_sandbox/scenario { version: 1, given: { webhooks: [{ alias: app, url: "https://sink.sandbox/app", events: [message.received] }] } } ⇒ 200
  +2h | see _sandbox/webhooks status ⇒ active | +24h | see _sandbox/webhooks status ⇒ paused
a webhook that is given paused gets nothing any more: what it was owed is held
  fails 99 | says ada Hi | +0s
  call PUT /_sandbox/scenario { version: 1, given: { webhooks: [{ alias: app, url: "https://sink.sandbox/app", events: [message.received], status: paused }] } } ⇒ 200
  +2h | see _sandbox/webhooks status pause_reason ⇒ paused Paused by the scenario.
  see _sandbox/sink/app/received answered ⇒ 500 | see _sandbox/deliveries state next_attempt_at ⇒ held null
defaults: lifecycle and review for whatever nobody else decided
  with defaults: { lifecycle: [{ sent: 0s }, { failed: 5s }], review: { status: rejected, after: 1h } }
  send ada ⇒ 200 | submit mine ⇒ 200 | +1h | events message.status ⇒ sent 0s, failed 5s
  see _sandbox/messages error.code explain.by explain.text ⇒ unknown_error default The scenario's defaults.lifecycle applies.
  see _sandbox/templates?name=mine status ⇒ rejected
`),
)('%s', (_name, lines) => playStory(sandbox, lines));
