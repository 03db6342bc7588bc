#!/usr/bin/env bash
# Installs what test/generators runs, each with the ordinary client of its language, into
# GENERATOR_TOOLS (default: ~/.cache/messaging-sandbox/generators). A tool that cannot be installed is named and left out;
# its tests are then skipped. Installed tools are kept, so a second run is quick. The exit code is always 0.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools=${GENERATOR_TOOLS:-$HOME/.cache/messaging-sandbox/generators}
openapi_generator=7.25.0
mkdir -p "$tools"

has() { command -v "$1" >/dev/null; }

# install NAME FILE COMMAND…: runs the command unless the file is there already.
install() {
  local name=$1 file=$2
  shift 2
  if [[ -e "$tools/$file" ]]; then
    echo "$name: kept"
  elif "$@" >"$tools/install.log" 2>&1 </dev/null; then
    echo "$name: installed"
  else
    echo "$name: NOT INSTALLED: $(tail -n 1 "$tools/install.log")"
  fi
}

from_go() { has go && GOBIN=$tools/bin go install "$1"; }

from_pip() {
  has python3 && { [[ -x "$tools/venv/bin/pip" ]] || python3 -m venv "$tools/venv"; } &&
    "$tools/venv/bin/pip" install --quiet --disable-pip-version-check "$@"
}

from_npm() { npm install --prefix "$tools/npm" --no-audit --no-fund --ignore-scripts "$@"; }

from_maven() {
  has mvn && has javac && mvn -q dependency:copy -Dmdep.stripVersion=true -DoutputDirectory="$tools" \
    -Dartifact="org.openapitools:openapi-generator-cli:$openapi_generator"
}

# The libraries that a generated client names in its own project file.
java_libraries() {
  local client=$tools/java-client
  java -jar "$tools/openapi-generator-cli.jar" generate -i openapi.yaml -g java --library okhttp-gson -o "$client" &&
    mvn -q -f "$client/pom.xml" dependency:copy-dependencies -DincludeScope=compile \
      -DoutputDirectory="$tools/java-libraries"
}

install oapi-codegen bin/oapi-codegen from_go github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
install openapi-python-client venv/bin/openapi-python-client from_pip openapi-python-client==0.29.1 ruff
install redocly npm/node_modules/.bin/redocly from_npm @redocly/cli@2
install spectral npm/node_modules/.bin/spectral from_npm @stoplight/spectral-cli@6
install openapi-generator openapi-generator-cli.jar from_maven
install "libraries of a generated Java client" java-libraries java_libraries
