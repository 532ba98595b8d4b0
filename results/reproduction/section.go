package reproduction

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/document"
	"r2lmlbench/results/study"
	"r2lmlbench/results/table"
	"r2lmlbench/stats"
)

// command is one of this program as typed, with the name of a spec.
func command(before, spec, after string) document.Code {
	return document.Code("r2lmlbench " + before + text.ShellWord(spec) + after)
}

// run is the command that computes a study.
func run(c study.Coverage) document.Code { return command("run ", c.Spec, "") }

// absent says how many entries of the table of a study have no result, and reports
// whether none has one.
func absent(s *document.Section, c study.Coverage) (empty bool) {
	return absentBut(s, c, "A number that needs them is given as “-”.")
}

// absentBut says what that means for the numbers in words of its own.
func absentBut(s *document.Section, c study.Coverage, numbers string) (empty bool) {
	switch {
	case c.Empty() && c.Failed == 0:
		s.Conclude("This study has not been run. %s computes it.", run(c))
	case c.Empty():
		s.Conclude("This study has no results: %s failed. %s tries again.", text.Counted(c.Failed, "cell"), command("run ", c.Spec, " --retry-failed"))
	case c.Missing > 0:
		s.Say("Of the %d %s in the table of this study, %s without a result (%d failed). %s",
			c.Cells, text.Agree(c.Cells, "entry", "entries"), text.IsAre(c.Missing), c.Failed, numbers)
	}
	return c.Empty()
}

// list adds a listing as a table: the first left columns are aligned to the left,
// the others to the right.
func list(s *document.Section, left int, l table.Listing) { s.Table(left, l.Head, l.Rows) }

// claimed is a claim of the paper beside what is so here, which is a clause.
func claimed(c study.Claim, here document.Inline) document.Claim {
	return document.Claim{ID: c.ID, Text: document.Textf("The paper says that %s. Here %s:", c.Statement, here), Verdict: c.Verdict, Note: lacking(c)}
}

// lacking says how many cells a claim lacks that cannot be told for want of them.
func lacking(c study.Claim) string {
	if c.Verdict != study.Undecided || c.Missing == 0 {
		return ""
	}
	return text.Counted(c.Missing, "cell") + " without a result"
}

// verdictsOn adds claims and sums up what came of them; about says what they are of.
func verdictsOn(s *document.Section, about string, all []document.Claim) {
	count := map[string]int{}
	for _, c := range all {
		count[c.Verdict]++
	}
	s.Claim(all...)
	var sums []string
	for _, verdict := range []string{study.Holds, study.Fails, study.Undecided} {
		sums = append(sums, fmt.Sprintf("%s %d", verdict, count[verdict]))
	}
	s.Conclude("Verdicts on the %s about %s: %s.", text.Counted(len(all), "statement"), about, strings.Join(sums, ", "))
}

// names are those of data sets.
func names(sets []study.Set) []string {
	all := make([]string, len(sets))
	for i, s := range sets {
		all[i] = s.Name
	}
	return all
}

// plains makes texts of strings.
func plains(all []string) []document.Inline {
	texts := make([]document.Inline, len(all))
	for i, one := range all {
		texts[i] = document.Plain(one)
	}
	return texts
}

// ratio is a fact as "3 of 4", "-" without it.
func ratio(f *results.Fact) string {
	if f == nil {
		return "-"
	}
	return strconv.Itoa(f.Count) + " of " + strconv.Itoa(f.Of)
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// introductions say, by study, what its tables compare.
var introductions = map[string]document.Inline{
	"auto": document.Plain("Step auto takes the step length of block 1 from the samples, by the largest eigenvalue of their scatter, " +
		"and halves it while a fit diverges. It also divides the samples by the root of that eigenvalue per sample, so that features in other units give " +
		"the same fit. So the maps start at another scale, and a value of λ weighs more or less than with the printed steps. " +
		"The differences below are of all three."),
	"regularized": document.Textf("The variant regularized adds to the objective a weight times the squared coefficients, as %s says; "+
		"the weight is in multiples of the largest eigenvalue of the first block 2.",
		document.Inline{document.Link{Text: "docs/regularized.md", Target: "../docs/regularized.md"}}),
}

// anyStudy shows a study that has no section of its own: its claims, then its
// tables.
func anyStudy(one Study) document.Section {
	s := document.Section{Title: one.Title}
	if about, ok := introductions[one.ID]; ok {
		s.Say("%s", about)
	}
	if absent(&s, one.Result.Covered()) {
		return s
	}
	var claims []document.Claim
	for _, c := range one.Result.Claims() {
		claims = append(claims, plainClaim(c))
	}
	s.Claim(claims...)
	if known := known(one.Result); len(known) > 0 {
		s.Gist = sentence(known[0])
	} else if len(claims) > 0 {
		s.Gist = document.Textf("Nothing can be told yet. %s computes what is missing.", run(one.Result.Covered()))
	}
	for _, l := range one.Result.Listings() {
		s.Heading("%s", l.Title)
		if len(l.Rows) == 0 {
			s.Say("No results yet.")
		} else {
			list(&s, texts(l), l)
		}
		s.List(plains(l.Notes)...)
	}
	return s
}

// known are the claims of a study that rest on something.
func known(r study.Result) []study.Claim {
	return slices.DeleteFunc(slices.Clone(r.Claims()), func(c study.Claim) bool { return c.Of == 0 })
}

// sentence is a claim with what came of it.
func sentence(c study.Claim) document.Inline {
	one := plainClaim(c)
	if one.Verdict == "" {
		return document.Textf("%s.", one.Text)
	}
	return document.Textf("%s %s.", one.Text, one.Verdict)
}

// plainClaim is a claim of which nothing is known but its data.
func plainClaim(c study.Claim) document.Claim {
	found := "nothing to count yet"
	if c.Of > 0 {
		found = strconv.Itoa(c.Count) + " of " + strconv.Itoa(c.Of)
	}
	if !math.IsNaN(c.P) {
		found += ", p " + stats.SayP(c.P)
	}
	if c.Sentence != "" {
		return document.Claim{ID: c.ID, Text: document.Plain(capitalized(c.Sentence))}
	}
	statement := capitalized(c.Statement)
	if c.Verdict == study.Counted {
		return document.Claim{ID: c.ID, Text: document.Textf("%s: %s", statement, found)}
	}
	if c.Found != "" {
		return document.Claim{ID: c.ID, Text: document.Textf("%s:", c.Found), Verdict: c.Verdict, Note: lacking(c)}
	}
	return document.Claim{ID: c.ID, Text: document.Textf("%s (%s):", statement, found), Verdict: c.Verdict, Note: lacking(c)}
}

// capitalized begins with a capital letter.
func capitalized(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// texts is up to which column a listing has words.
func texts(l table.Listing) int {
	last := 0
	for _, row := range l.Rows {
		for i, field := range row {
			if first, _ := utf8.DecodeRuneInString(field); unicode.IsLetter(first) {
				last = max(last, i+1)
			}
		}
	}
	return last
}

// number prints x, "-" if it is none.
func number(x float64, format byte, precision int) string {
	if math.IsNaN(x) {
		return "-"
	}
	return strconv.FormatFloat(x, format, precision, 64)
}
