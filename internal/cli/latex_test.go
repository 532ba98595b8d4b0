package cli

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var overfull = regexp.MustCompile(`Overfull \\hbox \(([0-9.]+)pt`)

// The paper's table in LaTeX is one page; with its notes it is longer. No line stands
// out of the page by more than 5 pt.
func TestLaTeXPages(t *testing.T) {
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("there is no pdflatex; Debian has it in texlive-latex-base")
	}
	for name, c := range map[string]struct {
		flags []string
		pages string
	}{
		"table.tex": {nil, "(1 page,"},
		"notes.tex": {[]string{"--notes"}, "(2 pages,"},
	} {
		code, stdout, stderr := command(t, append([]string{"table", "accuracy", "--results", "../../results/accepted", "--format", "latex"}, c.flags...)...)
		if code != exitOK {
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
		dir := t.TempDir()
		writeFile(t, dir, name, stdout)
		if out := fitsPaper(t, pdflatex, dir, name); !strings.Contains(out, c.pages) {
			t.Errorf("%s: want %q in\n%s", name, c.pages, out[max(0, len(out)-600):])
		}
	}
}

// fitsPaper runs pdflatex on a document of a folder, of which no line may stand out of the
// page by more than 5 pt, and returns what pdflatex says.
func fitsPaper(t *testing.T, pdflatex, dir, name string) string {
	t.Helper()
	cmd := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Output written on") {
		t.Errorf("%s: %v\n%s", name, err, out[max(0, len(out)-600):])
	}
	for _, m := range overfull.FindAllStringSubmatch(string(out), -1) {
		if width, err := strconv.ParseFloat(m[1], 64); err != nil || width > 5 {
			t.Errorf("%s: %s", name, m[0])
		}
	}
	return string(out)
}

// tablesFitPaper compiles the tables beside the page of a report.
func tablesFitPaper(t *testing.T, dir string, names ...string) {
	t.Helper()
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("there is no pdflatex; Debian has it in texlive-latex-base")
	}
	for _, name := range names {
		fitsPaper(t, pdflatex, dir, name)
	}
}
