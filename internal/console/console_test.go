package console

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/text"
)

// TestHostileRemarks: errors and remarks quote file names, servers and
// programs; none of that acts on a terminal.
func TestHostileRemarks(t *testing.T) {
	var b bytes.Buffer
	a := &Console{Err: &b}
	a.Fail(errors.New("200 \x1b]0;title\a OK\nnext\r\u009b2J"))
	a.Remark("%s is damaged", "a\x1b[2J/b")
	a.Remark("%s is damaged", "b\nr2lmlbench: forged")
	fixture.Equal(t, "said", b.String(), "r2lmlbench: 200 \\x1b]0;title\\a OK\nnext \\u009b2J\na\\x1b[2J/b is damaged\nb r2lmlbench: forged is damaged\n")
	b.Reset()
	a.Fail(errors.New("x:1: " + strings.Repeat("é", 1<<20) + ": remove it"))
	if said := b.String(); len(said) > 5000 || !strings.HasPrefix(said, "r2lmlbench: x:1: é") || !strings.HasSuffix(said, "é: remove it\n") {
		t.Errorf("%d bytes are said of a giant name: %.100s", len(said), said)
	}
}

// FuzzHostileRemarks: whatever the names, remarks have no hidden character in either form.
func FuzzHostileRemarks(f *testing.F) {
	f.Add("a\x1b[31m\u009b\u202e\u2066\u200b\n\r\t\x00\x7f\U000e0041\xff=")
	f.Fuzz(func(t *testing.T, s string) {
		for _, log := range []string{"text", "json"} {
			var b bytes.Buffer
			a := &Console{Err: &b, Log: log}
			a.Fail(errors.New(s))
			a.Remark("%s", s)
			if bytes.ContainsFunc(b.Bytes(), func(r rune) bool { return text.Hidden(r) && r != '\n' }) {
				t.Errorf("remarks as %s: %q", log, b.String())
			}
		}
	})
}

// TestTimeLeft: what is left is weighed by its estimated work. A hundred neighbors of the
// Euclidean metric cost less than one T-R2LML, and tell little of how long that takes.
func TestTimeLeft(t *testing.T) {
	c := &Console{Err: io.Discard, Quiet: true}
	cheap := slices.Repeat([]Job{{Key: Key{Method: "euclidean"}, Fits: 1, Work: 1}}, 20)
	costly := slices.Repeat([]Job{{Key: Key{Method: "t-r2lml"}, Fits: 1, Work: 1000}}, 20)
	progress := c.Progress(slices.Concat(cheap, costly), true)
	defer progress.End()
	fixture.Equal(t, "left before anything is fitted", progress.left(), 0)
	progress.started = time.Now().Add(-time.Minute)
	for _, j := range cheap {
		progress.CellDone(j, "", false, 0)
	}
	if left := progress.left(); left < time.Hour {
		t.Errorf("half of the cells, all cheap, took a minute, and %v are left; want hours", left)
	}
	for _, j := range costly[:10] {
		progress.CellDone(j, "", false, 0)
	}
	if left := progress.left(); left < 55*time.Second || left > 65*time.Second {
		t.Errorf("half of the costly cells took a minute, and %v are left; want a minute", left)
	}
	for _, j := range costly[10:] {
		progress.CellKnown(j)
	}
	fixture.Equal(t, "left of nothing", progress.left(), 0)
}

// TestFailedPoints: a cell that lost points of its grid on the way says so when it is done.
func TestFailedPoints(t *testing.T) {
	var said strings.Builder
	j := Job{Key: Key{Dataset: "twonorm-gen", Method: "itml"}, Settings: 3, Fits: 3}
	progress := (&Console{Err: &said}).Progress([]Job{j}, true)
	for _, failure := range []string{"", "no luck", "no luck"} {
		progress.SettingDone(j, failure, false)
	}
	progress.CellDone(j, "", false, 0)
	progress.End()
	fixture.Has(t, "what is said", said.String(), "done, but 2 of 3 settings failed  [1 of 1]")
}
