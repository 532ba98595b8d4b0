package report

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"r2lmlbench/results/verdict"
)

// A tab is a page in a real browser. It notes what the page asks the network
// for and what goes wrong in it.
type tab struct {
	testing.TB
	ctx  context.Context
	page string // address of the file, without a fragment

	mu       sync.Mutex
	requests []string
	faults   []string
}

// newTab writes a report and starts a browser for it, or skips the test where
// there is none.
func newTab(t testing.TB, in Input) *tab {
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
	dir, _ := writeReport(t, in)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(ctx)
	t.Cleanup(closeTab)
	b := &tab{TB: t, ctx: ctx, page: (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, "index.html"))}).String()}
	b.do(chromedp.EmulateViewport(1280, 900))
	if err := chromedp.Listen(ctx, b.note); err != nil {
		t.Fatal(err)
	}
	return b
}

// note runs for every event of the page.
func (b *tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, fmt.Sprintf("exception: %+v", e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		b.faults = append(b.faults, fmt.Sprintf("console: %s %+v", e.Type, e.Args))
	case *log.EventEntryAdded:
		b.faults = append(b.faults, "log: "+e.Entry.Text)
	}
}

// quiet fails if the page asked for anything but its file, or complained.
func (b *tab) quiet() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.requests) == 0 {
		b.Error("not even the page was asked for")
	}
	for _, address := range b.requests {
		if !strings.HasPrefix(address, b.page) && !strings.HasPrefix(address, "data:image/svg+xml;base64,") && address != "about:blank" {
			b.Errorf("the page asked for %s", address)
		}
	}
	for _, fault := range b.faults {
		b.Error(fault)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	if chromedp.FromContext(b.ctx).Browser == nil {
		ctx = b.ctx // the first call starts the browser, which lives as long as its context
	}
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// open loads the page anew, at a fragment such as "#table".
func (b *tab) open(fragment string) {
	b.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.page+fragment))
}

// eval returns the value of an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return value
}

// holds fails unless an expression is true in the page.
func (b *tab) holds(what, expression string) {
	b.Helper()
	if !eval[bool](b, expression) {
		b.Errorf("%s: %s is false", what, expression)
	}
}

// until waits for an expression to become true.
func (b *tab) until(expression string) {
	b.Helper()
	for range 100 {
		if eval[bool](b, expression) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Fatalf("%s did not become true", expression)
}

// click presses the mouse in the middle of an element.
func (b *tab) click(selector string) {
	b.Helper()
	middle := func() []float64 {
		return eval[[]float64](b, fmt.Sprintf(`(() => {
			const e = document.querySelector(%q);
			e.scrollIntoView({block: 'center', behavior: 'instant'});
			const r = e.getBoundingClientRect();
			return [r.left + r.width / 2, r.top + r.height / 2];
		})()`, selector))
	}
	at := middle()
	for range 100 { // something may still scroll, or be laid out
		time.Sleep(20 * time.Millisecond)
		before := at
		if at = middle(); slices.Equal(at, before) {
			break
		}
	}
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

// pick chooses a value of a filter; the empty one is all.
func (b *tab) pick(id, value string) {
	b.Helper()
	eval[chromedp.Void](b, fmt.Sprintf(`(() => {
		const s = document.getElementById(%q);
		s.value = %q;
		s.dispatchEvent(new Event('change', {bubbles: true}));
	})()`, id, value))
}

// rows are the texts of the cells in the body of a table.
func (b *tab) rows(table string) [][]string {
	b.Helper()
	return eval[[][]string](b, fmt.Sprintf(`[...document.querySelector(%q).tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent))`, table))
}

// scheme sets what the user prefers.
func (b *tab) scheme(name string) { b.prefer("prefers-color-scheme", name) }

// prefer sets one feature of the medium, and no motion.
func (b *tab) prefer(feature, value string) {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: feature, Value: value}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}}); err != nil {
		b.Fatal(err)
	}
}

const (
	panelOpen  = `document.getElementById('panel').open`
	panelTitle = `document.getElementById('panel-title').textContent`
)

