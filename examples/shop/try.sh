#!/bin/sh
# One order through the two containers of compose.yaml, from the shop's counter to the customer's answer. Needs curl.
set -eu
shop=${SHOP_URL:-http://127.0.0.1:${SHOP_PORT:-3000}}
sandbox=${MESSAGING_BASE_URL:-http://127.0.0.1:${SANDBOX_PORT:-4242}}
key='Authorization: Bearer shop'
phone=+12025550123

post() { # PATH JSON
  curl --silent --show-error --fail-with-body -H 'Content-Type: application/json' -d "$2" "$shop$1"
}
# The sandbox answers as soon as it has happened.
await() { # QUERY
  curl --silent --show-error --fail-with-body --output /dev/null -H "$key" "$sandbox/_sandbox/wait?timeout=30s&$1"
}

post /orders "{\"number\":\"A-17\",\"phone\":\"$phone\",\"name\":\"Ada\"}"
echo
post /orders/A-17/ship '{}'
await "for=message&type=template&status=read"
await "for=message&type=text&status=read" # the customer wrote, and the shop answered
curl --silent --show-error --fail-with-body "$shop/orders/A-17"
echo
curl --silent --show-error --fail-with-body -H "$key" "$sandbox/_sandbox/customers/$phone/messages" \
  | grep -o '"text":"[^"]*",' # what the customer sees, both ways
verdict=$(curl --silent --show-error --fail-with-body -H "$key" "$sandbox/_sandbox/verdict?accounts=all")
echo "$verdict" | grep -o '"passed":[a-z]*' | head -n 1
case $verdict in '{"passed":true'*) ;; *) exit 1 ;; esac # a failed verdict fails the script
