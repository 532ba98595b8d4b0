package cli

import (
	"strings"
	"testing"
)

// TestHelp: the help of every command, by either way, is the same and lists exit codes.
func TestHelp(t *testing.T) {
	for path := range commands(t) {
		if path == "help" {
			continue // `help help` is the help of help
		}
		code, one, stderr := command(t, append(strings.Fields(path), "--help")...)
		if code != exitOK || stderr != "" || strings.Count(one, "Exit status: 0 success; ") != 1 || !strings.Contains(one, "\nExamples:\n") {
			t.Errorf("%s --help: exit code %d\n%s%s", path, code, one, stderr)
		}
		if code, other, stderr := command(t, append([]string{"help"}, strings.Fields(path)...)...); code != exitOK || other != one {
			t.Errorf("help %s: exit code %d and another text\n%s%s", path, code, other, stderr)
		}
	}
	for _, group := range []string{"", "data", "completion"} {
		if code, stdout, stderr := command(t, strings.Fields(group)...); code != exitOK || !strings.Contains(stdout, "Available Commands:") {
			t.Errorf("%q alone: exit code %d\n%s%s", group, code, stdout, stderr)
		}
	}
}