func TestPageInBrowser(t *testing.T) {
	b := newTab(t, withAll(newInput(t, tiny), tiny))
	b.open("")
	b.holds("the figure is drawn", `document.querySelector('figure svg').getBoundingClientRect().width > 100`)
	eval[chromedp.Void](b, `document.querySelector('figure svg').focus({preventScroll: true})`)
	for _, key := range []struct{ key, says string }{
		{kb.ArrowRight, "left 61.25"}, {kb.ArrowRight, "right 58.75"}, {kb.ArrowLeft, "left 61.25"}, {kb.Escape, ""},
	} {
		b.do(chromedp.KeyEvent(key.key))
		if got := eval[string](b, `document.querySelector('.fig-tip').textContent`); got != key.says {
			t.Errorf("the figure says %q, want %q", got, key.says)
		}
	}

	first := `document.querySelector('#ranked tbody th').textContent`
	b.click("#ranked thead th:nth-child(3) button")
	b.until(`document.querySelector('#ranked thead th:nth-child(3)').ariaSort === 'descending'`)
	high := eval[string](b, first)
	b.click("#ranked thead th:nth-child(3) button")
	b.until(`document.querySelector('#ranked thead th:nth-child(3)').ariaSort === 'ascending'`)
	if low := eval[string](b, first); low == high {
		t.Errorf("%s is first in both directions", low)
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	if again := eval[string](b, first); again != high {
		t.Errorf("after Enter on the heading %s is first, want %s", again, high)
	}
	shown := `[...document.querySelectorAll('#ranked td[data-c]:not(.dim)')].filter(e => !e.closest('[hidden]')).length`
	for _, c := range []struct {
		id, value string
		want      int
	}{{"f-row", "1", 4}, {"f-column", "2", 1}, {"f-row", "", 2}, {"f-column", "", 8}, {"f-verdict", verdict.CannotTell, 2}} {
		b.pick(c.id, c.value)
		if got := eval[int](b, shown); got != c.want {
			t.Errorf("%s = %q: %d numbers are shown, want %d", c.id, c.value, got, c.want)
		}
	}
	b.holds("one row of the matrix is left", `[...document.querySelectorAll('#ranked tbody tr')].filter(r => !r.hidden).length === 1`)
	b.click(".tools button[type=reset]")
	b.until(shown + " === 8")

	b.click(`#ranked a.n[href="#set1/method2"]`)
	b.until(panelOpen)
	b.holds("the panel is of the number", panelTitle+` === 'Set1 / Method2' && location.hash === '#set1/method2'`)
	for _, part := range []string{
		"Number", "Chosen parameters", "Every setting, on validation and on test samples", "Confusion matrix", "Against every other method",
		"Data and split", "Method", "Run",
		"The commands that rerun it",
	} {
		b.holds("part of the panel", fmt.Sprintf(`[...document.querySelectorAll('#panel h3')].some(h => h.textContent === %q)`, part))
	}
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until("!" + panelOpen)
	b.until(`document.activeElement.getAttribute('href') === '#set1/method2'`)

	b.do(chromedp.KeyEvent(kb.ArrowLeft))
	b.holds("the arrow moved the focus", `document.activeElement.getAttribute('href') === '#set1/method1'`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(panelOpen)
	b.holds("Enter opened the next one", panelTitle+` === 'Set1 / Method1'`)
	b.click("#close")
	b.until("!" + panelOpen)
	b.click(`.matrix a[href="#versus/method1/method0"]`)
	b.until(panelOpen)
	b.holds("the comparison has both rows", panelTitle+` === 'Method1 against Method0' && document.querySelectorAll('#panel tbody tr').length === 2`)
	b.quiet()
}

// TestVerdictInBrowser: the panel of a judged number has what each reading gives, and one
// of predictions that are all the same says so.
func TestVerdictInBrowser(t *testing.T) {
	in := newInput(t, tiny)
	in.Cells[1][0].Result.Confusion.Counts = [][]int{{0, 30}, {0, 30}}
	b := newTab(t, in)
	b.open("#set0/method0")
	b.until(panelOpen)
	rows := eval[[]string](b, `[...document.querySelectorAll('#panel .readings tbody tr')].map(r => [...r.cells].map(c => c.textContent).join('|'))`)
	if len(rows) != 2 || rows[1] != "setting0|41.67|11.79|2 of 1|cannot tell" {
		t.Errorf("%q", rows)
	}
	v := in.Cells[0][0].Verdict
	facts := `Object.fromEntries([...document.querySelectorAll('#panel .facts div')].map(d => [d.children[0].textContent, d.children[1].textContent]))`
	for name, want := range map[string]string{"Verdict": wordLooks[v.Verdict].sign + " " + v.Verdict, "Reason": v.Reason, "Runs": "1 of 1 planned"} {
		if got := eval[map[string]string](b, facts)[name]; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	b.open("#set1/method0")
	b.until(panelOpen)
	b.holds("the warning", `document.getElementById('panel').textContent.includes('Every test sample is given the same label.')`)
	b.holds("the sign in the table", `document.querySelector('#ranked a.n[href="#set1/method0"]').parentElement.textContent.includes('†')`)
	b.holds("the line on the first screen", `document.getElementById('overview').textContent.
		includes('† Every test sample is given the same label: set1 Method0.')`)
	b.quiet()
}

// TestSurfaceInBrowser: the panel shows every setting of a surface on both parts, with the
// marks that the text above explains, and stands for the validation profile.
func TestSurfaceInBrowser(t *testing.T) {
	b := newTab(t, newInput(t, tiny))
	b.open("#set0/method0")
	b.until(panelOpen)
	const titles = `[...document.querySelectorAll('#panel h3')].map(h => h.textContent)`
	if got := eval[[]string](b, titles); !slices.Contains(got, "Every setting, on validation and on test samples") || slices.Contains(got, "Validation profile") {
		t.Errorf("with the surface of its own run a number has the parts %q", got)
	}
	b.holds("the marks are explained", `['border', '*:', '=:'].every(s => document.querySelector('section:has(> .both) p').textContent.includes(s))`)
	for i, want := range [][][]string{{
		{"1", "62.50", "62.92", "63.33"}, {"2", "63.75", "64.17", "64.58"}, {"3", "65.00", "65.42", "65.83 (chosen)"},
	}, {
		{"1", "50.00", "56.67", "63.33*="}, {"2", "55.00", "61.67=", "53.33"}, {"3", "60.00", "failed", "58.33 (chosen)"},
	}} {
		table := fmt.Sprintf("#panel .both > :nth-child(%d) table", i+1)
		if got := b.rows(table); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("map %d: %q, want %q", i, got, want)
		}
		heads := fmt.Sprintf(`[...document.querySelectorAll('%s thead th')].map(h => h.textContent).join()`, table)
		if got, want := eval[string](b, heads), "metrics0,0,100,1e4"; got != want {
			t.Errorf("map %d: heads %q, want %q", i, got, want)
		}
		framed := fmt.Sprintf(`[...document.querySelectorAll('%s td')].flatMap((d, i) => {
			const s = getComputedStyle(d);
			return s.outlineStyle === 'solid' && parseFloat(s.outlineWidth) >= 2 ? [i] : [];
		}).join()`, table)
		if got := eval[string](b, framed); got != "8" {
			t.Errorf("map %d: settings %q have a border, want the chosen one, 8", i, got)
		}
	}
	b.quiet()
}

// TestTurned: a comparison seen from the other method has the opposite difference and
// interval, in its own panel and in that of a number.
func TestTurned(t *testing.T) {
	b := newTab(t, newInput(t, tiny))
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(strings.ReplaceAll(text, "−", "-"), 64)
		if err != nil {
			t.Errorf("%q is no number", text)
		}
		return v
	}
	read := func(difference, interval string) [3]float64 {
		low, high, _ := strings.Cut(interval, " to ")
		return [3]float64{number(low), number(difference), number(high)}
	}
	for _, c := range []struct {
		one, other      string
		differenceField int // the interval follows
		find            string
	}{
		{"#versus/method0/method1", "#versus/method1/method0", 3, "Set1"},
		{"#set1/method0", "#set1/method1", 6, "Method"},
	} {
		var seen [2][3]float64
		for i, fragment := range []string{c.one, c.other} {
			b.open(fragment)
			b.until(panelOpen)
			for _, row := range b.rows("#panel table:has(thead th:nth-child(9))") {
				if strings.HasPrefix(row[0], c.find) {
					seen[i] = read(row[c.differenceField], row[c.differenceField+1])
					break
				}
			}
		}
		low, difference, high := seen[0][0], seen[0][1], seen[0][2]
		if low == -high || !(low <= difference && difference <= high) {
			t.Fatalf("%s: the interval %g to %g of %g tells nothing", c.one, low, high, difference)
		}
		if want := [3]float64{-high, -difference, -low}; seen[1] != want {
			t.Errorf("%s: %v, but from the other side %v", c.one, seen[0], seen[1])
		}
	}
	b.quiet()
}

// TestHeads: the heads of the ranked table and the data sets stay in sight, whether the
// table scrolls with the page or in a box of its own.
func TestHeads(t *testing.T) {
	for _, c := range []struct {
		name     string
		of       shape
		scrolled string // the part that scrolls, and of which the heads stay at the top
	}{
		{"with the page", tiny, `document.documentElement`},
		{"in a box", full, `document.querySelector('.tall:has(#ranked)')`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newTab(t, newInput(t, c.of))
			b.do(chromedp.EmulateViewport(1000, 400))
			b.open("")
			const box = `document.querySelector('.tall:has(#ranked)')`
			b.holds("how it scrolls", fmt.Sprintf(`%s.classList.contains('fits') === (%s === document.documentElement)`, box, c.scrolled))
			const top = `document.querySelector('#ranked thead th:nth-child(3)').getBoundingClientRect().top`
			const body = `document.querySelector('#ranked tbody').getBoundingClientRect().top`
			edge := `Math.max(0, ` + c.scrolled + `.getBoundingClientRect().top)`
			eval[chromedp.Void](b, `document.querySelector('#ranked').scrollIntoView({block: 'start', behavior: 'instant'})`)
			eval[chromedp.Void](b, fmt.Sprintf(`%s.scrollBy({top: %s - %s + 40, left: 150, behavior: 'instant'})`, c.scrolled, body, edge))
			b.holds("the body is scrolled", body+` < `+edge+` - 20`)
			b.holds("the heads are at the top", fmt.Sprintf(`Math.abs(%s - %s) < 3`, top, edge))
			const left = `document.querySelector('#ranked tbody th').getBoundingClientRect().left`
			b.holds("the data set is in sight", left+` >= 0 && Math.abs(`+left+` - `+box+`.getBoundingClientRect().left) < 3`)
			b.quiet()
		})
	}
}

