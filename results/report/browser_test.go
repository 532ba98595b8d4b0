//go:build browser

package report

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

	"r2lmlbench/internal/fixture"
)

// A tab is a page in a real browser. It notes what the page asks the network for and
// what goes wrong in it.
type tab struct {
	*testing.T
	ctx  context.Context
	page string // address of the file, without a fragment

	mu     sync.Mutex
	faults []string
}

// newTab starts a browser for a report.
func newTab(t *testing.T, chromium string, in Input) *tab {
	t.Helper()
	dir, _ := writeReport(t, in)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(ctx)
	t.Cleanup(closeTab)
	b := &tab{T: t, ctx: ctx, page: (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, "index.html"))}).String()}
	b.do(chromedp.EmulateViewport(1280, 900))
	fixture.Check(t, chromedp.Listen(ctx, b.note))
	return b
}

// note runs for every event of the page.
func (b *tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, b.page) && e.Request.URL != "about:blank" {
			b.faults = append(b.faults, "the page asked for "+e.Request.URL)
		}
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, fmt.Sprintf("exception: %+v", e.ExceptionDetails))
	case *log.EventEntryAdded:
		b.faults = append(b.faults, "log: "+e.Entry.Text)
	}
}

// quiet fails if the page asked for anything but its file, or complained.
func (b *tab) quiet() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fault := range b.faults {
		b.Error(fault)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	fixture.Check(b, chromedp.Do(b.ctx, steps...))
}

// open loads the page anew, at a fragment such as "#table".
func (b *tab) open(fragment string) {
	b.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.page+fragment))
}

// eval returns the value of an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	value := fixture.Must(chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise)))(b)
	return value
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
	b.quiet()
	b.Fatalf("%s did not become true", expression)
}

// click activates an element.
func (b *tab) click(selector string) {
	b.Helper()
	eval[chromedp.Void](b, fmt.Sprintf(`document.querySelector(%q).click()`, selector))
}

// pick chooses an option of a filter.
func (b *tab) pick(id, value string) {
	b.Helper()
	eval[chromedp.Void](b, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})); })(document.getElementById(%q))`, value, id))
}

// rows are the texts of a table's body.
func (b *tab) rows(table string) [][]string {
	b.Helper()
	return eval[[][]string](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].map(r => [...r.cells].map(c => c.textContent))`, table+" tbody tr"))
}

const (
	panelOpen  = `document.getElementById('panel').open`
	panelTitle = `document.getElementById('panel-title').textContent`
)

