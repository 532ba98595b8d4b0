# What the scripts of the action share.
# shellcheck shell=bash

# annotate prints an annotation of a kind (error, warning) with a message.
annotate() {
  local message=$2
  message=${message//%/%25}
  message=${message//$'\r'/%0D}
  message=${message//$'\n'/%0A}
  printf '::%s title=r2lmlbench::%s\n' "$1" "$message"
}

# fail ends the step with a message.
fail() {
  annotate error "$1"
  exit 2
}

# output sets an output of the step to one line.
output() {
  case $2 in
    *$'\n'*) fail "the output $1 has more than one line" ;;
  esac
  printf '%s=%s\n' "$1" "$2" >> "$GITHUB_OUTPUT"
}

# digest prints the SHA-256 of its input in hex.
digest() {
  if command -v sha256sum > /dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

# random prints 32 hex digits.
random() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# quoted runs a command whose output the runner shows, but does not obey: what
# programs print is not trusted.
quoted() {
  local mark status=0
  mark=$(random)
  printf '::stop-commands::%s\n' "$mark"
  "$@" 2>&1 || status=$?
  printf '\n::%s::\n' "$mark"
  return "$status"
}
