package cli

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// pageOf reads the page of a report.
func pageOf(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestReportCommand(t *testing.T) {
	dir := t.TempDir()
	spec := writeFile(t, dir, "small.yaml", small)
	results, first, second := filepath.Join(dir, "results"), filepath.Join(dir, "first"), filepath.Join(dir, "second")
	if code, _, stderr := command(t, "report", spec, "-o", first, "--results", results); code != exitUsage || !strings.Contains(stderr, "r2lmlbench run") {
		t.Errorf("nothing stored: exit %d\n%s", code, stderr)
	}
	if code, _, stderr := command(t, "run", spec, "--results", results); code != exitOK {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	for _, out := range []string{first, second} {
		if code, stdout, stderr := command(t, "report", spec, "--output", out, "--results",
			results); code != exitOK || stdout != "" || !strings.Contains(stderr, out) {
			t.Fatalf("exit %d\n%s\n%s", code, stdout, stderr)
		}
	}
	page := pageOf(t, first)
	if page != pageOf(t, second) {
		t.Error("two reports on the same cells differ")
	}
	if !strings.Contains(page, "<h1>small</h1>") || strings.Contains(page, `id="changes"`) {
		t.Error("the page is of something else")
	}
	if code, _, stderr := command(t, "report", spec, "-o", second, "--results", results, "--against", results); code != exitOK {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	if !strings.Contains(pageOf(t, second), "4 cells in both: 4 the same, 0 changed") {
		t.Error("the comparison with itself finds a difference, or nothing")
	}
	gone, foreign := filepath.Join(dir, "gone"), filepath.Join(dir, "foreign")
	writeFile(t, foreign, "cells/robot/none.json", "")
	for _, against := range []string{gone, foreign} {
		code, _, stderr := command(t, "report", spec, "-o", filepath.Join(dir, "third"), "--results", results, "--against", against)
		if code != exitUsage || !strings.Contains(stderr, against) || !strings.Contains(stderr, "--against") {
			t.Errorf("against %s: exit %d\n%s", against, code, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "third")); err == nil {
		t.Error("a report that failed was written")
	}
	t.Chdir(dir)
	if code, _, stderr := command(t, "report", spec, "--results", results); code != exitOK || pageOf(t, "report") != page {
		t.Errorf("no directory: exit code %d\n%s", code, stderr)
	}
	// A page of somebody else stays, and so does a folder that has no page.
	for name, path := range map[string]string{"page": "index.html", "figure": "table.csv"} {
		theirs := writeFile(t, filepath.Join(dir, name), path, "mine")
		code, _, stderr := command(t, "report", spec, "--results", results, "-o", name)
		if left, err := os.ReadFile(theirs); code == exitOK || err != nil || string(left) != "mine" || !strings.Contains(stderr, path) {
			t.Errorf("%s: exit code %d, %v, %q\n%s", path, code, err, left, stderr)
		}
	}
}

// TestReportOnAcceptedCells: without --results the accepted cells are shown, and
// the paper's table has all its numbers and readings. The page takes at most 12 pages
// of paper, and screens of three widths have it without scrolling sideways.
func TestReportOnAcceptedCells(t *testing.T) {
	out := t.TempDir()
	if code, _, stderr := command(t, "report", "accuracy", "-o", out, "--accepted", "../../results/accepted", "--data", t.TempDir()); code != exitOK {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	html := pageOf(t, out)
	for _, want := range []string{
		`href="#robot/e-r2lml"`, `id="readings"`, `id="figure-critical-difference"`, `id="figure-accuracy-by-metrics"`, "65.86<sup>",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(html, `class="n"`); n != 144 {
		t.Errorf("%d numbers, want 144", n)
	}
	if len(html) > 900_000 {
		t.Errorf("the page has %d bytes, at most 900 kB are wanted", len(html))
	}
	seen := regexp.MustCompile(`(?s)<(script|style|svg)\b.*?</(script|style|svg)>|<[^>]*>`).ReplaceAllString(html, " ")
	if n := len(strings.Fields(seen)); n > 6000 {
		t.Errorf("the page has %d words, at most 6000 are wanted", n)
	}
	t.Run("latex", func(t *testing.T) {
		tablesFitPaper(t, out, "table.tex", "pairs.tex", "verdicts.tex", "readings.tex", "win-tie-loss.tex")
	})
	t.Run("browser", func(t *testing.T) {
		b := browse(t, out)
		printed, err := chromedp.Call(b.ctx, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: new(true)})
		if err != nil {
			t.Fatal(err)
		}
		pages := regexp.MustCompile(`/Type /Page\b`).FindAll(printed.Data, -1)
		box := regexp.MustCompile(`/MediaBox \[0 0 8[0-9.]+ 5[0-9.]+\]`).FindAll(printed.Data, -1)
		if n := len(pages); n == 0 || n > 12 || len(box) != n {
			t.Errorf("%d printed pages, of which %d are A4 in landscape; want at most 12", n, len(box))
		}
		eval[chromedp.Void](b, `document.querySelectorAll('details').forEach(d => { d.open = true; })`)
		for width, options := range map[int64][]chromedp.EmulateViewportOption{360: {chromedp.EmulateMobile}, 900: nil, 1400: nil} {
			b.do(chromedp.EmulateViewport(width, 800, options...))
			if n := eval[int64](b, `document.documentElement.scrollWidth`); n > width {
				t.Errorf("on a screen of %d pixels the page has %d", width, n)
			}
		}
		b.do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile))
		if small := eval[[]string](b, smallTexts); len(small) > 0 {
			t.Errorf("%d texts have less than 11 pixels on a screen of 360: %q", len(small), small[:min(9, len(small))])
		}
		crossed := eval[[]string](b, `[...document.querySelectorAll('.strip text')].filter(e =>
			e.getBoundingClientRect().top < document.querySelector('.answer').getBoundingClientRect().bottom).map(e => e.textContent.trim())`)
		if len(crossed) > 0 {
			t.Errorf("on a screen of 360 pixels these texts of the strip cross the answer: %q", crossed)
		}
		if n := eval[int](b, `document.querySelectorAll('#figures figure text').length`); n < 100 {
			t.Errorf("the figures have %d texts", n)
		}
	})
}

// smallTexts are the texts of the strip and of the figures that a reader of the page sees
// in less than 11 pixels.
const smallTexts = `(() => {
	const small = [];
	for (const e of document.querySelectorAll('.strip *, #figures figure :is(text, tspan, h3, figcaption, figcaption *)')) {
		const own = [...e.childNodes].filter(n => n.nodeType === Node.TEXT_NODE).map(n => n.data).join('').trim();
		if (own === '' || !e.checkVisibility()) continue;
		const scale = e.ownerSVGElement ? Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b) : 1;
		const size = parseFloat(getComputedStyle(e).fontSize) * scale;
		if (size < 10.99) small.push(size.toFixed(2) + ' in ' + (e.closest('figure')?.id ?? 'the strip') + ': ' + own.slice(0, 40));
	}
	return small;
})()`

// A browser shows the page of a report.
type browser struct {
	testing.TB
	ctx context.Context
}

// browse opens the page of a report in Chromium, or skips the test where there is none.
func browse(t *testing.T, dir string) browser {
	t.Helper()
	chromium := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && chromium == "" {
			chromium = path
		}
	}
	if chromium == "" {
		t.Skip("there is no chromium; Debian has it in the package chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(ctx)
	t.Cleanup(closeTab)
	browser{t, ctx}.do() // starts it, to live as long as this context
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	b := browser{t, ctx}
	b.do(chromedp.EmulateViewport(1400, 900),
		chromedp.Navigate((&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, "index.html"))}).String()))
	return b
}

func (b browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// eval returns the value of an expression in the page.
func eval[T any](b browser, expression string) T {
	b.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return value
}

// TestReportOnOwnData: what a reader of the page of one's own data sees has no word of the
// paper and no column of a table without a field, on the page and in its panels.
func TestReportOnOwnData(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"run", "iris"}, {"report", "iris", "-o", "page"}} {
		if code, _, stderr := command(t, args...); code != exitOK {
			t.Fatalf("%q: exit %d\n%s", args, code, stderr)
		}
	}
	out, err := filepath.Abs("page")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("latex", func(t *testing.T) { tablesFitPaper(t, out, "table.tex", "pooled.tex", "pairs.tex", "win-tie-loss.tex") })
	t.Run("browser", func(t *testing.T) {
		b := browse(t, out)
		look := func(where string, root string) {
			t.Helper()
			seen := eval[struct{ Text, Empty []string }](b, fmt.Sprintf(`(() => {
				const root = document.querySelector(%q);
				root.querySelectorAll('details').forEach(d => { d.open = true; });
				const text = [...root.querySelectorAll('*')].filter(e => e.checkVisibility() && e.previousElementSibling?.textContent !== 'Source')
					.flatMap(e => [e.getAttribute('title') ?? '', e.ariaLabel ?? '',
						...[...e.childNodes].filter(n => n.nodeType === Node.TEXT_NODE).map(n => n.data.trim())]);
				const empty = [...root.querySelectorAll('table')].filter(t => t.tBodies[0]?.rows.length && t.tHead).flatMap(t =>
					[...t.tHead.rows[0].cells].filter((_, i) => [...t.tBodies].every(b => [...b.rows].every(r => r.cells[i]?.textContent.trim() === '')))
						.map(h => (t.caption?.textContent ?? t.id) + ': ' + h.textContent));
				return {Text: text.filter(s => s !== ''), Empty: empty};
			})()`, root))
			if len(seen.Text) < 20 {
				t.Errorf("%s: only %q", where, seen.Text)
			}
			for _, said := range seen.Text {
				if ofPaper.MatchString(said) {
					t.Errorf("%s: %q", where, said)
				}
			}
			for _, column := range slices.Compact(seen.Empty) {
				t.Errorf("%s: a column is empty, %s", where, column)
			}
		}
		look("the page", "body")
		for _, fragment := range []string{"#iris~1/lmnn", "#iris~20/euclidean", "#versus/lmnn/itml"} {
			opened := eval[bool](b, fmt.Sprintf(`(async () => {
				location.hash = %q;
				for (let i = 0; i < 200 && !(document.getElementById('panel').open && location.hash === %[1]q); i++) await new Promise(r => setTimeout(r, 20));
				await new Promise(r => setTimeout(r, 100));
				return document.getElementById('panel').open;
			})()`, fragment))
			if !opened {
				t.Fatalf("%s opens nothing", fragment)
			}
			look(fragment, "#panel")
		}
	})
}

// ofPaper finds words of the paper and of its reproduction.
var ofPaper = regexp.MustCompile(`(?i)r2lml\b|published|\bprinted|reproduc|\bpaper`)