// TestInBrowser: filters, order, copies, panels and the keyboard work in a browser from a file;
// hostile names do nothing; a phone shows the page; nothing is inaccessible by axe-core.
func TestInBrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	axe, missing := os.ReadFile(os.Getenv("R2LMLBENCH_AXE"))
	if err != nil || missing != nil {
		t.Skip("there is no chromium, or R2LMLBENCH_AXE does not name axe.min.js of the npm package axe-core")
	}
	b := newTab(t, chromium, withAll(newInput(t, tiny), tiny))
	b.open("")

	first := `document.querySelector('#ranked tbody th').textContent`
	b.click("#ranked thead th:nth-child(3) button")
	high := eval[string](b, first)
	b.click("#ranked thead th:nth-child(3) button")
	if low := eval[string](b, first); low == high || !strings.Contains(eval[string](b, "location.search"), "ranked=2.up") {
		t.Errorf("%s is first in both directions, or the address does not keep them", low)
	}
	shown := `[...document.querySelectorAll('#ranked td[data-c]:not(.dim)')].filter(e => !e.closest('[hidden]')).length`
	for _, c := range []struct {
		id, value string
		want      int
	}{{"f-row", "1", 4}, {"f-column", "2", 1}, {"f-row", "", 2}, {"f-column", "", 8}, {"f-verdict", "cannot tell", 2}, {"f-verdict", "", 8}, {"f-row", "0", 4}} {
		b.pick(c.id, c.value)
		fixture.Equal(t, fmt.Sprintf("numbers shown where %s is %q", c.id, c.value), eval[int](b, shown), c.want)
	}
	eval[chromedp.Void](b, `Object.defineProperty(navigator, 'clipboard', {value: {writeText: text => { window.got = text; return Promise.resolve(); }}})`)
	for _, format := range []string{"csv", "latex"} {
		b.click("button[data-copy=" + format + "]")
		if got := eval[string](b, "window.got"); !strings.Contains(got, "A Set0") || strings.Contains(got, "Set1") {
			t.Errorf("copied as %s: %s", format, got)
		}
	}
	b.open(eval[string](b, "location.search"))
	fixture.Equal(t, "numbers shown with the same address", eval[int](b, shown), 4)

	b.open("")
	b.click(`#ranked a.n[href="#set1/method2"]`)
	b.until(panelOpen + " && " + panelTitle + " === 'Set1 / Method2'")
	parts := eval[[]string](b, `[...document.querySelectorAll('#panel h3')].map(h => h.textContent)`)
	for _, want := range []string{"Number", "Warnings", "Every setting, on validation and on test samples", "Confusion matrix", "Against every other method",
		"Data and split", "Method", "Run", "The commands that rerun it"} {
		if !slices.Contains(parts, want) {
			t.Errorf("the panel has the parts %q, not %q", parts, want)
		}
	}
	for i, want := range [][][]string{{
		{"metrics0=1", "62.50", "62.92", "63.33"}, {"metrics0=2", "63.75", "64.17", "64.58"}, {"metrics0=3", "65.00", "65.42", "65.83 (chosen)"},
	}, {
		{"metrics0=1", "50.00", "56.67", "63.33*="}, {"metrics0=2", "55.00", "61.67=", "53.33"}, {"metrics0=3", "60.00", "failed", "58.33 (chosen)"},
	}} {
		if got := b.rows(fmt.Sprintf("#panel .both > :nth-child(%d) table", i+1)); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("surface %d: %q, want %q", i, got, want)
		}
	}
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until("!" + panelOpen + ` && document.activeElement.getAttribute('href') === '#set1/method2'`)
	b.do(chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.Enter))
	b.until(panelOpen + " && " + panelTitle + " === 'Set1 / Method1'")
	b.open("#set0/method0") // with a verdict; the reading beside the main one has 20 and 30 of 60 right
	b.until(panelOpen)
	if rows := b.rows("#panel .readings"); len(rows) != 2 || strings.Join(rows[1], "|") != "setting0|41.67|11.79|2 of 1|cannot tell" {
		t.Errorf("the readings are %q", rows)
	}
	for _, nothing := range []string{"#nothing/here", "#%", "#versus/method0/method1", "#set0/"} {
		b.open(nothing)
		if eval[bool](b, panelOpen) {
			t.Errorf("%s opens a panel", nothing)
		}
	}

	background := map[string]bool{}
	for _, look := range []struct {
		scheme, fragment string
		width            int64
	}{
		{"light", "", 1280}, {"dark", "", 1280}, {"light", "", 360},
		{"light", "#set1/method2", 360}, {"dark", "#set1/method2", 1280},
	} {
		if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}}}); err != nil {
			t.Fatal(err)
		}
		b.do(chromedp.EmulateViewport(look.width, 800))
		b.open(look.fragment)
		eval[chromedp.Void](b, string(axe)+`;document.querySelectorAll('details').forEach(d => { d.open = true; })`)
		background[eval[string](b, `getComputedStyle(document.body).backgroundColor`)] = true
		if w := eval[int64](b, `Math.max(document.documentElement.scrollWidth, document.getElementById('panel').scrollWidth)`); w > look.width {
			t.Errorf("%+v: the page is %d pixels wide", look, w)
		}
		for _, violation := range eval[[]string](b, `axe.run(document, {resultTypes: ['violations']}).then(r => r.violations
			.filter(v => v.impact === 'serious' || v.impact === 'critical')
			.map(v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)).join(' | ')))`) {
			t.Errorf("%+v: %s", look, violation)
		}
	}
	if len(background) != 2 {
		t.Errorf("the backgrounds of light and dark are %v", background)
	}
	b.quiet()

	in := withAll(newInput(t, spoilt), spoilt)
	b = newTab(t, chromium, in)
	b.open("")
	hrefs := eval[[]string](b, `[...document.querySelectorAll('#ranked a.n')].slice(0, 12).map(a => a.getAttribute('href'))`)
	plain := func(s string) string { // without what the page replaces or HTML folds
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == '�' }), "")
	}
	for i, href := range hrefs {
		b.open(href)
		b.until(panelOpen)
		want := in.Table.Rows[i/spoilt.methods].Title() + " / " + in.Table.Columns[i%spoilt.methods].Name
		if got := eval[string](b, panelTitle); plain(got) != plain(want) {
			t.Errorf("%s: %q, want %q", href, got, want)
		}
	}
	if eval[bool](b, `window.pwned !== undefined`) {
		t.Error("a name acted")
	}
	b.quiet()
}
