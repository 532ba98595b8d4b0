package cli

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/results/audit"
	"r2lmlbench/results/published"
)

func TestAudit(t *testing.T) {
	want := published.Audit()
	code, stdout, stderr := command(t, "audit", "--format", "json")
	var got struct {
		Schema   int
		Findings []audit.Finding
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 0 || got.Schema != 1 || len(got.Findings) != len(want) {
		t.Fatalf("exit code %d, %v, %d findings of %d\n%s", code, err, len(got.Findings), len(want), stderr)
	}
	for i := range want {
		if got.Findings[i] != want[i] {
			t.Errorf("%+v, want %+v", got.Findings[i], want[i])
		}
	}
	if !strings.Contains(stderr, "mcnemar-midp E 1, J 3, M 3 (2), P 9 (2)") {
		t.Errorf("no counts by variant:\n%s", stderr)
	}
	if !strings.Contains(stderr, "first-rank: 8 findings (J 2, M 3, P 3)") {
		t.Errorf("no counts by class:\n%s", stderr)
	}
	_, stdout, _ = command(t, "audit", "--format", "csv")
	lines, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || len(lines) != len(want)+1 || strings.Join(lines[0], " ") != "kind class table letter method printed nearest bound text" {
		t.Errorf("%v, %d lines\n%s", err, len(lines), stdout)
	}
	for _, format := range []string{"text", "markdown"} {
		code, stdout, stderr = command(t, "audit", "--format", format, "--quiet")
		if code != 0 || stderr != "" || strings.Count(stdout, "unreachable") != 6 || !strings.Contains(stdout, "80.38") ||
			!strings.Contains(strings.ToLower(stdout), "instead") {
			t.Errorf("%s: exit code %d\n%s%s", format, code, stdout, stderr)
		}
	}
	if code, _, stderr := command(t, "audit", "--format", "latex"); code != 2 || !strings.Contains(stderr, "latex") {
		t.Errorf("latex: exit code %d\n%s", code, stderr)
	}
}

// A table in which nothing is found says so, and an empty list is not all that is seen.
func TestAuditOfNothing(t *testing.T) {
	file := writeFile(t, t.TempDir(), "fine.yaml", "{name: t, columns: [a], rows: [{row: X, n: 30, printed: [96.67]}]}")
	if code, _, stderr := command(t, "audit", file); code != exitOK || !strings.Contains(stderr, "No findings.") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if _, _, stderr := command(t, "audit"); strings.Contains(stderr, "No findings") {
		t.Error("the paper's tables have findings")
	}
}

// The paper's table is a file like any other, with the same findings and remarks.
func TestAuditFile(t *testing.T) {
	for _, format := range listedFormats {
		code, stdout, stderr := command(t, "audit", "--format", format)
		fileCode, fileStdout, fileStderr := command(t, "audit", filepath.Join("..", "..", "results", "published", "accuracy.yaml"), "--format", format)
		if code != exitOK || fileCode != exitOK || stdout != fileStdout || stderr != fileStderr {
			t.Errorf("%s: exit codes %d and %d\n%s%s", format, code, fileCode, fileStdout, fileStderr)
		}
	}
	_, example, _ := command(t, "audit", "--example")
	code, stdout, _ := command(t, "audit", writeFile(t, t.TempDir(), "mine.yaml", example), "--format", "json")
	if code != exitOK || strings.Count(stdout, `"kind"`) != 2 {
		t.Errorf("example: exit code %d\n%s", code, stdout)
	}
}

func TestAuditRefuses(t *testing.T) {
	bad := writeFile(t, t.TempDir(), "bad.yaml", "name: t\ncolumns: [a]\nrows:\n  - {row: X, n: 60, printed: [high]}\n")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{bad}, exitSpec, "bad.yaml:4:31: want a number"},
		{[]string{"none.yaml"}, exitSpec, "audit --example"},
		{[]string{t.TempDir()}, exitSpec, "directory"},
		{[]string{bad, bad}, exitUsage, "one FILE at most"},
		{[]string{"--example", bad}, exitUsage, "one FILE at most"},
	} {
		code, stdout, stderr := command(t, append([]string{"audit"}, c.args...)...)
		if code != c.code || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit code %d\n%s%s", c.args, code, stdout, stderr)
		}
	}
	if code, stdout, _ := command(t, "schema", "audit"); code != exitOK || !strings.Contains(stdout, "printed-n") {
		t.Errorf("schema audit: exit code %d\n%s", code, stdout)
	}
	if code, _, stderr := command(t, "schema", "table"); code != exitUsage || !strings.Contains(stderr, "spec or audit") {
		t.Errorf("schema table: exit code %d\n%s", code, stderr)
	}
}

// The file that docs/audit.md shows is the example, and the audit finds in the tables of
// other papers what the page says.
func TestAuditPage(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "docs", "audit.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	for _, line := range strings.Split(strings.TrimSpace(string(audit.Example)), "\n") {
		if !strings.Contains(page, "    "+line+"\n") {
			t.Errorf("docs/audit.md does not show %q", line)
		}
	}
	for name, unreachable := range map[string][]string{"ucr.yaml": {"0.1290", "0.1980"}, "sonar.yaml": nil} {
		code, stdout, stderr := command(t, "audit", filepath.Join("..", "..", "docs", "audit", name), "--format", "markdown")
		if code != exitOK || strings.Count(stdout, "unreachable") != len(unreachable) {
			t.Errorf("%s: exit code %d\n%s%s", name, code, stdout, stderr)
		}
		for _, number := range unreachable {
			if !strings.Contains(stdout, number) || !strings.Contains(page, number) {
				t.Errorf("%s: %s is not in the page and in the audit\n%s", name, number, stdout)
			}
		}
	}
}