// A clipboard notes in window.got what is copied, by way of the clipboard or without one.
var clipboards = map[string]string{
	"with a clipboard": "text => { window.got = text; return Promise.resolve(); }",
	"without one":      "() => Promise.reject(new Error('refused'))",
}

// copied presses the button of a format and returns what was handed over.
func (b *tab) copied(format string) string {
	b.Helper()
	eval[chromedp.Void](b, "delete window.got")
	b.click("button[data-copy=" + format + "]")
	b.until(`window.got !== undefined && document.getElementById('said').textContent.startsWith('Copied ')`)
	return eval[string](b, "window.got")
}

// clipboard makes the page copy by a function.
func (b *tab) clipboard(function string) {
	b.Helper()
	eval[chromedp.Void](b, "Object.defineProperty(navigator, 'clipboard', {value: {writeText: "+function+"}});"+
		"document.addEventListener('copy', () => { window.got = document.activeElement.value; })")
}

// TestCopy: both buttons hand over the ranked table as it is shown, without the rows and
// columns that the filters hide, and say so, whether or not there is a clipboard.
func TestCopy(t *testing.T) {
	in := newInput(t, tiny)
	b := newTab(t, in)
	for name, clipboard := range clipboards {
		b.open("")
		b.clipboard(clipboard)
		for _, format := range []string{"csv", "latex"} {
			has := func(filter, got, want string, shown bool) {
				if strings.Contains(got, want) != shown {
					t.Errorf("%s, %s, %s: %q, shown: %t; copied:\n%s", name, format, filter, want, shown, got)
				}
			}
			got := b.copied(format)
			for _, row := range in.Table.Rows {
				has("all", got, rowTitle(row), true)
				for _, c := range row.Cells {
					if c.Score != nil {
						has("all", got, c.Score.Accuracy, true)
					}
				}
			}
			b.pick("f-row", "0")
			got = b.copied(format)
			for i, row := range in.Table.Rows {
				has("a data set", got, rowTitle(row), i == 0)
			}
			b.pick("f-row", "")
			b.pick("f-column", "1")
			got = b.copied(format)
			for j, c := range in.Table.Columns {
				has("a method", got, c.Name, j == 1)
				if s := in.Table.Rows[1].Cells[j].Score; j != 1 && s != nil && s.Accuracy != in.Table.Rows[1].Cells[1].Accuracy {
					has("a method", got, s.Accuracy, false)
				}
			}
			eval[chromedp.Void](b, "document.querySelector('form.tools').reset()")
			b.until(`![...document.querySelectorAll('#ranked :is(tr, th, td)')].some(e => e.hidden)`)
		}
	}
	b.quiet()
}

