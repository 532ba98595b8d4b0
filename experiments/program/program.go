// Package program is the command r2lmlbench as a library: your own module builds the
// same command with further methods.
//
//	func main() {
//		program.Main(
//			method.New("variances", "Variances", r2lml.Singly[Variances], method.About{Version: 1}),
//		)
//	}
//
// Specs, tables, reports and help treat them like the other methods. The directory
// experiments/external/gomodule is such a module.
package program

import (
	"fmt"
	"os"

	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/cli"
)

// Main runs the command line of the process with further methods and exits. Invalid
// methods are a usage error, exit code 2.
func Main(extra ...method.Method) {
	if err := registry.Register(extra...); err != nil {
		fmt.Fprintf(os.Stderr, "r2lmlbench: %v\n", err)
		os.Exit(2)
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}
