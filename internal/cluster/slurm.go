package cluster

import (
	"errors"
	"fmt"
	"strings"
)

// Slurm returns a script for sbatch. It runs the tasks 1 to N as an array; with
// --array=0 it is the last task. It fails when a text cannot stand in a script.
func Slurm(j Job) (string, error) {
	arguments, err := quoteAll(j.arguments())
	if err != nil {
		return "", err
	}
	places, err := quoteAll([]string{j.Program, j.Results})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(slurmHead, j.name(), j.Tasks, j.Workers, places[0], places[1], strings.Join(arguments, " ")) + j.script(), nil
}

// SlurmLast returns the options of sbatch that make the script of an array the
// last task. It starts when all tasks of that array have ended, however they
// did: the table shows what is missing.
func SlurmLast(array string) []string {
	return []string{"--dependency=afterany:" + array, "--array=0"}
}

const slurmHead = `#!/bin/sh
#SBATCH --job-name=%[1]s
#SBATCH --array=1-%[2]d
#SBATCH --cpus-per-task=%[3]d
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%[1]s-%%A_%%a.log

# Tasks 1 to %[2]d compute a share each, in a directory of its own; task 0 merges
# them and prints the table. With this script in a file named FILE:
#
#     id=$(sbatch --parsable FILE)
#     sbatch --dependency=afterany:"${id%%%%;*}" --array=0 FILE
#
# A task that was killed goes on where it was, also when the array is submitted
# again. Cells that fail (exit status 5) do not fail the task: the table names
# them. Options on the command line of sbatch go before those above.
set -eu

program=%[4]s
results=%[5]s
set -- %[6]s
task=$SLURM_ARRAY_TASK_ID

`

// quoteAll writes texts as words of a POSIX shell.
func quoteAll(texts []string) ([]string, error) {
	words := make([]string, len(texts))
	for i, text := range texts {
		if strings.ContainsRune(text, 0) {
			return nil, errors.New("cluster: a path or name holds a zero byte, which no script can hold")
		}
		words[i] = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return words, nil
}
