/** What becomes of messages and templates by rules. */
import { expect, it } from 'vitest';
import { channelErrors } from '../../../src/domain/errors.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { playStory, storiesOf } from './stories.js';

const { sandbox } = useSandbox({ clock: frozen });

it.each(
  storiesOf(String.raw`
refuse: a single send is answered with the error, and no message exists
  - not-bob message.send match: { phone: bob }, then: { refuse: { code: undeliverable } }
  send bob ⇒ 400 undeliverable not-bob | called error explain.by explain.id response.body.error.message ⇒ undeliverable rule not-bob The message could not be delivered because the number is not reachable on the channel.
  see _sandbox/messages id ⇒ nothing | send ada ⇒ 200
refuse: a failure of the channel by its number
  - opted-out message.send then: { refuse: { code: 131050 } }
  batch ada ⇒ 200 recipient_opted_out opted-out | called response.body.results.0.error.channel_code ⇒ 131050
refuse: without a code and a message has those of any rejection
  - plain message.send then: { refuse: {} }
  send ada ⇒ 400 send_failed plain | called response.body.error.message ⇒ The message was rejected.
refuse: a conversation message too, but not before its window is checked
  - not-today message.send then: { refuse: { message: Not today. } }
  text ada ⇒ 400 send_failed not-today
  called response.body.error.message ⇒ The session window is closed: +12025550110 has not written within the last 24 hours. Send a template message instead.
  says ada Hi | text ada ⇒ 400 send_failed not-today | called response.body.error.message ⇒ Not today.
respond: the results of a batch come in reverse order, and everything happens as usual
  - turned message.send then: { respond: { results: reversed } }
  batch ada nobody bob ⇒ 200 ok validation_error ok turned | see _sandbox/messages to ⇒ +12025550110, +12025550111 | called response.body.results.0.to ⇒ +12025550111
refuse: in a batch only the entry fails; the others are sent, and results keep their order
  - not-bob message.send match: { phone: bob }, then: { refuse: { code: recipient_opted_out } }
  - not-grace message.send match: { phone: grace }, then: { refuse: { code: quota_used_up, message: Enough for today. } }
  batch ada bob grace nobody ⇒ 200 ok recipient_opted_out quota_used_up validation_error not-bob
  called response.body.recipient_count response.body.failed_count response.body.status response.body.results.0.to ⇒ 4 3 queued +12025550110
  called response.body.results.1 response.body.results.2 ⇒ {"to":"+12025550111","ok":false,"error":{"code":"recipient_opted_out","message":"The recipient has opted out of marketing messages from this business.","channel_code":131050}} {"to":"+12025550112","ok":false,"error":{"code":"quota_used_up","message":"Enough for today.","channel_code":null}}
  see _sandbox/messages to explain.by ⇒ +12025550110 default | send grace ⇒ 400 quota_used_up not-grace
refuse: a batch is answered as a whole if a rule responds for one of its recipients
  - down message.send match: { phone: bob }
  - blocked message.send match: { phone: ada }, then: { lifecycle: blocked }
  batch ada bob ⇒ 503 down down | see _sandbox/messages id ⇒ nothing
refuse: takes precedence over a magic number that responds, alone and in a batch
  - refuses message.send match: { phone: +12025550142 }, then: { refuse: { code: policy_blocked } }
  send +12025550142 ⇒ 400 policy_blocked refuses | batch ada +12025550142 ⇒ 200 ok policy_blocked refuses
refuse: comes before a rule that responds, which counts the call all the same
  - refuses message.send pick: { calls: 1 }, then: { refuse: { code: no_more, message: Enough. } }
  - answers message.send pick: { calls: 1..2 }
  send ada*3 ⇒ 400 no_more refuses, 503 down answers, 200
refuse: comes after a rule that responds, and counts the call all the same
  - answers message.send pick: { calls: 1 }
  - refuses message.send pick: { calls: '1..2' }, then: { refuse: { code: no_more, message: Enough. } }
  send ada*3 ⇒ 503 down answers, 400 no_more refuses, 200
refuse: comes after a response that is only changed
  - late message.send then: { respond: { headers: { X-Late: "yes" } } }
  - refuses message.send then: { refuse: { code: no_more, message: Enough. } }
  send ada ⇒ 400 no_more late
lifecycle: offsets count from acceptance, each step fires its event at its instant
  - fate message.send then: { lifecycle: [{ sent: 1s }, { delivered: 90s }, { read: 1h30m }] }
  send ada ⇒ 200 fate | see v1/messages/$id status ⇒ sent | +89999ms | see v1/messages/$id status ⇒ sent | +1ms
  see v1/messages/$id status ⇒ delivered
  +2h | history ada ⇒ accepted 0s, sent 1s, delivered 1m30s, read 1h30m
  events message.status ⇒ sent 1s, delivered 1m30s, read 1h30m | see _sandbox/messages explain.by explain.id ⇒ rule fate
lifecycle: events fire in any order, but the stored state never moves back
  - fate message.send then: { lifecycle: [{ read: 1s }, { delivered: 2s }, { sent: 3s }, { failed: 4s }] }
  send ada ⇒ 200 fate | +1m | events message.status ⇒ read 1s, delivered 2s, sent 3s, failed 4s
  history ada ⇒ accepted 0s, read 1s | see _sandbox/messages status error ⇒ read null
lifecycle: reports that a manual one overtook are skipped
  - fate message.send then: { lifecycle: [{ sent: 1s }, { delivered: 2s }, { read: 3s }] }
  send ada ⇒ 200 fate | +1s | call POST /_sandbox/messages/$id/status { status: failed } ⇒ 200 undeliverable | +1m
  events message.status ⇒ sent 1s, failed 1s
review: none, and a template that stays pending
  - owner template.review match: { name: promo_* }, then: { review: { status: pending } }
  submit promo_a ⇒ 200 owner | +29d | see v1/templates/$id status ⇒ pending | events template.status ⇒ nothing
  submit order_late ⇒ 200 | +1s | see v1/templates/$id status ⇒ approved
review: one made by hand stands, and the planned one does not come any more
  - owner template.review then: { review: { status: rejected, after: 2h } }
  submit promo_a ⇒ 200 owner | +5m | call POST /_sandbox/templates/$id/review { decision: approved } ⇒ 200
  +1d | see v1/templates/$id status ⇒ approved | events template.status ⇒ approved 5m
`),
)('%s', (_name, lines) => playStory(sandbox, lines));

