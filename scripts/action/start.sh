#!/usr/bin/env bash
# What action.yml runs: installs the package, starts the server in the background, waits for its "Ready." and hands on where
# it listens. The runner ends it with the job.
set -euo pipefail

log=${RUNNER_TEMP:-/tmp}/messaging-sandbox-${INPUT_PORT}.log
patience=60

lines() { # of a text, without empty ones, into the array `read_lines`
  read_lines=()
  local line
  while IFS= read -r line; do [[ $line ]] && read_lines+=("$line"); done <<<"$1"
  return 0
}

lines "$INPUT_COMMAND"
command=("${read_lines[@]+"${read_lines[@]}"}")
if ! ((${#command[@]})); then
  # npx would stand between: its process id is not the server's, and a signal to it leaves the server running.
  home=${RUNNER_TEMP:-/tmp}/messaging-sandbox-package
  npm install --prefix "$home" --no-save --no-audit --no-fund --loglevel=error "messaging-sandbox@$INPUT_VERSION"
  command=(node "$home/node_modules/messaging-sandbox/dist/cli/main.js")
fi
# For later steps, such as "messaging-sandbox verdict".
bin=${RUNNER_TEMP:-/tmp}/messaging-sandbox-bin
mkdir -p "$bin"
{
  echo '#!/usr/bin/env bash'
  printf 'exec'
  printf ' %q' "${command[@]}"
  echo ' "$@"'
} >"$bin/messaging-sandbox"
chmod +x "$bin/messaging-sandbox"
[[ ${GITHUB_PATH:-} ]] && echo "$bin" >>"$GITHUB_PATH"
lines "$INPUT_FLAGS"
flags=("${read_lines[@]+"${read_lines[@]}"}")

[[ $INPUT_SCENARIO ]] && export SANDBOX_SCENARIO=$INPUT_SCENARIO
# A job can have another PORT and SANDBOX_PORT; the input is meant.
# The background creates its file in its own time; the loop below reads it at once.
: >"$log"
nohup "${command[@]}" start --port "$INPUT_PORT" "${flags[@]+"${flags[@]}"}" >"$log" 2>&1 </dev/null &
sandbox=$!

for ((waited = 0; waited < patience * 10; waited += 1)); do
  url=$(sed -nE 's/^.*listening on (http:[^ ]+)\. Ready\.$/\1/p' "$log")
  if [[ $url ]]; then
    {
      echo "url=$url"
      echo "api-key=$INPUT_API_KEY"
      echo "log=$log"
      echo "pid=$sandbox"
    } >>"$GITHUB_OUTPUT"
    echo "messaging-sandbox is ready at $url"
    exit 0
  fi
  kill -0 "$sandbox" 2>/dev/null || break
  sleep 0.1
done

cat "$log"
if kill -0 "$sandbox" 2>/dev/null; then
  kill "$sandbox"
  echo "::error title=messaging-sandbox::It was not ready within $patience s; what it said stands above."
else
  echo "::error title=messaging-sandbox::It ended before it was ready; what it said stands above."
fi
exit 1
