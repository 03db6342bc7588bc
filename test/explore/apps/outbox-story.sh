#!/usr/bin/env bash
here=$(dirname "$0"); mkdir -p "$SANDBOX_TMP/outbox"
hour() { curl -sf -X POST "$MESSAGING_BASE_URL/_sandbox/clock/advance" -H "Authorization: Bearer $MESSAGING_API_KEY" -H 'Content-Type: application/json' -d '{"by":"1h"}' >/dev/null; }
curl -sf -X PUT "$MESSAGING_BASE_URL/_sandbox/clock" -H "Authorization: Bearer $MESSAGING_API_KEY" -H 'Content-Type: application/json' -d '{"mode":"frozen"}' >/dev/null
echo "+12025550110 May" > "$SANDBOX_TMP/outbox/a"; echo "+12025550111 May" > "$SANDBOX_TMP/outbox/b"
"$here/outbox.sh"; hour
echo "+12025550112 June" > "$SANDBOX_TMP/outbox/c"
"$here/outbox.sh"; hour; "$here/outbox.sh"; hour; "$here/outbox.sh"; hour; "$here/outbox.sh"
printf '{"sent":%s,"left":%s,"refused":%s,"unclear":%s}\n' "$(ls "$SANDBOX_TMP/sent" | wc -l)" "$(ls "$SANDBOX_TMP/outbox" | wc -l)" "$(ls "$SANDBOX_TMP/refused" 2>/dev/null | wc -l)" "$(ls "$SANDBOX_TMP/unclear" 2>/dev/null | wc -l)"
