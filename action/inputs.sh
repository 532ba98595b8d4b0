#!/usr/bin/env bash
# Checks the inputs of the action, and says where data and cells are and under
# which keys they are cached.
set -euo pipefail
# shellcheck source=action/lib.sh
. "$(dirname "$0")/lib.sh"

for name in SPEC VERSION REPOSITORY ACCEPTED RESULTS DATA FETCH CELLS_KEY ALLOW_CHANGED COMMENT; do
  case ${!name} in
    *[[:cntrl:]]*) fail "the input for $name has a control character or more than one line" ;;
  esac
done
[ -n "$SPEC" ] || fail "the input spec is empty; name an experiment, such as spec.yaml"
[ -n "$ACCEPTED" ] || fail "the input accepted is empty; name the directory of accepted cells"
for name in SPEC ACCEPTED RESULTS DATA; do
  case ${!name} in
    -*) fail "the input for $name is \"${!name}\", which looks like a flag; write ./${!name} for a file of that name" ;;
  esac
done
for name in ALLOW_CHANGED COMMENT; do
  case ${!name} in
    true | false) ;;
    *) fail "the input for $name is \"${!name}\", want true or false" ;;
  esac
done

# The state of the repository, its files outside Git excepted; when there is no
# Git, no other run has the key.
tree=$(git rev-parse 'HEAD^{tree}' 2> /dev/null) || tree=$(random)

output data "${DATA:-$RUNNER_TEMP/r2lmlbench/data}"
output results "${RESULTS:-$RUNNER_TEMP/r2lmlbench/results}"
output data-key "$(printf %s "$FETCH" | digest)"
output cells-key "$(printf '%s\n' "$SPEC" "${CELLS_KEY:-$tree}" | digest)"
