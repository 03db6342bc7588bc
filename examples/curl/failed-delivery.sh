#!/bin/sh
# A delivery that fails, is tried again, and arrives. Needs curl and a running sandbox:
#   npx messaging-sandbox start    and then    sh examples/curl/failed-delivery.sh
set -eu
base=${MESSAGING_BASE_URL:-http://127.0.0.1:4242}
key=${MESSAGING_API_KEY:-curl-example}

call() { # METHOD PATH [JSON]
  method=$1 path=$2
  shift 2
  if [ $# -gt 0 ]; then set -- -H 'Content-Type: application/json' -d "$1"; fi
  curl --silent --show-error --fail-with-body -X "$method" -H "Authorization: Bearer $key" "$@" "$base$path"
}

call POST /_sandbox/reset '{}'
call PUT /_sandbox/clock '{"mode":"frozen"}' > /dev/null

# Register a webhook, as your application would. This receiver is built into the sandbox.
call POST /v1/webhooks '{"url":"https://sink.sandbox/app","events":["message.received"]}' > /dev/null
call PUT /_sandbox/sink/app '{"respond":[{"status":503,"times":1},{"status":200}]}' > /dev/null

# A customer writes. The receiver fails, so the sandbox tries again after a minute.
call POST /_sandbox/inbound '{"from":"+12025550123","text":"Where is my order?"}' > /dev/null
call POST /_sandbox/clock/advance '{"by":"1m"}' > /dev/null

tries=$(call GET /_sandbox/sink/app/received | grep -o '"signature_valid":true' | wc -l)
delivered=$(call GET '/_sandbox/deliveries?state=delivered' | grep -c '"state":"delivered"')
[ "$tries" -eq 2 ] || { echo "expected 2 signed requests, got $tries" >&2; exit 1; }
[ "$delivered" -eq 1 ] || { echo "the delivery did not arrive" >&2; exit 1; }
echo "2 signed requests, delivered at the second try"
