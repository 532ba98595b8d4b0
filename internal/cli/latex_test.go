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
		cmd := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.pages) {
			t.Errorf("%s: %v, want %q in\n%s", name, err, c.pages, out[max(0, len(out)-600):])
		}
		for _, m := range overfull.FindAllStringSubmatch(string(out), -1) {
			if width, err := strconv.ParseFloat(m[1], 64); err != nil || width > 5 {
				t.Errorf("%s: %s", name, m[0])
			}
		}
	}
}
