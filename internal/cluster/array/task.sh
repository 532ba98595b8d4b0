{{define "shares"}}# Exit status 5 means that some cells failed, which stops nothing.
call() { "$program" "$@" >&2 || { status=$?; [ "$status" -eq 5 ] || exit "$status"; }; }

if [ "$task" -ne 0 ]; then
	shard="$results/shards/$task-of-{{.Tasks}}"
	mkdir -p "$shard"
	if [ -d "$results/cells" ]; then # known cells need not be computed again
		call merge "$results" --results "$shard"
	fi
	call run "$@" --results "$shard" --shard "$task/{{.Tasks}}" --workers {{.Workers}}
	exit
fi
{{end -}}
{{define "merge"}}call merge "$results"/shards/*-of-{{.Tasks}} --results "$results"
{{end -}}
{{define "table"}}"$program" table "$@" --results "$results" --format {{.Format}} >"$results/{{.Table}}.new"
mv "$results/{{.Table}}.new" "$results/{{.Table}}"
{{end}}
