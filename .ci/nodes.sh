#!/usr/bin/env bash
# Installs, builds and tests a clean clone on each supported Node.js version.
# Usage: .ci/nodes.sh [version…] (default: 20.19 22 24).
# The npm package `node` provides the binaries, and the headers that native modules are compiled against.
# The variable CORE_TESTS overrides the list of test files to run.
set -u
repository=$(cd "$(dirname "$0")/.." && pwd)
core=${CORE_TESTS:-test/engines.test.ts test/build.test.ts test/http.test.ts test/operations.test.ts test/credentials.test.ts src/app src/commands src/kit src/database src/access src/http src/jmespath src/sdk src/upstream test/sdk-package.test.ts}
[ $# -gt 0 ] || set -- 20.19 22 24
failed=0
for version in "$@"; do
  work=$(mktemp -d)
  echo "== Node.js $version"
  (
    set -e
    cd "$work"
    npm install --silent --no-save --prefix node "node@$version" >/dev/null
    package=$(dirname "$(dirname "$(find "$work/node/node_modules" -type f -path '*/bin/node' -size +1M | head -1)")")
    export PATH="$package/bin:$PATH" npm_config_nodedir="$package"
    git clone --quiet "$repository" clone
    cd clone
    node --version
    npm ci >"$work/npm.log" 2>&1 || { cat "$work/npm.log"; exit 1; }
    if grep EBADENGINE "$work/npm.log"; then exit 1; fi
    npm run --silent build
    # shellcheck disable=SC2086
    npx vitest run $core
  ) || failed=1
  rm -rf "$work"
done
exit "$failed"