// TestCopiedLaTeX: names beyond Latin 1 are spelled such that pdflatex takes them.
func TestCopiedLaTeX(t *testing.T) {
	in := newInput(t, tiny)
	for j, name := range []string{"＝SUM(中)", "λ=1e−3", `é ß Ð 100% _#&${}~^\ <x> – "a"`} {
		in.Table.Columns[j].Name = name
	}
	in.Table.Rows[0].Name = "中−λ"
	b := newTab(t, in)
	b.open("")
	b.clipboard(clipboards["with a clipboard"])
	got := b.copied("latex")
	for _, want := range []string{`\texttt{U+FF1D}SUM(\texttt{U+4E2D})`, `$\lambda$=1e$-$3`, `é ß \texttt{U+00D0} 100\%`, `\texttt{U+4E2D}$-$$\lambda$`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in what was copied:\n%s", want, got)
		}
	}
	if i := strings.IndexFunc(got, func(r rune) bool { return r > unicode.MaxLatin1 }); i >= 0 {
		t.Errorf("%.3q is beyond Latin 1:\n%s", got[i:], got)
	}
	b.quiet()
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("there is no pdflatex; Debian has it in texlive-latex-base")
	}
	dir := t.TempDir()
	document := "\\documentclass{article}\n\\begin{document}\n" + got + "\\end{document}\n"
	if err := os.WriteFile(filepath.Join(dir, "copied.tex"), []byte(document), 0o666); err != nil {
		t.Fatal(err)
	}
	compile(t, pdflatex, dir, "copied.tex")
}

