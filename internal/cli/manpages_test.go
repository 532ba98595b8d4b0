package cli

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra/doc"

	"r2lmlbench/internal/fixture"
)

// man names the folder that releases have their man pages from:
//
//	go test ./internal/cli -run TestManPages -man "$PWD/man" && man -l man/r2lmlbench-run.1
var man = flag.String("man", "", "write the man pages into this `DIR`")

// TestManPages: every command has a man page with its text. The pages are of the month that
// SOURCE_DATE_EPOCH says, or of this one.
func TestManPages(t *testing.T) {
	dir := cmp.Or(*man, t.TempDir())
	fixture.Check(t, os.MkdirAll(dir, 0o777))
	root := tree()
	root.InitDefaultCompletionCmd()
	root.DisableAutoGenTag = true
	fixture.Check(t, doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "r2lmlbench " + Version, Manual: "r2lmlbench"}, dir))
	for path, cmd := range commands(t) {
		if path == "help" { // the pages are the help
			continue
		}
		page := fixture.Text(t, filepath.Join(dir, "r2lmlbench-"+strings.ReplaceAll(path, " ", "-")+".1"))
		if !strings.Contains(page, "r2lmlbench "+Version) || len(page) < len(cmd.Long) {
			t.Errorf("the page of %s has %d bytes, its help %d", path, len(page), len(cmd.Long))
		}
	}
}
