#!/bin/sh
#SBATCH --job-name={{.ID}}
#SBATCH --array=1-{{.Tasks}}
#SBATCH --cpus-per-task={{.Workers}}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={{.ID}}-%A_%a.log

# Tasks 1 to {{.Tasks}} compute a share each, in a directory of its own; task 0 merges
# them and prints the table. With this script in a file named FILE:
#
#     id=$(sbatch --parsable FILE)
#     sbatch --dependency=afterany:"${id%%;*}" --array=0 FILE
#
{{- if .Divided}}
# Long cells are divided among the tasks: run both once more to finish them,
# the second array after the first task 0.
#
{{- end}}
# A task that was killed goes on where it was, also when the array is submitted
# again. Cells that fail (exit status 5) do not fail the task: the table names
# them. Options on the command line of sbatch go before those above.
set -eu

program={{sh .Program}}
results={{sh .Results}}
set --{{range .Arguments}} {{sh .}}{{end}}
task=$SLURM_ARRAY_TASK_ID

{{template "shares" . -}}
{{template "merge" . -}}
{{template "table" . -}}