// TestNothingInBrowser: without a row the script has nothing to do, and does it.
func TestNothingInBrowser(t *testing.T) {
	b := newTab(t, newInput(t, shape{name: plainName}))
	b.open("?set=a&method=b&ranked=1.up&open=x#set0/method0")
	b.clipboard(clipboards["with a clipboard"])
	if got := b.copied("csv"); got != "data set,test n\n" {
		t.Errorf("%q was copied, want the heads", got)
	}
	b.holds("no panel", "!"+panelOpen)
	b.quiet()
}

// TestAddress: the address keeps filters and orders, and brings them back.
func TestAddress(t *testing.T) {
	b := newTab(t, newInput(t, tiny))
	const shown = `[...document.querySelectorAll('#ranked :is(th, td):not(.dim)')].filter(e => !e.closest('[hidden]')).map(e => e.textContent).join('|')`
	b.open("")
	all := eval[string](b, shown)
	for _, c := range []struct{ id, value, name, kept string }{
		{"f-row", "1", "set", "set1"}, {"f-column", "2", "method", "method2"},
		{"f-verdict", verdict.CannotTell, "verdict", verdict.CannotTell},
	} {
		b.open("")
		b.pick(c.id, c.value)
		b.holds("the address has the filter alone", fmt.Sprintf(`[...new URLSearchParams(location.search)].join('|') === %q`, c.name+","+c.kept))
		filtered := eval[string](b, shown)
		if filtered == all {
			t.Errorf("%s filters nothing", c.name)
		}
		b.open("?" + url.Values{c.name: {c.kept}}.Encode())
		b.holds("the filter is back", fmt.Sprintf(`document.getElementById(%q).value === %q`, c.id, c.value))
		if got := eval[string](b, shown); got != filtered {
			t.Errorf("%s: %q is shown, before %q", c.name, got, filtered)
		}
	}
	b.open("")
	b.click("#ranked thead th:nth-child(3) button")
	b.pick("f-row", "1")
	b.until(`location.search.includes('set=') && location.search.includes('ranked=2.down')`)
	b.open(eval[string](b, "location.search"))
	b.holds("the filter is back", `document.getElementById('f-row').value === '1' && document.querySelectorAll('#ranked tbody tr:not([hidden])').length === 1`)
	b.holds("the order is back", `document.querySelector('#ranked thead th:nth-child(3)').ariaSort === 'descending'`)
	b.open("?open=data-set1+nothing")
	b.holds("the open part is back", `[...document.querySelectorAll('main details[open]')].map(d => d.id).join() === 'data-set1'`)
	b.click("#data-set0 summary")
	b.until(`new URLSearchParams(location.search).get('open') === 'data-set0 data-set1'`)
	b.open("?set=%3Cscript%3E&method=x&verdict=y&ranked=99.down")
	if got := eval[string](b, shown); got != all {
		t.Errorf("what is not there filters or sorts: %q is shown, want %q", got, all)
	}
	b.holds("and chooses nothing", `[...document.querySelectorAll('.tools select')].every(s => s.value === '')`)
	b.quiet()
}

