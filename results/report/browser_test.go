//go:build browser

package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
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

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/paper"
	"r2lmlbench/stats"
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
		if !strings.HasPrefix(e.Request.URL, b.page) && e.Request.URL != "about:blank" && !strings.HasPrefix(e.Request.URL, "data:") {
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
	eval[chromedp.Void](b, fmt.Sprintf(`(e => { e.value = %q;
		for (const of of ['input', 'change']) e.dispatchEvent(new Event(of, {bubbles: true})); })(document.getElementById(%q))`, value, id))
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

// programs finds the browser, and reads axe-core.
func programs(t *testing.T) (chromium, axe string) {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	script, missing := os.ReadFile(os.Getenv("R2LMLBENCH_AXE"))
	if err != nil || missing != nil {
		t.Skip("there is no chromium, or R2LMLBENCH_AXE does not name axe.min.js of the npm package axe-core")
	}
	return chromium, string(script)
}

// accessible fails for what axe-core calls serious or critical.
func (b *tab) accessible(axe, about string) {
	b.Helper()
	eval[chromedp.Void](b, axe+`;document.querySelectorAll('details').forEach(d => { d.open = true; })`)
	for _, violation := range eval[[]string](b, `axe.run(document, {resultTypes: ['violations']}).then(r => r.violations
		.filter(v => v.impact === 'serious' || v.impact === 'critical')
		.map(v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)).join(' | ')))`) {
		b.Errorf("%s: %s", about, violation)
	}
}

// TestInBrowser: filters, order, copies, panels and the keyboard work in a browser from a file;
// hostile names do nothing; a phone shows the page; nothing is inaccessible by axe-core.
func TestInBrowser(t *testing.T) {
	chromium, axe := programs(t)
	b := newTab(t, chromium, withAll(newInput(t, tiny), tiny))
	b.open("")

	first := `document.querySelector('#ranked tbody th').textContent`
	b.click("#ranked thead th:nth-child(3) button")
	high := eval[string](b, first)
	b.click("#ranked thead th:nth-child(3) button")
	if low := eval[string](b, first); low == high || !strings.Contains(eval[string](b, "location.search"), "ranked=2.up") {
		t.Errorf("%s is first in both directions, or the address does not keep them", low)
	}
	shown := `[...document.querySelectorAll('#ranked td:not(.num):not(.dim)')].filter(e => !e.closest('[hidden]')).length`
	for _, c := range []struct {
		id, value string
		want      int
	}{{"f-find", "SET1", 4}, {"method2", "", 1}, {"method0", "", 2}, {"f-find", "", 4}, {"method0", "", 2}, {"method2", "", 8}, {"f-verdict", "cannot tell", 2},
		{"f-verdict", "", 8}, {"f-find", "Set0", 4}, {"method1", "", 1}, {"method3", "", 2}} {
		if strings.HasPrefix(c.id, "method") {
			b.click("#f-methods input[value=" + c.id + "]")
		} else {
			b.pick(c.id, c.value)
		}
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
	fixture.Equal(t, "numbers shown with the same address", eval[int](b, shown), 2)
	eval[chromedp.Void](b, `HTMLAnchorElement.prototype.click = function() { window.saved = this.download + ' ' + this.href.slice(0, 30); }`)
	b.click("[data-png]")
	b.until("window.saved !== undefined")
	fixture.Has(t, "picture", eval[string](b, "window.saved"), ".png data:image/png;base64,")

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
		background[eval[string](b, `getComputedStyle(document.body).backgroundColor`)] = true
		if w := eval[int64](b, `Math.max(document.documentElement.scrollWidth, document.getElementById('panel').scrollWidth)`); w > look.width {
			t.Errorf("%+v: the page is %d pixels wide", look, w)
		}
		b.accessible(axe, fmt.Sprint(look))
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

// TestPooledInBrowser: the numbers over all splits of a data set are sorted, filtered and copied, and
// lead to those of the splits, which lead to their own panels; so do points of figures.
func TestPooledInBrowser(t *testing.T) {
	chromium, axe := programs(t)
	in := newInput(t, shape{sets: 10, methods: 3, samples: 40, classes: 3, points: 1, name: plainName})
	in.Verdicts = paper.Verdicts{}
	in = withSplits(in, 7)
	st, _ := stats.NewStanding(in.standingScores().Rows, 0.05)
	ranks, _ := CriticalDifference(in.Table.Names(), st, 0.05).Figure()
	in.Figures = []Figure{ranks}
	b := newTab(t, chromium, in)
	b.open("")
	name := in.Pooled.Rows[7].Dataset
	b.click(fmt.Sprintf(`.pooled a.n[href="#%s/method1"]`, name))
	b.until(panelOpen)
	fixture.Equal(t, "title", eval[string](b, panelTitle), name+" / "+in.Table.Columns[1].Name)
	var want []string
	for _, r := range in.Table.Rows {
		if r.Dataset == name {
			want = append(want, r.Cells[1].Accuracy)
		}
	}
	var got []string
	for _, line := range b.rows("#panel table") {
		got = append(got, line[1])
	}
	if len(want) < 2 {
		t.Fatalf("%d splits", len(want))
	}
	fixture.EqualSlice(t, "numbers of the splits", got, want)
	b.click("#panel tbody tr:nth-child(2) a")
	b.until(panelTitle + " !== " + strconv.Quote(name+" / "+in.Table.Columns[1].Name))
	b.open("")
	b.click(".pooled thead th:nth-child(3) button")
	var sorted []float64
	for _, line := range b.rows(".pooled") {
		digits := strings.FieldsFunc(line[2], func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		sorted = append(sorted, fixture.Must(strconv.ParseFloat(digits[0][:5], 64))(t))
	}
	fixture.Equal(t, "falling", slices.IsSortedFunc(sorted, func(a, b float64) int { return cmp.Compare(b, a) }), true)
	b.pick("f-find", in.Pooled.Rows[0].Title())
	eval[chromedp.Void](b, `Object.defineProperty(navigator, 'clipboard', {value: {writeText: text => { window.got = text; return Promise.resolve(); }}})`)
	b.click("button[data-copy=csv]")
	if got := strings.Split(strings.TrimSpace(eval[string](b, "window.got")), "\n"); len(got) != 2 || !strings.HasPrefix(got[1], in.Pooled.Rows[0].Title()) {
		t.Errorf("copied: %q", got)
	}
	eval[chromedp.Void](b, `document.querySelector('.m[data-to="standing"], .m[data-to^="*"]')?.dispatchEvent(new MouseEvent('click', {bubbles: true}))`)
	fixture.Equal(t, "a point over data sets leads to", eval[string](b, "location.hash"), "#standing")
	b.accessible(axe, "pooled")
	b.quiet()
}

// winners are the lines of an overview as the page shows them.
func (o *Overview) winners() (all [][]string) {
	for _, l := range o.Lines {
		line := []string{l.Name}
		for _, f := range l.Fields {
			line = append(line, f[0]+f[1])
		}
		all = append(all, line)
	}
	return all
}

// rate is the percent of the data sets with scores of all methods on which the first method has the higher one.
func (in Input) rate(first, second string) string {
	won, of := 0.0, 0.0
	for _, row := range in.standingScores().Rows {
		if x, y := row[slices.Index(in.Table.Names(), first)], row[slices.Index(in.Table.Names(), second)]; !slices.ContainsFunc(row, math.IsNaN) {
			won, of = won+0.5*float64(1+cmp.Compare(x, y)), of+1
		}
	}
	return fmt.Sprint(math.Floor(100*won/of + 0.5))
}

// TestStandingInBrowser: for any choice of data sets the browser has the ranks, means, wins and critical
// difference of the program, by accuracy and by another measure, and Wilcoxon's p of two methods; the
// address keeps the choice.
func TestStandingInBrowser(t *testing.T) {
	chromium, axe := programs(t)
	in := newInput(t, shape{sets: 21, methods: 4, samples: 40, classes: 3, points: 1, name: plainName})
	in.Verdicts = paper.Verdicts{} // means over the seeds
	in.Table.Metrics = []string{results.Kappa}
	for i, r := range in.Table.Rows {
		for j, c := range r.Cells {
			if c.Score != nil {
				in.Table.Rows[i].Cells[j].Metrics = results.Values{results.Kappa: big.NewRat(int64((7*i+3*j*j)%5), 7)}
			}
		}
	}
	b := newTab(t, chromium, in)
	b.open("")
	fixture.Equal(t, "console", eval[bool](b, "document.getElementById('duel').querySelectorAll('circle').length > 0"), true)
	random := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		rows := random.Perm(21)[:2+random.IntN(19)]
		slices.Sort(rows)
		want := in.only(rows...).overview()
		eval[chromedp.Void](b, fmt.Sprintf(`document.querySelectorAll('#sets input').forEach((box, i) => { box.checked = %s.includes(i); });
			document.querySelector('#sets input').dispatchEvent(new Event('change'))`, strings.ReplaceAll(fmt.Sprint(rows), " ", ",")))
		if want == nil { // the first data set lacks methods
			fixture.Equal(t, "rows without two data sets", len(b.rows("#winners")), 0)
			continue
		}
		if got := b.rows("#winners"); !slices.EqualFunc(got, want.winners(), slices.Equal) {
			t.Errorf("sets %v: %q, want %q", rows, got, want.winners())
		}
		fixture.Has(t, "the answer", eval[string](b, "document.getElementById('who').textContent"),
			fmt.Sprintf("%s has the best average rank, %s over %d data sets", want.Lines[0].Name, want.Lines[0].Rank, want.Of), "at least "+want.CD+" apart")
		rates := b.rows("#rates table")
		for x, first := range want.Lines {
			for y, second := range want.Lines {
				if x != y {
					fixture.Equal(t, "win rate", rates[x][y+1], in.only(rows...).rate(first.Name, second.Name))
				}
			}
		}
		b.pick("d-a", "0")
		b.pick("d-b", "1")
		var d [2][]float64
		for _, i := range rows {
			for j := range d {
				d[j] = append(d[j], in.Table.Rows[i].Cells[j].Mean)
			}
		}
		p := stats.Wilcoxon(stats.Differences(d[0], d[1])).P
		fixture.Has(t, "two methods", eval[string](b, "document.getElementById('d-said').textContent"), "p "+stats.ShortP(p)+",")
		shown := b.rows("#winners")
		b.open(eval[string](b, "location.search"))
		if got := b.rows("#winners"); !slices.EqualFunc(got, shown, slices.Equal) {
			t.Errorf("sets %v: the same address shows %q, not %q", rows, got, shown)
		}
	}
	for _, look := range []int64{1400, 400, 320} {
		b.do(chromedp.EmulateViewport(look, 800))
		b.open("")
		if w := eval[int64](b, `document.documentElement.scrollWidth`); w > look {
			t.Errorf("the page is %d pixels wide, the window %d", w, look)
		}
		b.accessible(axe, fmt.Sprint(look))
	}
	b.pick("c-measure", results.Kappa)
	scores := measureOf(in.Table, results.Kappa).Scores
	rows := make([][]float64, 0)
	for _, row := range scores {
		line := []float64{}
		for _, x := range row {
			if x != nil {
				line = append(line, *x)
			}
		}
		if len(line) == len(row) {
			rows = append(rows, line)
		}
	}
	st, ok := stats.NewStanding(rows, 0.05)
	got := b.rows("#winners")
	if !ok || len(got) != len(st.Order) {
		t.Fatalf("by kappa: %q", got)
	}
	for i, method := range st.Order {
		fixture.Equal(t, "by kappa", strings.Join(got[i][:2], " "), in.Table.Columns[method].Name+" "+text.TwoDecimals(st.Friedman.AverageRanks[method])+
			upTo(max(1, st.Friedman.AverageRanks[method]-st.CD/2), min(float64(len(st.Order)), st.Friedman.AverageRanks[method]+st.CD/2)))
	}
	b.quiet()
}
