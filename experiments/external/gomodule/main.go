// Command mybench is r2lmlbench with a method of one's own.
package main

import (
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/program"
	"r2lmlbench/r2lml"
)

func main() {
	program.Main(
		method.New("variances", "Variances", r2lml.Singly[Variances], method.About{Scope: method.Global, Source: "an example", Complexity: "O(ND)", Version: 1}),
	)
}