// TestKeys: the ranked table is one stop of the Tab key, from whose heads to the last
// number the arrow keys go, and footnotes and squares follow.
func TestKeys(t *testing.T) {
	b := newTab(t, withAll(newInput(t, tiny), tiny))
	b.open("")
	const stops = `Math.max(...[...document.querySelectorAll('#ranked, .matrix')].map(t =>
		[...t.querySelectorAll('a, button')].filter(e => e.tabIndex === 0).length))`
	at := func() string {
		return eval[string](b, `(e => e.closest('tr').rowIndex + ':' + e.closest('td, th').cellIndex)(document.activeElement)`)
	}
	b.holds("one stop", stops+` === 1`)
	eval[chromedp.Void](b, `document.querySelector('#ranked a.n').focus()`)
	for _, key := range []struct{ key, at string }{
		{kb.ArrowRight, "1:3"}, {kb.ArrowDown, "2:3"}, {kb.ArrowDown, "2:3"}, {kb.ArrowUp, "1:3"}, {kb.ArrowUp, "0:3"},
		{kb.Home, "0:0"}, {kb.ArrowDown, "1:0"}, {kb.ArrowRight, "1:2"}, {kb.End, "1:5"}, {kb.ArrowRight, "1:5"},
	} {
		b.do(chromedp.KeyEvent(key.key))
		if got := at(); got != key.at {
			t.Errorf("after %q the focus is at %s, want %s", key.key, got, key.at)
		}
	}
	b.holds("still one stop", stops+` === 1`)
	b.quiet()
}

func TestDeepLinks(t *testing.T) {
	b := newTab(t, withAll(newInput(t, tiny), tiny))
	for fragment, title := range map[string]string{
		"#set0/method1": "A Set0 / Method1", "#set0/method3": "A Set0 / Method3", "#versus/method0/method2": "Method0 against Method2",
	} {
		b.open(fragment)
		b.until(panelOpen)
		if got := eval[string](b, panelTitle); got != title {
			t.Errorf("%s: %q, want %q", fragment, got, title)
		}
	}
	b.open("#set0/method1")
	b.until(panelOpen)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until("!" + panelOpen)
	b.until(`document.activeElement.getAttribute('href') === '#set0/method1'`)
	b.open("#data-set1")
	b.until(`document.getElementById('data-set1').open`)
	for _, nothing := range []string{"#nothing/here", "#%", "#versus/x/y", "#set0/"} {
		b.open(nothing)
		b.holds(nothing, "!"+panelOpen)
	}
	b.quiet()
}

