package cluster

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Job is a spec to be computed as an array of tasks.
type Job struct {
	Name     string // of the spec; any text
	Spec     string // what the program is given: the name of an embedded spec or a path
	Program  string // path of the program
	Results  string // directory of stored cells
	Data     string // directory of data files
	Datasets string // value of --datasets; empty: all
	Methods  string // value of --methods; empty: all
	Tasks    int    // of the array, at least 1
	Workers  int    // fits at once in one task
	Format   string // of the table, as --format takes it
}

// arguments are what run and table have in common.
func (j Job) arguments() []string {
	args := []string{j.Spec, "--data", j.Data}
	if j.Datasets != "" {
		args = append(args, "--datasets", j.Datasets)
	}
	if j.Methods != "" {
		args = append(args, "--methods", j.Methods)
	}
	return args
}

// longestName bounds what a name takes over from the spec: Kubernetes wants the
// host names of tasks to stay below 64 characters.
const longestName = 30

// digestDigits is how many hex digits tell names apart that look alike.
const digestDigits = 8

// unnameable is what a name of a job cannot hold.
var unnameable = regexp.MustCompile(`[^a-z0-9]+`)

// name is the spec's name as the name of a job: lower-case letters, digits and
// inner dashes. One that had to be altered or shortened for that ends in a
// digest of the spec's name, so that other specs have other names.
func (j Job) name() string {
	plain := strings.Trim(unnameable.ReplaceAllString(strings.ToLower(j.Name), "-"), "-")
	if plain != j.Name || len(plain) > longestName {
		plain = strings.TrimRight(plain[:min(len(plain), longestName-digestDigits-1)], "-")
		plain += fmt.Sprintf("-%x", sha256.Sum256([]byte(j.Name)))[:1+digestDigits]
	}
	return strings.TrimRight("r2lmlbench-"+strings.TrimLeft(plain, "-"), "-")
}

// table is the file that the table is printed to, below the results.
func (j Job) table() string {
	ending := map[string]string{"text": "txt", "markdown": "md", "latex": "tex"}[j.Format]
	if ending == "" {
		ending = j.Format
	}
	return j.name() + "." + ending
}

// script returns the shell commands of one task, whose number is in $task, and
// of the last one, with $task 0. Its parameters are the arguments; $program and
// $results are set.
func (j Job) script() string {
	return strings.NewReplacer("TASKS", strconv.Itoa(j.Tasks), "WORKERS", strconv.Itoa(j.Workers), "FORMAT", j.Format, "TABLE", j.table()).Replace(
		`# Exit status 5 means that some cells failed, which stops nothing.
call() { "$program" "$@" >&2 || { status=$?; [ "$status" -eq 5 ] || exit "$status"; }; }

if [ "$task" -ne 0 ]; then
	shard="$results/shards/$task-of-TASKS"
	mkdir -p "$shard"
	if [ -d "$results/cells" ]; then # known cells need not be computed again
		call merge "$results" --results "$shard"
	fi
	call run "$@" --results "$shard" --shard "$task/TASKS" --workers WORKERS
	exit
fi
call merge "$results"/shards/*-of-TASKS --results "$results"
"$program" table "$@" --results "$results" --format FORMAT >"$results/TABLE.new"
mv "$results/TABLE.new" "$results/TABLE"
`)
}
