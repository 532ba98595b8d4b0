#!/usr/bin/env bash
# Writes the text in the file BODY to the pull request NUMBER: it replaces the
# comment of an earlier run, which begins with the same line, or adds one. A
# comment that cannot be written is a warning and fails nothing, since pull
# requests from forks have no right to comment.
set -euo pipefail
# shellcheck source=action/lib.sh
. "$(dirname "$0")/lib.sh"

case $NUMBER in
  '') echo "this is no pull request: there is nothing to comment on"; exit 0 ;;
  *[!0-9]*) fail "\"$NUMBER\" is not the number of a pull request" ;;
esac
case $TOKEN in
  *[!A-Za-z0-9_.-]*) fail "the input token has a character that no token has" ;;
esac
comments=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues

# call sends a request; the token reaches curl through a file descriptor and not
# its command line, which other processes can read.
call() {
  curl --fail --silent --show-error --retry 2 --max-time 60 --header "Accept: application/vnd.github+json" \
    --config <(printf 'header = "Authorization: Bearer %s"\n' "$TOKEN") "$@"
}

# earlier prints the number of the comment of an earlier run, nothing when there
# is none. Comments of people are left alone.
earlier() {
  local page found
  for page in $(seq 1 30); do
    found=$(call "$comments/$NUMBER/comments?per_page=100&page=$page") || return
    jq -r --arg first "$(head -n 1 "$BODY")" \
      '[.[] | select(.user.type == "Bot" and (.body | startswith($first))) | .id][0] // empty' <<< "$found" | grep . && return
    [ "$(jq length <<< "$found")" -eq 100 ] || return 0
  done
}

write() {
  local id
  id=$(earlier) || return
  if [ -n "$id" ]; then
    jq -n --rawfile body "$BODY" '{$body}' | call --request PATCH --data @- --output /dev/null "$comments/comments/$id"
  else
    jq -n --rawfile body "$BODY" '{$body}' | call --request POST --data @- --output /dev/null "$comments/$NUMBER/comments"
  fi
}

write || annotate warning "the comment could not be written; the job needs the permission pull-requests: write, which forks do not have"
