#!/usr/bin/env bash
# Sends what lies in the outbox; what failed stays there for the next call.
box="$SANDBOX_TMP/outbox"; sent="$SANDBOX_TMP/sent"; mkdir -p "$sent"
for note in "$box"/*; do
  [ -e "$note" ] || continue
  read -r to text < "$note"
  [ "$BUG" = moves-first ] && mv "$note" "$sent/"
  body=$(printf '{"to":"%s","type":"template","template":{"name":"notice","language":"en","variables":["%s"]}}' "$to" "$text")
  status=$(curl -s -m 5 -o "$SANDBOX_TMP/answer" -w '%{http_code}' -X POST "$MESSAGING_BASE_URL/v1/messages" -H "Authorization: Bearer $MESSAGING_API_KEY" -H 'Content-Type: application/json' -d "$body")
  rc=$?
  [ "$BUG" = moves-first ] && continue
  case "$rc:$status" in
    0:200) mv "$note" "$sent/" ;;
    0:429|0:503) [ "$BUG" = ignores-status ] && mv "$note" "$sent/" || echo "later: $to" >&2 ;;
    0:4*) mkdir -p "$SANDBOX_TMP/refused"; mv "$note" "$SANDBOX_TMP/refused/" ;;
    *) if [ "$BUG" = again ]; then echo "again: $to" >&2; else mkdir -p "$SANDBOX_TMP/unclear"; mv "$note" "$SANDBOX_TMP/unclear/"; fi ;;
  esac
done
exit 0
