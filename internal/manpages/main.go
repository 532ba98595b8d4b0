// Command manpages writes the man pages of r2lmlbench into a directory: one for
// the program and one for each of its commands, made from their help.
//
//	go run ./internal/manpages man && man -l man/r2lmlbench-run.1
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra/doc"

	"r2lmlbench/internal/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manpages DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "manpages:", err)
		os.Exit(1)
	}
}

// write makes dir with the pages. They are of the month that SOURCE_DATE_EPOCH says, or of this one.
func write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root := cli.Command()
	root.InitDefaultCompletionCmd()
	root.DisableAutoGenTag = true
	return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "r2lmlbench " + cli.Version, Manual: "r2lmlbench"}, dir)
}
