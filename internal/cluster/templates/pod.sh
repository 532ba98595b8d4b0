set -eu
program={{.Program}}
results={{.Results}}
task=0 # the index counts from 0; a pod without one is the last task
if [ -n "${JOB_COMPLETION_INDEX-}" ]; then
	task=$((JOB_COMPLETION_INDEX + 1))
fi
{{template "task" . -}}
cat "$results/{{.Table}}"