// TestSchemesAndWidths: both color schemes differ, and at 360 pixels only the
// tables scroll. How long the page takes is logged.
func TestSchemesAndWidths(t *testing.T) {
	b := newTab(t, withAll(newInput(t, full), full))
	background := map[string]string{}
	for _, name := range []string{"light", "dark"} {
		b.scheme(name)
		b.open("")
		background[name] = eval[string](b, `getComputedStyle(document.body).backgroundColor`)
	}
	if background["light"] == background["dark"] {
		t.Errorf("the background is %s in both schemes", background["light"])
	}
	b.do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile))
	for _, fragment := range []string{"", "#set3/method5", "#versus/method1/method2"} {
		b.open(fragment)
		eval[chromedp.Void](b, `document.querySelectorAll('details').forEach(d => { d.open = true; })`)
		if w := eval[int](b, `document.documentElement.scrollWidth`); w > 360 {
			t.Errorf("%q: the page is %d pixels wide", fragment, w)
		}
		if w := eval[int](b, `document.getElementById('panel').scrollWidth`); w > 360 {
			t.Errorf("%q: the panel is %d pixels wide", fragment, w)
		}
	}
	b.quiet()
}

// TestForcedColors: with the colours of the system, borders tell wins from losses.
func TestForcedColors(t *testing.T) {
	b := newTab(t, withAll(newInput(t, full), full))
	b.prefer("forced-colors", "active")
	b.open("")
	style := func(class string) string {
		return eval[string](b, fmt.Sprintf(`getComputedStyle(document.querySelector('.matrix td.%s')).borderLeftStyle`, class))
	}
	if ahead, behind := style("ahead"), style("behind"); ahead == behind || ahead == "none" || behind == "none" {
		t.Errorf("a method ahead has the border %s, one behind %s", ahead, behind)
	}
	b.quiet()
}

// TestPooledOnScreen: the table of all splits is a box of its own on a small screen,
// where heads and data sets stay in sight, and its notes are folded.
func TestPooledOnScreen(t *testing.T) {
	b := newTab(t, withPooled(newInput(t, tiny)))
	b.do(chromedp.EmulateViewport(360, 740))
	b.open("")
	b.holds("notes are folded", `!document.querySelector('#pooled-notes li').checkVisibility()`)
	b.holds("and there are no others outside", `document.querySelectorAll('#table .pooled li').length === 0`)
	const box = `document.querySelector('.pooled .wide')`
	b.holds("there is more to the right", box+`.scrollWidth > `+box+`.clientWidth`)
	eval[chromedp.Void](b, box+`.scrollTo(9999, 0)`)
	b.holds("the data set stays", box+`.scrollLeft > 0 &&
		Math.abs(`+box+`.querySelector('tbody td').getBoundingClientRect().left - `+box+`.getBoundingClientRect().left) < 3`)
	b.holds("numbers are on the right", `getComputedStyle(`+box+`.querySelector('tbody td:last-child')).textAlign === 'right'`)
	b.quiet()
}

// TestPrint: on paper what is left out is said, and captions of figures are as small as
// the text.
func TestPrint(t *testing.T) {
	in := withAll(newInput(t, tiny), tiny)
	b := newTab(t, in)
	b.open("")
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	b.holds("a line before the figures says what is left out", `document.querySelector('.printed').checkVisibility() &&
		document.querySelector('.printed').textContent.includes('wins and losses')`)
	b.holds("further figures of a kind are left out", `[...document.querySelectorAll('figure.screen')].every(e => !e.checkVisibility())`)
	b.holds("the footer is left out", `!document.querySelector('footer').checkVisibility()`)
	b.holds("captions are small", `parseFloat(getComputedStyle(document.querySelector('figcaption')).fontSize) <= 10`)
	b.holds("links to files are left out", `!document.querySelector('figcaption a').checkVisibility()`)
	b.quiet()
}

