package judge

import (
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/invoke"
)

// rerun lists the commands that compute a cell anew, beside those that are
// stored.
func rerun(name string, j plan.Job) []string {
	var commands []string
	if !j.Entry.Generated() && !j.Entry.Own() && !spec.Imported(*j.Entry) {
		commands = append(commands, invoke.Fetch(j.Entry.ID))
	}
	return append(commands, runCommand(name, j))
}

// runCommand computes the cells of a job's data set and column anew.
func runCommand(name string, j plan.Job) string {
	return invoke.Run{Spec: name, Datasets: j.Entry.ID, Methods: j.Column.ID, Results: "results/runs/remade"}.String()
}
