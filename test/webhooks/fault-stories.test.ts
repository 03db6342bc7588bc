/** When faults strike: in a delivery as a whole, in later attempts, and in redeliveries. */
import { it } from 'vitest';
import { playStory, storiesOf } from '../scenario/run/stories.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const { sandbox } = useSandbox({ clock: frozen });

it.each(
  storiesOf(String.raw`
delay: account time before the first attempt; the retry counts from there
  - fault webhook.deliver match: { attempts: '1' }, then: { webhook: { delay: 5m } }
  fails 1 | says ada Hi | +0s
  see _sandbox/deliveries state next_attempt_at faults ⇒ pending 2026-03-01T09:05:00.000Z ["delayed"]
  +1h | see _sandbox/sink/app/received at ⇒ 2026-03-01T09:05:00.000Z, 2026-03-01T09:06:00.000Z
drop: never made, but on record, with the reason
  - fault webhook.deliver then: { webhook: { drop: true } }
  says ada Hi | +48h | see _sandbox/sink/app/received id ⇒ nothing
  see _sandbox/deliveries state attempts explain.by explain.id ⇒ dropped [] rule fault
  see _sandbox/clock pending ⇒ 0
hold_until a status: a later one goes out after it
  - fault webhook.deliver match: { status: delivered }, then: { webhook: { hold_until: { status: read } } }
  send ada ⇒ 200 | +999ms | see _sandbox/deliveries state next_attempt_at ⇒ delivered null, pending null
  +1ms | see _sandbox/sink/app/received json.data.status at ⇒ sent 2026-03-01T09:00:00.000Z, read 2026-03-01T09:00:01.000Z, delivered 2026-03-01T09:00:01.000Z
hold_until a status: one that was reported already holds nothing
  - fault webhook.deliver match: { status: read }, then: { webhook: { hold_until: { status: sent } } }
  send ada ⇒ 200 | +1s | see _sandbox/sink/app/received json.data.status at ⇒ sent 2026-03-01T09:00:00.000Z, delivered 2026-03-01T09:00:00.300Z, read 2026-03-01T09:00:01.000Z
hold_until holds nothing but statuses of messages
  - fault webhook.deliver then: { webhook: { hold_until: { status: read } } }
  says ada Hi | +0s | see _sandbox/deliveries state ⇒ delivered
a rule that names no attempt decides a delivery once, and counts deliveries
  - fault webhook.deliver pick: { calls: 2 }, then: { webhook: { drop: true } }
  - late webhook.deliver then: { webhook: { delay: 5m, signature: wrong_secret } }
  fails 1 | says ada Hi | +6m | says ada Hi | +0s
  see _sandbox/deliveries state attempts.at ⇒ delivered ["2026-03-01T09:05:00.000Z","2026-03-01T09:06:00.000Z"], dropped []
  see _sandbox/sink/app/received signature_valid ⇒ false x2
a signature is wrong in every attempt under a rule that fits every attempt
  - fault webhook.deliver match: { attempts: '*' }, then: { webhook: { signature: wrong_secret } }
  fails 1 | says ada Hi | +1m | see _sandbox/sink/app/received signature_valid ⇒ false x2
a simulated 2xx delivers without contacting the receiver
  - fault webhook.deliver then: { webhook: { receiver: { simulate: 204 } } }
  says ada Hi | +0s | see _sandbox/sink/app/received id ⇒ nothing
  see _sandbox/deliveries state attempts.status ⇒ delivered [204]
a later attempt is decided anew
  - down webhook.deliver pick: { calls: 1..3 }, then: { webhook: { receiver: { simulate: 503 } } }
  - forged webhook.deliver match: { attempts: '4' }, then: { webhook: { signature: missing } }
  fails 1 | says ada Hi | +2h | see _sandbox/deliveries attempts.status ⇒ [503,503,503,500,200]
  see _sandbox/sink/app/received signature_valid ⇒ false, true
a later attempt is put off by delay, and the schedule goes on from there
  - fault webhook.deliver match: { attempts: '2' }, then: { webhook: { delay: 10m } }
  fails 2 | says ada Hi | +1m
  see _sandbox/deliveries state next_attempt_at attempts.at explain.by explain.id ⇒ retrying 2026-03-01T09:11:00.000Z ["2026-03-01T09:00:00.000Z"] rule fault
  +15m | see _sandbox/deliveries state next_attempt_at attempts.at attempts.status ⇒ delivered null ["2026-03-01T09:00:00.000Z","2026-03-01T09:11:00.000Z","2026-03-01T09:16:00.000Z"] [500,500,200]
a later attempt has what else the rule says of it when it is made
  - fault webhook.deliver match: { attempts: '2' }, active: { before: 2m }, then: { webhook: { delay: 10m, signature: wrong_secret } }
  fails 1 | says ada Hi | +11m | see _sandbox/sink/app/received signature_valid ⇒ true, false
  see _sandbox/scenario rules.hits ⇒ [1]
a later attempt is given up by drop, with the delivery
  - fault webhook.deliver match: { attempts: { min: 2 } }, then: { webhook: { drop: true } }
  fails 1 | says ada Hi | +2h
  see _sandbox/deliveries state next_attempt_at attempts.at explain.by explain.id faults ⇒ dropped null ["2026-03-01T09:00:00.000Z"] rule fault ["dropped"]
  see _sandbox/clock pending ⇒ 0
a later attempt waits for the status that hold_until names
  - fault webhook.deliver match: { status: sent, attempts: '2' }, then: { webhook: { hold_until: { status: read } } }
  - later message.send then: { lifecycle: [{ sent: 0s }, { read: 1h }] }
  fails 1 | send ada ⇒ 200 later | +59m | see _sandbox/deliveries state next_attempt_at attempts.at ⇒ retrying null ["2026-03-01T09:00:00.000Z"]
  +1m | see _sandbox/deliveries state attempts.at attempts.status ⇒ delivered ["2026-03-01T09:00:00.000Z","2026-03-01T10:00:00.000Z"] [500,200], delivered ["2026-03-01T10:00:00.000Z"] [200]
a later attempt that was put off does not hold up a redelivery
  - fault webhook.deliver match: { attempts: '2' }, then: { webhook: { delay: 10m } }
  fails 2 | says ada Hi | +11m | call GET /_sandbox/events ⇒ 200 | call POST /_sandbox/events/$id/redeliver ⇒ 200 | +0s
  see _sandbox/deliveries attempts.at attempts.status ⇒ ["2026-03-01T09:00:00.000Z","2026-03-01T09:11:00.000Z","2026-03-01T09:11:00.000Z"] [500,500,200]
a redelivery takes the slot of its call for all of its attempts, as an event on demand does
  fails 1 | call POST /_sandbox/events { type: otp.verified, webhook: { body: truncate } } ⇒ 200 | +1m
  call GET /_sandbox/events ⇒ 200
  call POST /_sandbox/events/$id/redeliver { webhook: { body: truncate } } ⇒ 200 | +0s
  call GET /_sandbox/events ⇒ 200 | call POST /_sandbox/events/$id/redeliver ⇒ 200 | +0s
  see _sandbox/sink/app/received signature_valid json.type ⇒ true - x3, true otp.verified
a redelivery is made as often as duplicate says
  - later message.send then: { lifecycle: [{ sent: 0s }, { read: 1h }] }
  send ada ⇒ 200 later | +0s | call GET /_sandbox/events ⇒ 200
  call POST /_sandbox/events/$id/redeliver { webhook: { duplicate: 2 } } ⇒ 200 | +0s
  see _sandbox/deliveries attempts.number ⇒ [1,2], [1] x2
  call GET /_sandbox/deliveries ⇒ 200
  call POST /_sandbox/deliveries/$id/redeliver { webhook: { duplicate: 1 } } ⇒ 200 | +0s
  see _sandbox/deliveries attempts.number ⇒ [1,2,3], [1] x3
a redelivery waits for the status that hold_until of its call names, and stays one
  - later message.send then: { lifecycle: [{ sent: 0s }, { read: 1h }] }
  send ada ⇒ 200 later | +0s | call GET /_sandbox/events ⇒ 200
  call POST /_sandbox/events/$id/redeliver { webhook: { hold_until: { status: read } } } ⇒ 200 | +59m
  see _sandbox/sink/app/received json.data.status ⇒ sent
  +1m | see _sandbox/sink/app/received json.data.status ⇒ sent, read, sent
  see _sandbox/deliveries attempts.trigger ⇒ ["schedule","redelivery"], ["schedule"]
a redelivery waits for the status that hold_until of a rule names, and stays one
  - fault webhook.deliver match: { attempts: '2' }, then: { webhook: { hold_until: { status: read } } }
  - later message.send then: { lifecycle: [{ sent: 0s }, { read: 1h }] }
  send ada ⇒ 200 later | +0s | call GET /_sandbox/events ⇒ 200 | call POST /_sandbox/events/$id/redeliver ⇒ 200 | +59m
  see _sandbox/sink/app/received json.data.status ⇒ sent
  +1m | see _sandbox/sink/app/received json.data.status ⇒ sent, read, sent
  see _sandbox/deliveries attempts.trigger ⇒ ["schedule","redelivery"], ["schedule"]
a redelivery of what was not made yet goes out plainly, and its attempt names no rule
  - fault webhook.deliver then: { webhook: { delay: 5m, signature: missing } }
  with expect: [{ at: finish, that: attempts, where: { rule: fault }, count: 0 }]
  says ada Hi | call GET /_sandbox/events ⇒ 200 | call POST /_sandbox/events/$id/redeliver ⇒ 200 | +0s
  see _sandbox/sink/app/received signature_valid ⇒ true
  see _sandbox/deliveries attempts.number attempts.trigger attempts.explain ⇒ [1] ["redelivery"] [null]
  see _sandbox/verdict passed ⇒ true
a redelivery cannot be dropped in the same call
  says ada Hi | call GET /_sandbox/events ⇒ 200
  call POST /_sandbox/events/$id/redeliver { webhook: { drop: true } } ⇒ 400 validation_error
  told error.details.field ⇒ ["webhook.drop"]
`),
)('%s', (_name, lines) => playStory(sandbox, lines));
