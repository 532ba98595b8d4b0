#!/usr/bin/env bash
# Runs a spec and compares its cells with the accepted ones. Writes annotations,
# the job summary, a JUnit file, the text of a comment and the outputs of the
# step. It ends with status 0 when it could write them: a later step fails if the
# output status is not 0.
set -euo pipefail
# shellcheck source=action/lib.sh
. "$(dirname "$0")/lib.sh"

out=$RUNNER_TEMP/r2lmlbench/gate
rm -rf "$out"
mkdir -p "$out" "$RESULTS" "$DATA"

# Words without the meaning that a shell gives to *, ? and quotes.
read -r -d '' -a sets <<< "$FETCH" || true
read -r -d '' -a files <<< "$IMPORT" || true
read -r -d '' -a more <<< "$ARGS" || true
# Not as flags: commands that the gate proposes would name the directories of this job.
export R2LMLBENCH_RESULTS=$RESULTS R2LMLBENCH_DATA=$DATA
compare=(--accepted "$ACCEPTED")
[ "$ALLOW_CHANGED" != true ] || compare+=(--allow-changed)

prepare_and_run() {
  local file
  [ ${#sets[@]} -eq 0 ] || "$PROGRAM" data fetch -- "${sets[@]}" || return
  for file in ${files[@]+"${files[@]}"}; do
    "$PROGRAM" data import -- "$file" || return
  done
  "$PROGRAM" run --fresh ${more[@]+"${more[@]}"} -- "$SPEC"
}

run_status=0
gate_status=0

logged() {
  local status=0
  prepare_and_run 2>&1 | tee "$out/run.log" || status=${PIPESTATUS[0]}
  return "$status"
}

# compare_as writes the comparison in one format to a file.
compare_as() {
  local status=0
  "$PROGRAM" gate "${compare[@]}" ${more[@]+"${more[@]}"} --format "$1" -- "$SPEC" > "$out/$2" 2> "$out/gate.log" || status=$?
  [ "$status" -le "$gate_status" ] || gate_status=$status
}

echo "::group::run"
quoted logged || run_status=$?
echo "::endgroup::"

compare_as github annotations.txt
compare_as markdown gate.md
compare_as junit gate.xml
compare_as json gate.json
compare_as text gate.txt

echo "::group::gate"
quoted cat "$out/gate.txt" "$out/gate.log"
echo "::endgroup::"

# What the gate says counts beside how it ended: flags such as --help end with 0, too.
verdict=$(jq -r '.status // empty' "$out/gate.json" 2> /dev/null) || verdict=
case $verdict-$ALLOW_CHANGED in
  pass-* | changed-true) ;;
  *)
    if [ "$gate_status" -eq 0 ]; then
      gate_status=2
      echo "nothing was compared: gate.json has no status that passes; see the input args: $ARGS" >> "$out/gate.log"
    fi
    ;;
esac
status=$gate_status
[ "$status" -ne 0 ] || status=$run_status

# last_words prints the end of a log as code in Markdown.
last_words() {
  tail -n 20 "$1" | LC_ALL=C tr -d '\000-\010\013-\037\177' | cut -c 1-400 | sed 's/^/    /'
  echo
}

report() {
  if [ "$status" -eq 0 ]; then echo "### r2lmlbench gate: passed"; else echo "### r2lmlbench gate: not passed"; fi
  echo
  if [ "$run_status" -ne 0 ]; then
    printf 'The run ended with exit code %s. Its last lines:\n\n' "$run_status"
    last_words "$out/run.log"
  fi
  if [ "$gate_status" -gt 1 ]; then
    printf 'The cells could not be compared, exit code %s. The last lines:\n\n' "$gate_status"
    last_words "$out/gate.log"
  else
    cat "$out/gate.md"
  fi
}

# shortened cuts its input after so many bytes, at the end of a line.
shortened() {
  LC_ALL=C awk -v most="$1" '
    (n += length($0) + 1) > most { print ""; print "The rest is left out here: see gate.md in the artefact."; exit }
    { print }'
}

# GitHub takes 65,536 characters in a comment and 1 MiB in the summary of a step.
report > "$out/report.md"
{
  printf '<!-- r2lmlbench-gate %s -->\n' "$(printf %s "$SPEC" | digest)"
  shortened 60000 < "$out/report.md"
} > "$out/comment.md"
shortened 1000000 < "$out/report.md" >> "$GITHUB_STEP_SUMMARY"
rm "$out/report.md"

if [ "$gate_status" -gt 1 ]; then
  rm "$out/annotations.txt" "$out/gate.md" "$out/gate.json"
  annotate error "gate ended with exit code $gate_status: $(tail -n 5 "$out/gate.log")"
  cat > "$out/gate.xml" << 'XML'
<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="gate" tests="1" failures="0" errors="1">
 <testcase classname="gate" name="the whole"><error type="error" message="the cells could not be compared; see run.log and gate.log"></error></testcase>
</testsuite></testsuites>
XML
else
  cat "$out/annotations.txt"
  [ "$run_status" -eq 0 ] || annotate error "run ended with exit code $run_status: $(tail -n 5 "$out/run.log")"
fi

if [ "$status" -eq 0 ]; then output passed true; else output passed false; fi
output status "$status"
output run-status "$run_status"
output directory "$out"
output junit "$out/gate.xml"
output comment-file "$out/comment.md"
