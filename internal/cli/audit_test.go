package cli

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"r2lmlbench/results/published"
)

func TestAudit(t *testing.T) {
	want := published.Audit()
	code, stdout, stderr := command(t, "audit", "--format", "json")
	var got struct {
		Schema   int
		Findings []published.Finding
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
		if code != 0 || stderr != "" || strings.Count(stdout, "unreachable") != 6 || !strings.Contains(stdout, "80.38") {
			t.Errorf("%s: exit code %d\n%s%s", format, code, stdout, stderr)
		}
	}
	if code, _, stderr := command(t, "audit", "--format", "latex"); code != 2 || !strings.Contains(stderr, "latex") {
		t.Errorf("latex: exit code %d\n%s", code, stderr)
	}
}
