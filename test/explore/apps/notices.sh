#!/bin/bash
# Notices as a shell script: sends two with curl, and writes a log, which is all that it says. FAULT plants one mistake;
# without it the application is right.
log=$LOGS/$MESSAGING_API_KEY.log
head=$LOGS/$MESSAGING_API_KEY.head
say() { echo "$(date '+%F %T,%3N') $*" >>"$log"; }

notify() {
  local body="{\"to\":\"$1\",\"type\":\"template\",\"template\":{\"name\":\"notice\",\"language\":\"en\",\"variables\":[\"$2\"]}}"
  local code after
  for attempt in 1 2 3 4 5 6 7 8; do
    code=$(curl -s -m 4 -D "$head" -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $MESSAGING_API_KEY" \
      -H 'Content-Type: application/json' -d "$body" "$MESSAGING_BASE_URL/v1/messages") || code=none
    case $code in
    200) say "$2 is notified" && return ;;
    429 | 503)
      [ "$FAULT" = gives-up ] && return
      after=$(tr -d '\r' <"$head" | awk 'tolower($1) == "retry-after:" { print $2 }')
      say "$code, attempt $attempt: waiting ${after:-1}s for $2"
      sleep "${after:-1}"
      ;;
    4*) say "$2 is refused ($code)" && return ;;
    # Nobody knows whether it was taken: a person decides.
    *) [ "$FAULT" = blind-retry ] || { say "$2: outcome unknown ($code)" && return; } ;;
    esac
  done
  say "gave up on $2"
}

say start
notify +12025550111 Ada
notify +12025550112 Bob
say end
