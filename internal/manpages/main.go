// Command manpages writes the man pages of r2lmlbench into a directory: one for
// the program and one for each of its commands, made from their help.
//
//	go run ./internal/manpages man && man -l man/r2lmlbench-run.1
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
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

// write makes dir, and makes it hold the pages and no others.
func write(dir string) error {
	all, err := pages()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "r2lmlbench*.1"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	for name, page := range all {
		if err := os.WriteFile(filepath.Join(dir, name), page, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// pages are the pages by the names of their files.
func pages() (map[string][]byte, error) {
	root := cli.Command()
	root.InitDefaultCompletionCmd()
	all := map[string][]byte{}
	return all, addPages(all, root)
}

// addPages adds the pages of cmd and of the commands below it.
func addPages(all map[string][]byte, cmd *cobra.Command) error {
	page, err := manPage(cmd)
	if err != nil {
		return err
	}
	all[strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"] = page
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		if err := addPages(all, c); err != nil {
			return err
		}
	}
	return nil
}

// manPage is the page of a command. It has no date, so that equal help gives equal
// bytes.
func manPage(cmd *cobra.Command) ([]byte, error) {
	cmd.DisableAutoGenTag = true
	never := time.Time{}
	var b bytes.Buffer
	err := doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Date: &never, Source: "r2lmlbench " + cli.Version, Manual: "r2lmlbench"}, &b)
	return bytes.Replace(b.Bytes(), []byte(`"`+never.Format("Jan 2006")+`"`), []byte(`""`), 1), err
}