// TestPageWork: what a browser has to do before the page can be used is a few
// elements for every number. What the panel shows of a number is made when it opens,
// and goes when another one does.
func TestPageWork(t *testing.T) {
	const perNumber, fixed = 50, 500 // elements; of 18 x 12 numbers there are 9695
	b := newTab(t, withAll(newInput(t, full), full))
	b.open("")
	elements := func(below string) int {
		return eval[int](b, fmt.Sprintf(`document.querySelectorAll(%q).length`, below+" *"))
	}
	if n, most := elements(":root"), perNumber*full.sets*full.methods+fixed; n > most {
		t.Errorf("the page of %d x %d numbers has %d elements, want at most %d", full.sets, full.methods, n, most)
	} else {
		t.Logf("%d elements of at most %d", n, most)
	}
	closed := elements("#panel")
	var open []int
	for _, fragment := range []string{"#set3/method5", "#versus/method1/method2", "#set3/method5"} {
		eval[chromedp.Void](b, fmt.Sprintf(`location.hash = %q`, fragment))
		b.until(fmt.Sprintf(`%s && location.hash === %q`, panelOpen, fragment))
		open = append(open, elements("#panel"))
	}
	if open[0] <= closed || open[2] != open[0] {
		t.Errorf("the panel has %d elements while closed, then %v", closed, open)
	}
	b.quiet()
}

// BenchmarkPage loads the page, and reports when it can be used.
func BenchmarkPage(b *testing.B) {
	tab := newTab(b, withAll(newInput(b, full), full))
	tab.scheme("light")
	var usable float64
	for b.Loop() {
		tab.open("")
		usable += eval[float64](tab, `performance.getEntriesByType('navigation')[0].loadEventEnd`)
	}
	b.ReportMetric(usable/float64(b.N), "usable-ms/op")
}

// TestHostileInBrowser: names of all kinds are shown, and none of them acts.
func TestHostileInBrowser(t *testing.T) {
	in := withAll(newInput(t, spoilt), spoilt)
	b := newTab(t, in)
	b.open("")
	hrefs := eval[[]string](b, `[...document.querySelectorAll('#ranked a.n')].slice(0, 14).map(a => a.getAttribute('href'))`)
	for i, href := range hrefs {
		b.open(href)
		b.until(panelOpen)
		want := rowTitle(in.Table.Rows[i/10]) + " / " + in.Table.Columns[i%10].Name
		if got := eval[string](b, panelTitle); got != want {
			t.Errorf("%s: %q, want %q", href, got, want)
		}
	}
	b.open(comparisonHref(in.Table.Columns[5].ID, in.Table.Columns[6].ID))
	b.until(panelOpen)
	b.holds("nothing acted", `window.pwned === undefined`)
	b.quiet()
}

// TestAccessible: axe-core finds no serious violation, in both schemes, with a
// panel open and on a small screen.
func TestAccessible(t *testing.T) {
	path := os.Getenv("R2LMLBENCH_AXE")
	if path == "" {
		t.Skip("R2LMLBENCH_AXE is not set; it names axe.min.js of the npm package axe-core")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t, withAll(newInput(t, tiny), tiny))
	for _, view := range []struct {
		scheme, fragment string
		width            int64
	}{
		{"light", "", 1280}, {"dark", "", 1280}, {"light", "", 360},
		{"light", "#set1/method2", 1280}, {"dark", "#set1/method2", 360}, {"dark", "#versus/method0/method1", 1280},
	} {
		b.scheme(view.scheme)
		b.do(chromedp.EmulateViewport(view.width, 800))
		b.open(view.fragment)
		eval[chromedp.Void](b, string(axe)+";0")
		eval[chromedp.Void](b, `document.querySelectorAll('details').forEach(d => { d.open = true; })`)
		found := eval[[]string](b, `axe.run(document, {resultTypes: ['violations']}).then(r => r.violations
			.filter(v => v.impact === 'serious' || v.impact === 'critical')
			.map(v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)).join(' | ')))`)
		for _, violation := range found {
			t.Errorf("%+v: %s", view, violation)
		}
	}
}
