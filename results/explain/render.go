package explain

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/verdict"
	"r2lmlbench/stats"
)

// RenderText writes the explanation in sections, each a heading and indented
// lines.
func (x Explanation) RenderText(w io.Writer) error {
	var b strings.Builder
	column := ""
	if x.Method.Column != x.Method.ID {
		column = "(" + x.Method.Column + ")"
	}
	fmt.Fprintln(&b, text.OneLine(text.Join(" ", x.Letter, x.Data.Name, "/", x.Method.Name, column)+", spec "+x.Spec))
	for _, part := range []func() (string, [][]string){
		x.numberSection, x.verdictSection, x.runsSection, x.surfaceSection, x.dataSection, x.splitSection, x.methodSection,
		x.gridSection, x.confusionSection, x.pairSection, x.fitSection, x.runSection, x.commandSection,
	} {
		if title, lines := part(); len(lines) > 0 {
			writeSection(&b, title, lines)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeSection aligns the fields of its lines.
func writeSection(b *strings.Builder, title string, lines [][]string) {
	var aligned strings.Builder
	w := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
	for _, line := range lines {
		clean := make([]string, len(line))
		for i, field := range line {
			clean[i] = text.OneLine(field)
		}
		fmt.Fprintln(w, "  "+strings.Join(clean, "\t"))
	}
	w.Flush() // a strings.Builder takes everything
	fmt.Fprintf(b, "\n%s\n%s", title, text.TrimLines(aligned.String()))
}

func (x Explanation) numberSection() (string, [][]string) {
	var lines [][]string
	if r := x.Result; r != nil {
		lines = append(lines,
			[]string{"accuracy", fmt.Sprintf("%s %%, %d of %d", r.Accuracy, r.Correct, r.N)},
			[]string{"interval", fmt.Sprintf("%s to %s, Wilson, 95 %%", r.Interval[0], r.Interval[1])},
			[]string{"rank", fmt.Sprintf("%d, letters %s", r.Rank, r.Letters)})
	} else {
		lines = append(lines, []string{x.Status, x.Reason})
	}
	if x.Since != nil {
		lines = append(lines, []string{"since", x.Since.text()})
	}
	if p := x.Published; p != nil {
		lines = append(lines, []string{"published", text.Join(" ", p.Accuracy, "rank "+strconv.Itoa(p.Rank), p.Mark)})
	}
	return "Number", lines
}

func (x Explanation) verdictSection() (string, [][]string) {
	v := x.Verdict
	if v == nil {
		return "Verdict", optional("none", x.Unjudged)
	}
	lines := [][]string{{v.Verdict, v.Reason}}
	for _, r := range x.Readings {
		lines = append(lines, []string{r.Reading, readingText(r), r.Verdict})
	}
	return "Verdict", lines
}

// readingText says what a reading gives.
func readingText(r verdict.NumberReading) string {
	if r.Mean == nil {
		return fmt.Sprintf("0 of %s", text.Counted(r.Planned, "run"))
	}
	return fmt.Sprintf("%.2f ± %.2f, %d of %s", *r.Mean, r.SD, r.Runs, text.Counted(r.Planned, "run"))
}

// runsSection lists the runs that the verdict rests on.
func (x Explanation) runsSection() (string, [][]string) {
	if len(x.Runs) == 0 {
		return "", nil
	}
	lines := [][]string{{"seed", "right", "accuracy", "setting", "file"}}
	for _, r := range x.Runs {
		lines = append(lines, []string{strconv.FormatUint(r.Seed, 10), fmt.Sprintf("%d of %d", r.Correct, r.N), r.Accuracy, r.Params.String(), r.File})
	}
	return "Runs that the verdict rests on", lines
}

func (x Explanation) dataSection() (string, [][]string) {
	d := x.Data
	features := strconv.Itoa(d.Features)
	if d.PCA > 0 {
		features += ", reduced to " + text.Counted(d.PCA, "principal component")
	}
	lines := [][]string{{"id", d.ID}}
	if d.Rows > 0 { // nothing is known of an imported split but its digest
		lines = append(lines, []string{"samples", strconv.Itoa(d.Rows)}, []string{"features", features})
	}
	for _, c := range d.Classes {
		lines = append(lines, []string{fmt.Sprintf("class %d", c.Code), fmt.Sprintf("%s, %d samples", c.Called(), c.Rows)})
	}
	for _, s := range d.Sources {
		lines = append(lines, []string{"source", s})
	}
	return "Data", append(lines, optional("licence", d.Licence, "digest", d.Digest, "note", d.Note)...)
}

func (x Explanation) splitSection() (string, [][]string) {
	s := x.Split
	lines := [][]string{{"rule", s.Name}}
	if s.Test > 0 {
		lines = append(lines, []string{"sizes", fmt.Sprintf("%d train, %d validation, %d test", s.Train, s.Validation, s.Test)})
	}
	return "Split", append(lines, optional("digest", s.Digest)...)
}

func (x Explanation) methodSection() (string, [][]string) {
	m := x.Method
	draws := "no random numbers"
	if m.Stochastic {
		draws = "random numbers from seed " + strconv.FormatUint(x.Seed, 10)
	}
	return "Method", [][]string{
		{"id", m.ID + ", version " + strconv.Itoa(m.Version)}, {"source", m.Source}, {"draws", draws}, {"neighbors", strconv.Itoa(x.Neighbors)},
	}
}

// gridSection lists the settings; the one that was chosen is marked.
func (x Explanation) gridSection() (string, [][]string) {
	title := "Settings tried, right of " + text.Counted(x.Validation, "validation sample")
	if len(x.Tried) == 1 || x.Validation == 0 {
		title = "Settings"
	}
	var lines [][]string
	for _, t := range x.Tried {
		mark, score := " ", t.Failure
		if t.Chosen {
			mark = "*"
		}
		if t.Correct != nil {
			score = text.Join(", ", fmt.Sprintf("%d (%s)", *t.Correct, t.Accuracy), t.Score)
		}
		lines = append(lines, []string{mark, t.Params.String(), startText(t.Restart), score})
	}
	return title, lines
}

func startText(restart int) string {
	if restart == 0 {
		return ""
	}
	return "random start " + strconv.Itoa(restart)
}

func (x Explanation) confusionSection() (string, [][]string) {
	if x.Result == nil {
		return "", nil
	}
	m := x.Result.Confusion
	head := []string{"true \\ predicted"}
	var lines [][]string
	for i, code := range m.Codes {
		head = append(head, strconv.Itoa(code))
		line := []string{strconv.Itoa(code)}
		for _, n := range m.Counts[i] {
			line = append(line, strconv.Itoa(n))
		}
		lines = append(lines, line)
	}
	return "Confusion matrix", append([][]string{head}, lines...)
}

// size prints a size of effect to two decimals, "-" where it is not defined.
func size(x *float64) string {
	if x == nil {
		return "-"
	}
	return text.TwoDecimals(*x)
}

func (x Explanation) pairSection() (string, [][]string) {
	if x.Result == nil || len(x.Result.Against) == 0 {
		return "", nil
	}
	lines := [][]string{{"method", "accuracy", "only this", "only that", "p", "p after Holm", "difference, 95 %", "odds ratio", "Cohen's g", ""}}
	for _, a := range x.Result.Against {
		differs := ""
		if a.Significant {
			differs = "differs"
		}
		lines = append(lines, []string{
			a.Method, a.Accuracy, strconv.Itoa(a.OnlyThis), strconv.Itoa(a.OnlyOther), stats.ShortP(a.P), stats.ShortP(a.PHolm),
			a.DifferenceInterval[0] + " to " + a.DifferenceInterval[1], size(a.OddsRatio), size(a.CohensG), differs,
		})
	}
	return "McNemar's test against every other method of the row, family of " + text.Counted(x.Result.Against[0].Family, "pair"), lines
}

func (x Explanation) fitSection() (string, [][]string) {
	var lines [][]string
	for _, f := range x.Facts {
		lines = append(lines, []string{f.Name, fmt.Sprintf("%d of %d", f.Count, f.Of)})
	}
	for _, s := range x.Warnings {
		lines = append(lines, []string{"warning", s})
	}
	return "Fit", append(lines, optional("diagnosis", x.Diagnosis)...)
}

func (x Explanation) runSection() (string, [][]string) {
	if x.Run == nil {
		return "", nil
	}
	r := x.Run
	return "Run", append([][]string{
		{"finished", r.Finished.Format("2006-01-02 15:04:05 MST")},
		{"wall time", r.Took()},
		{"host", r.Host},
	}, optional("heap beyond the data", results.Size(r.Heap), "commit", r.Commit, "Go", r.Go)...)
}

func (x Explanation) commandSection() (string, [][]string) {
	lines := optional("file", x.File)
	for _, c := range x.Commands {
		lines = append(lines, []string{"rerun", c})
	}
	return "Cell", lines
}

// optional makes lines of names and values, without those that have no value.
func optional(pairs ...string) [][]string {
	var lines [][]string
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			lines = append(lines, pairs[i:i+2])
		}
	}
	return lines
}
