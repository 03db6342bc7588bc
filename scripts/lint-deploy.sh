#!/usr/bin/env bash
# Checks what `npm test` cannot check without other tools: workflows by actionlint (and shellcheck, where installed),
# manifests by the schemas of Kubernetes, and the shell scripts. What is not installed is reported and left out;
# --require makes that a failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

require=0
[[ ${1:-} != --require ]] || require=1
skipped=0
has() { # program, what is not checked without it
  command -v "$1" >/dev/null && return 0
  echo "NOT RUN: $2, because $1 is not installed" >&2
  skipped=1
  return 1
}

bash -n .ci/run scripts/*.sh scripts/action/*.sh
echo 'PASS the shell scripts can be read'

if has go 'workflows and manifests'; then
  export GOFLAGS=-mod=mod
  go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
  echo 'PASS the workflows (actionlint)'

  if has kubectl 'the kustomizations'; then
    made=$(mktemp -d)
    trap 'rm -rf "$made"' EXIT
    cp deploy/kubernetes/sandbox.yaml "$made/plain.yaml"
    kubectl kustomize deploy/kubernetes >"$made/base.yaml"
    # Strict: a field that the schemas do not know is an error, not a note.
    go run sigs.k8s.io/kubectl-validate@v0.0.4 --version 1.30 "$made"
    echo 'PASS the manifests (kubectl-validate)'
  fi
fi

((skipped == 0 || require == 0))
