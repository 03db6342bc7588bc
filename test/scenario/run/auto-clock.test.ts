/** An auto clock: it jumps from one thing that pulls it to the next. */
import { it } from 'vitest';
import { useSandbox } from '../../support/sandbox.js';
import { startMs } from '../../support/scenes.js';
import { playStory, storiesOf } from './stories.js';

const { sandbox } = useSandbox({ clock: { mode: 'auto', scale: 1, startMs } });

it.each(
  storiesOf(String.raw`
lifecycles of days are over at once, at their own instants
  - slow message.send then: { lifecycle: next_day }
  send ada ⇒ 200 slow | call GET /_sandbox/wait?timeout=10s&for=event&type=message.status&count=2 ⇒ 200
  events message.status ⇒ sent 0s, delivered 1d1h
  see _sandbox/clock mode now ⇒ auto 2026-03-02T10:00:00.000Z
  call GET /_sandbox/wait?timeout=10s&for=delivery&state=delivered&count=2 ⇒ 200
reviews and replies of customers pull
  - review template.review then: { review: { status: approved, after: 20h } }
  - replies message.send then: { inbound: { after: 90s, text: OK } }
  submit mine ⇒ 200 review | call GET /_sandbox/wait?timeout=10s&for=event&type=template.status ⇒ 200
  call POST /_sandbox/idle ⇒ 200 | see _sandbox/templates?name=mine status ⇒ approved | see _sandbox/clock now ⇒ 2026-03-02T05:00:00.000Z
  send ada ⇒ 200 replies | call GET /_sandbox/wait?timeout=10s&for=event&type=message.received ⇒ 200
  see _sandbox/clock now ⇒ 2026-03-02T05:01:30.000Z
deadlines never pull: the expiry of a code, the end of a window, and what is judged later
  with expect: [{ at: +5h, that: messages, max: 9 }]
  - sent otp.send then: { lifecycle: [{ sent: 0s }] }
  code ada ⇒ 200 sent | says ada Hi | call GET /_sandbox/wait?timeout=10s&for=delivery&state=delivered ⇒ 200
  call POST /_sandbox/idle ⇒ 200 | see _sandbox/clock now ⇒ 2026-03-01T09:00:00.000Z | text ada ⇒ 200 | see _sandbox/otps state ⇒ active
retries never pull: a receiver that is down for a moment lets no hour pass
  fails 2 | says ada Hi | call GET /_sandbox/wait?timeout=10s&for=delivery&state=retrying ⇒ 200
  call POST /_sandbox/idle ⇒ 200 | see _sandbox/clock now ⇒ 2026-03-01T09:00:00.000Z
the steps of a timeline pull
  with timeline: [{ at: +5m, inbound: { phone: ada, text: Hello? } }, { at: +6h, inbound: { phone: ada, text: Still there? } }]
  call GET /_sandbox/wait?timeout=10s&for=event&type=message.received&count=2 ⇒ 200 | see _sandbox/clock now ⇒ 2026-03-01T15:00:00.000Z
what lies before the next progress happens on the way, retries included
  - slow message.send then: { lifecycle: [{ sent: 0s }, { delivered: 10m }] }
  fails 1 | send ada ⇒ 200 slow | call GET /_sandbox/wait?timeout=10s&for=delivery&state=delivered&count=2 ⇒ 200
  see _sandbox/sink/app/received at answered ⇒ 2026-03-01T09:00:00.000Z 500, 2026-03-01T09:01:00.000Z 200, 2026-03-01T09:10:00.000Z 200
a scenario sets its start
  with clock: 2030-01-01T00:00:00Z
  send ada ⇒ 200 | call GET /_sandbox/wait?timeout=10s&for=event&type=message.status&count=3 ⇒ 200
  see _sandbox/clock now ⇒ 2030-01-01T00:00:01.000Z
`),
)('%s', (_name, lines) => playStory(sandbox, lines));
