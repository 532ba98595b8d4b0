// Command r2lmlbench regenerates, checks and extends the experiments of a paper on
// metric learning for k-NN, which README.md names, and those of others:
// YAML specs drive the R2LML solvers and the methods they are compared with
// over 18 data sets, and McNemar's test with Holm's procedure turns the stored
// predictions into ranked tables of accuracy.
//
//	r2lmlbench init mine                          write a project to start from
//	r2lmlbench run quick                          compute a spec and print its table
//	r2lmlbench plan accuracy                      what is stored, what is missing and why
//	r2lmlbench table accuracy --format markdown   the table of what is stored
//	r2lmlbench data fetch                         get the data sets, checked by digest
//	r2lmlbench data verify                        compare them with the paper's Table 1
//	r2lmlbench methods                            the metric learners and their parameters
//	r2lmlbench import labels.csv --dataset robot  predictions made elsewhere, as a cell
//	r2lmlbench verdict accuracy                   a verdict for every published number
//	r2lmlbench explain I/e-r2lml                  everything behind one number
//	r2lmlbench gate smoke                         compare with the accepted results
//	r2lmlbench audit                              the arithmetic of the printed tables
//	r2lmlbench validate my.yaml                   check a spec
//	r2lmlbench plan accuracy --cost               what the missing cells will take
//	r2lmlbench cluster slurm accuracy --submit    compute a spec on a Slurm cluster
//	r2lmlbench cluster k8s accuracy               a manifest that does so on Kubernetes
//	r2lmlbench merge one two --results all        join result directories
//
// Results go to standard output, remarks to standard error. The exit status is
// 0 when all went well, 1 when a gate does not pass, 2 for wrong usage and where Go
// itself ends the program (no memory), 3 for an invalid spec, 4 for missing or corrupt data,
// 5 when some cells failed, 6 when the machine failed (a full disk) and 130 after an interrupt.
package main

import (
	"embed"
	"os"

	"r2lmlbench/internal/cli"
	"r2lmlbench/results"
)

//go:embed REPRODUCTION.md
var reproduction string

// sources are the files of all packages of the program: what tells one build from another.
//
//go:embed go.mod run.go baselines/*.go datasets/*.go datasets/*/*.go datasets/catalog.json experiments/*.go experiments/*/*.go
//go:embed internal/*/*.go internal/kernel/*.s r2lml/*.go r2lml/internal/*/*.go results/*.go results/*/*.go stats/*.go stats/*/*.go
var sources embed.FS

func main() {
	results.Sources = sources
	cli.Reproduction = reproduction
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}
