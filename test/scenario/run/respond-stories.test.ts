/** What a scripted response is made of, and what happens behind it. */
import { it } from 'vitest';
import { useSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { playStory, storiesOf } from './stories.js';

const { sandbox } = useSandbox({ clock: frozen });

it.each(
  storiesOf(String.raw`
a status alone has the code that it usually has
  - strike message.send match: { phone: ada }, then: { respond: { status: 429 } }
  - strange message.send match: { phone: bob }, then: { respond: { status: 418 } }
  - method message.send match: { phone: grace }, then: { respond: { status: 405 } }
  send ada bob grace ⇒ 429 after 1 rate_limited strike, 418 error strange, 405 method_not_allowed method
a code alone has its status, and an unknown one 500
  - late message.send match: { phone: ada }, then: { respond: { code: otp_expired } }
  - own message.send match: { phone: bob }, then: { respond: { code: nobody_knows } }
  - words message.send match: { phone: grace }, then: { respond: { message: Because. } }
  send ada bob grace ⇒ 410 otp_expired late, 500 nobody_knows own, 500 internal_error words | told error.message ⇒ Because.
retry_after alone is a rate limit; a status beside it stays
  - strike message.send match: { phone: ada }, then: { respond: { retry_after: 1m } }
  - words message.send match: { phone: bob }, then: { respond: { retry_after: 1m, message: Later. } }
  - down message.send match: { phone: grace }, then: { respond: { retry_after: 1m, status: 503 } }
  send ada bob grace ⇒ 429 after 60 rate_limited strike, 429 after 60 rate_limited words, 503 after 60 service_unavailable down
a status of success alone is the same response under that status: the message is sent
  - strike message.send then: { respond: { status: 202 } }
  send ada ⇒ 202 strike | told status ⇒ accepted | see _sandbox/messages direction ⇒ outbound
a redirect, and a delay that says so, stand for the operation
  - moved message.send match: { phone: ada }, then: { respond: { status: 302 } }
  - late message.send match: { phone: bob }, then: { respond: { latency_real: 1ms, accept: false } }
  send ada ⇒ 302 moved | send bob ⇒ 500 internal_error late | see _sandbox/messages id ⇒ nothing
a whole body instead of the envelope, as it is written
  - strike message.send then: { respond: { status: 200, body: { fault: [{ id: 7 }, null, ü] } } }
  send ada ⇒ 200 strike | told fault ⇒ [{"id":7},null,"ü"] | called response.headers.Content-Type ⇒ application/json; charset=utf-8
a body alone is a response of success, and nothing happens behind it
  - strike message.send then: { respond: { body: { text: none } } }
  send ada ⇒ 200 strike | told text ⇒ none | see _sandbox/messages id ⇒ nothing
headers alone leave operation and response alone
  - strike message.send then: { respond: { headers: { X-Trace: abc } } }
  send ada ⇒ 200 strike | told status ⇒ accepted | called response.headers.X-Trace ⇒ abc | see _sandbox/messages direction ⇒ outbound
an error of the service keeps its own words when the rule only adds a header
  - strike message.send then: { respond: { headers: { X-Trace: abc } } }
  text ada ⇒ 400 send_failed strike | called error response.headers.X-Trace ⇒ send_failed abc
a response seen by its status, at api.any, is changed after the operation happened
  - lost api.any match: { method: POST, status: 2xx }, then: { respond: { status: 502 } }
  send ada ⇒ 502 bad_gateway lost | see _sandbox/messages direction ⇒ outbound | called status error explain.id ⇒ 502 bad_gateway lost
  call GET /v1/webhooks ⇒ 200
a response seen by its status may be an error of the service
  - hush api.any match: { status: 404 }, then: { respond: { status: 200, body: {} } }
  call GET /v1/messages/8a1e9f6e-7d5c-4b1e-9d59-0f6b62a4c001 ⇒ 200 hush | called error response.body ⇒ - {}
`),
)('%s', (_name, lines) => playStory(sandbox, lines));
