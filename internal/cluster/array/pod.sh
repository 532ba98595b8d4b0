set -eu
program={{.Program}}
results={{.Results}}
task=0 # the index counts from 0; a pod without one is the last task
if [ -n "${JOB_COMPLETION_INDEX-}" ]; then
	task=$((JOB_COMPLETION_INDEX + 1))
fi
{{template "shares" . -}}
{{template "merge" . -}}
{{if .Divided}}call run "$@" --results "$results" --workers {{.Workers}} # finishes the cells that were divided
{{end -}}
{{template "table" . -}}
cat "$results/{{.Table}}"
