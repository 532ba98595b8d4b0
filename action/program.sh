#!/usr/bin/env bash
# Builds the program from the source of the action, or downloads a release and
# checks its digest. Says where the program is, and its digest.
set -euo pipefail
# shellcheck source=action/lib.sh
. "$(dirname "$0")/lib.sh"

bin=$RUNNER_TEMP/r2lmlbench/bin
program=$bin/r2lmlbench
mkdir -p "$bin"

build() { (cd "$(dirname "$0")/.." && go build -o "$program" .); }

# get downloads a file of the release.
get() {
  curl --fail --silent --show-error --location --retry 3 --output "$bin/$1" "$GITHUB_SERVER_URL/$REPOSITORY/releases/download/$VERSION/$1" ||
    fail "cannot download $1 of release $VERSION from $REPOSITORY; leave the input version empty to build from source"
}

download() {
  local os arch archive want
  [ -n "$REPOSITORY" ] || fail "the input repository is empty; name the owner and name of the repository with the releases, OWNER/NAME"
  case $VERSION in
    *[!A-Za-z0-9.+-]*) fail "the input version is \"$VERSION\", want a release such as v0.2.0" ;;
    v[0-9]*) ;;
    *) fail "the input version is \"$VERSION\", want a release such as v0.2.0" ;;
  esac
  os=$(uname -s | tr '[:upper:]' '[:lower:]')
  arch=$(uname -m)
  case $arch in
    x86_64) arch=amd64 ;;
    aarch64) arch=arm64 ;;
  esac
  archive=r2lmlbench-${VERSION#v}-$os-$arch.tar.gz
  get "$archive"
  get SHA256SUMS
  want=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$bin/SHA256SUMS")
  [ "$(digest < "$bin/$archive")" = "$want" ] || fail "$archive has not the digest in SHA256SUMS; nothing of it was run"
  tar -xzf "$bin/$archive" -C "$bin" --strip-components 1
  [ -x "$program" ] || fail "$archive does not contain r2lmlbench"
}

if [ -n "$VERSION" ]; then download; else build; fi
"$program" version
output path "$program"
output digest "$(digest < "$program")"
printf '%s\n' "$bin" >> "$GITHUB_PATH"
