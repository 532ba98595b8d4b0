package chart

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// inPage draws a figure in a page 320 pixels wide, runs a script after that of figures and
// reads the texts that the script puts into said. The test is skipped without a browser.
func inPage(t *testing.T, f Figure, test string) []string {
	t.Helper()
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && browser == "" {
			browser = path
		}
	}
	if browser == "" {
		t.Skip("there is no chromium; Debian has it in the package chromium")
	}
	path := filepath.Join(t.TempDir(), "page.html")
	page := `<!DOCTYPE html><meta charset="utf-8"><style>` + Style() + `</style>
<div class="fig-scroll" style="width: 320px">` + f.Inline + `</div><pre id="out"></pre>
<script>` + Script() + `</script><script>
const svg = document.querySelector('svg.fig'), said = [], scroller = document.querySelector('.fig-scroll');
const press = key => { svg.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})); said.push(document.querySelector('.fig-tip').innerText); };
` + test + `
document.getElementById('out').textContent = JSON.stringify(said);
</script>`
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=800,900",
		"--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+filepath.ToSlash(path)).Output()
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?s)<pre id="out">(.*?)</pre>`).FindSubmatch(out)
	if found == nil {
		t.Fatalf("no answer in\n%s", out)
	}
	var said []string
	if err := json.Unmarshal(found[1], &said); err != nil {
		t.Fatalf("%v: %s", err, found[1])
	}
	return said
}

// crowdedFigure has three marks at one place, two to their right, and a legend wider than a phone.
func crowdedFigure(t *testing.T) Figure {
	t.Helper()
	p := NewPanel("")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 10, 0, 10
	look := Look{Color: Blue, Mark: Disc, Bare: true}
	AddCurve(p, Curve{Look: look, Points: []Point{
		{X: 1, Y: 5, Say: "one"}, {X: 1, Y: 5, Say: "two"}, {X: 1, Y: 5, Say: "three"}, {X: 5, Y: 5, Say: "four"}, {X: 9, Y: 5, Say: "five"},
	}})
	var legend []Entry
	for _, text := range []string{"reproduced by choice on test", "open setting & more", "within the margin of the printed one"} {
		legend = append(legend, Entry{Look: look, Text: text})
	}
	f, err := Sheet{Legend: legend, Columns: 1, Height: 150, Lines: 1, Panels: []*plot.Plot{p}}.Figure("one", "One", "Marks.", nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Arrow keys reach every mark, also those under others, of which the tip tells all; and come
// back the same way.
func TestArrowsReachAllMarks(t *testing.T) {
	const right, left = `press('ArrowRight');`, `press('ArrowLeft');`
	said := inPage(t, crowdedFigure(t), strings.Repeat(right, 6)+strings.Repeat(left, 4)+`press('Escape');`)
	want := []string{
		"one\ntwo\nthree", "two\none\nthree", "three\none\ntwo", "four", "five", "five", "four", "three\none\ntwo", "two\none\nthree", "one\ntwo\nthree", "",
	}
	if !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
}

// An arrow key stays in a row of bars, whatever parts of other rows are nearer.
func TestArrowsKeepTheRow(t *testing.T) {
	f, err := NewFigure("bars", "Bars", "Two bars.", nil, 60, func(c draw.Canvas) {
		for _, part := range []struct {
			say             string
			left, right, up float64
		}{{"A 7", 0, 70, 40}, {"A 100", 70, 400, 40}, {"B 18", 0, 180, 16}, {"B 20", 180, 220, 16}} {
			Titled(c, part.say, func() {
				c.FillPolygon(Blue, Rectangle(vg.Length(part.left), vg.Length(part.up), vg.Length(part.right), vg.Length(part.up+17)))
			})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	said := inPage(t, f, `for (const key of ['Right', 'Right', 'Down', 'Left', 'Up']) press('Arrow' + key);`)
	if want := []string{"A 7", "A 100", "B 20", "B 18", "A 7"}; !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
}

// A legend is as wide as what is seen of its figure, also when that is scrolled.
func TestLegendWraps(t *testing.T) {
	said := inPage(t, crowdedFigure(t), `
const inside = () => { const r = scroller.getBoundingClientRect();
  return [...document.querySelectorAll('.fig-key span')].every(s => s.getBoundingClientRect().left >= r.left && s.getBoundingClientRect().right <= r.right); };
said.push(String(scroller.scrollWidth > scroller.clientWidth), String(inside()));
scroller.scrollLeft = 100;
said.push(String(scroller.scrollLeft), String(inside()), getComputedStyle(document.querySelector('.fig-key')).fontSize);`)
	if want := []string{"true", "true", "100", "true", "13.6px"}; !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
}

// The legend is text above a figure in a page, and a part of the picture in a file.
func TestLegendOfPage(t *testing.T) {
	f := crowdedFigure(t)
	at := strings.Index(f.Inline, `<svg class="fig"`)
	if at < 0 || !strings.HasPrefix(f.Inline, `<div class="fig fig-key">`) {
		t.Fatalf("%s", f.Inline)
	}
	const text = "open setting &amp; more"
	if !strings.Contains(f.Inline[:at], text) || strings.Contains(f.Inline[at:], text) || !strings.Contains(string(f.SVG), text) {
		t.Errorf("%s is not above the picture alone", text)
	}
	if strings.Contains(f.Inline, " style=") || !strings.Contains(f.Inline, `viewBox="0 40 520 150"`) ||
		!strings.Contains(string(f.SVG), `viewBox="0 0 520 190"`) {
		t.Errorf("%.300s", f.Inline[at:])
	}
	d := xml.NewDecoder(strings.NewReader("<p>" + f.Inline + "</p>"))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