it.each([
  ['happy', 'sent 0s, delivered 300ms, read 1s'],
  ['unread', 'sent 0s, delivered 300ms'],
  ['slow', 'sent 0s, delivered 10m, read 11m'],
  ['next_day', 'sent 0s, delivered 1d1h'],
  ['delivered_only', 'delivered 300ms'],
  ['out_of_order', 'sent 0s, read 1s, delivered 2s', 'sent 0s, read 1s'],
  ['duplicate', 'sent 0s, delivered 300ms, delivered 600ms, read 1s', 'sent 0s, delivered 300ms, read 1s'],
  ['stuck', 'sent 0s'],
  ['silent', 'nothing', ''],
  ['blocked', 'sent 0s, failed 3s'],
  ['failed_after_delivery', 'sent 0s, delivered 300ms, failed 10s'],
])('the preset %s: %s', async (preset, events, states = events) => {
  const rule = `- fate message.send then: { lifecycle: ${preset} }`;
  const history = ['accepted 0s', states].filter((part) => part !== '').join(', ');
  await playStory(sandbox, [
    ...[rule, 'send ada ⇒ 200 fate', '+48h'],
    ...[`events message.status ⇒ ${events}`, `history ada ⇒ ${history}`],
  ]);
});

it.each(
  channelErrors.flatMap((failure) => [failure.code, failure.channelCode].map((error) => [error, failure] as const)),
)('the failure %s', async (error, { code, channelCode, message }) => {
  expect(message).toMatch(/\.$/);
  await playStory(sandbox, [
    `- fate message.send then: { lifecycle: [{ failed: 5s, error: ${error} }] }`,
    'send ada ⇒ 200 fate | +5s',
    `see v1/messages/$id status error.code error.channel_code error.message ⇒ failed ${code} ${channelCode} ${message}`,
    `see _sandbox/events data.status data.error.channel_code ⇒ failed ${channelCode}`,
  ]);
});

it.each(
  storiesOf(String.raw`
review: a rejection with its reason after its time
  - owner template.review match: { name: promo_* }, then: { review: { status: rejected, after: 2h, because: Reads like a prize. } }
  submit promo_a ⇒ 200 owner | +7199999ms | see v1/templates/$id status rejection_reason ⇒ pending null
  +1ms
  see _sandbox/templates/$id status rejection_reason explain.by explain.id ⇒ rejected Reads like a prize. rule owner
  events template.status ⇒ rejected 2h
review: a submission that is refused has no review, and counts as none
  - down template.create pick: { calls: 1 }
  - owner template.review pick: { calls: 1 }, then: { review: { status: rejected, after: 1m } }
  submit promo_a ⇒ 503 down down
  call POST /v1/templates { name: promo_a, category: utility, language: en, body: "A gap before {{2}}" } ⇒ 400 validation_error
  submit promo_a promo_a promo_b ⇒ 200 owner, 409 template_exists, 200 | +1m
  see _sandbox/templates name status ⇒ order_shipped approved, login approved, promo_a rejected, promo_b approved
`),
)('%s', (_name, lines) => playStory(sandbox, lines));
