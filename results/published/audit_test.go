package published

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"r2lmlbench/internal/golden"
	"r2lmlbench/results"
	"r2lmlbench/stats"
)

func TestAudit(t *testing.T) {
	var b strings.Builder
	for _, f := range Audit() {
		line, err := results.CanonicalJSON(f)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	golden.Equal(t, "testdata/audit.jsonl", []byte(b.String()))
	golden.Equal(t, "testdata/audit-remark.txt", []byte(RankRemark()+"\n"))
}

// reference is the audit of the same table made elsewhere, with display names.
type reference struct {
	Rows []struct {
		Row         string      `json:"row"`
		N           int         `json:"n_used"`
		NPrinted    int         `json:"n_printed"`
		Unreachable []string    `json:"granularity_impossible"`
		Skipped     []int       `json:"skipped_ranks"`
		Inversions  [][2]string `json:"inversions"`
		NotBold     []string    `json:"bold_not_rank1"`
		Claims      map[string][]struct {
			Leader  string   `json:"leader"`
			Other   string   `json:"other"`
			AtLeast *float64 `json:"holm_p_at_least"`
			AtMost  *float64 `json:"holm_p_at_most"`
		} `json:"infeasible_rank_claims"`
	} `json:"rows"`
}

// TestAuditAgainstReference compares what is found, no more and no less.
func TestAuditAgainstReference(t *testing.T) {
	shared := os.Getenv("R2LMLBENCH_SHARED")
	if shared == "" {
		t.Skip("set R2LMLBENCH_SHARED to the folder that has golden/stats/table2_audit.json")
	}
	data, err := os.ReadFile(filepath.Join(shared, "golden", "stats", "table2_audit.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want reference
	if err := json.Unmarshal(data, &want); err != nil || len(want.Rows) != 18 {
		t.Fatalf("%v, %d rows", err, len(want.Rows))
	}
	for key, test := range map[string]stats.Test{"exact": stats.Exact, "midp": stats.MidP, "cc": stats.ChiSquaredCC, "chi2": stats.ChiSquared} {
		if diff := cmp.Diff(want.ranks(key), keys(ranksFindings(test))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	rest := slices.DeleteFunc(Audit(), func(f Finding) bool { return f.Kind == KindProse })
	if diff := cmp.Diff(want.all(), keys(rest)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// all lists the keys of all findings but those on prose.
func (r reference) all() []string {
	all := r.ranks("exact")
	for _, row := range r.Rows {
		add := func(parts ...any) { all = append(all, strings.ToLower(row.Row)+" "+fmt.Sprint(parts...)) }
		if row.N != row.NPrinted {
			add(KindSize, " ", row.NPrinted, " ", row.N)
		}
		for _, name := range row.Unreachable {
			add(KindUnreachable, " ", strings.ToLower(name))
		}
		for range row.Skipped {
			add(KindSkippedRank)
		}
		for _, pair := range row.Inversions {
			add(KindInversion, " ", strings.ToLower(pair[0]), " ", strings.ToLower(pair[1]))
		}
		for _, name := range row.NotBold {
			add(KindBold, " ", strings.ToLower(name))
		}
	}
	slices.Sort(all)
	return all
}

// ranks lists the keys of the infeasible ranks by one variant of the test.
func (r reference) ranks(test string) []string {
	var all []string
	for _, row := range r.Rows {
		for _, c := range row.Claims[test] {
			bound := c.AtMost
			if c.AtLeast != nil {
				bound = c.AtLeast
			}
			all = append(all, rankKey(row.Row, c.Other, c.Leader, *bound))
		}
	}
	slices.Sort(all)
	return all
}

func rankKey(letter, other, leader string, bound float64) string {
	return strings.ToLower(fmt.Sprintf("%s %s %s %s %.4g", letter, KindInfeasibleRank, other, leader, bound))
}

// keys spells findings as the reference does; the second method of a finding is
// in its text only.
func keys(findings []Finding) []string {
	var all []string
	for _, f := range findings {
		second := ""
		for _, word := range strings.FieldsFunc(strings.ToLower(f.Text), func(r rune) bool { return r == ' ' || r == ',' }) {
			if _, ok := Lookup(f.Letter, word); ok && second == "" {
				second = word
			}
		}
		letter := strings.ToLower(f.Letter)
		switch f.Kind {
		case KindInfeasibleRank:
			all = append(all, rankKey(f.Letter, f.Method, second, f.Bound))
		case KindInversion:
			all = append(all, letter+" "+f.Kind+" "+f.Method+" "+second)
		case KindSize:
			all = append(all, letter+" "+f.Kind+" "+f.Printed+" "+f.Nearest)
		default:
			all = append(all, strings.TrimSpace(letter+" "+f.Kind+" "+f.Method))
		}
	}
	slices.Sort(all)
	return all
}

// Rows that break every rule there is.
func TestAuditOfBadRows(t *testing.T) {
	rows := printedRows([]Number{
		{"Y", "toy", "a", "50.00", 3, true, 70},
		{"Y", "toy", "b", "90.00", 1, false, 70},
		{"Z", "toy", "a", "50.01", 1, true, 70},
	})
	if len(rows) != 2 || len(rows[0].cells) != 2 {
		t.Fatalf("rows %+v", rows)
	}
	var texts []string
	for _, f := range rows[0].bold() {
		texts = append(texts, f.Method+": "+f.Text)
	}
	if want := []string{"a: it has rank 3 and is printed in bold", "b: it has rank 1 and is not printed in bold"}; !slices.Equal(texts, want) {
		t.Errorf("bold: %q", texts)
	}
	if got := rows[0].skippedRanks(); len(got) != 1 || got[0].Printed != "1, 3" || got[0].Nearest != "1, 2" {
		t.Errorf("skipped ranks: %+v", got)
	}
	want := Finding{Kind: KindUnreachable, Table: "accuracy", Letter: "Z", Method: "a", Printed: "50.01", Nearest: "50.00",
		Text: "50.01 is no whole number of 70 test samples; the nearest, 35, prints as 50.00"}
	if got := rows[1].unreachable(); len(got) != 1 || got[0] != want {
		t.Errorf("unreachable: %+v, want %+v", got, want)
	}
}

// The two tables on synthetic data pass, and a changed digit does not.
func TestAuditOfLambda(t *testing.T) {
	points := LambdaPoints()
	if len(points) != 14 || points[0].Zeros != nil || points[6].agreedZeros() != 0 || points[13].agreedZeros() != 0 {
		t.Fatalf("points %+v", points)
	}
	if got := unreachableLambda(points); got != nil {
		t.Errorf("unreachable: %+v", got)
	}
	bad := slices.Clone(points[:1])
	bad[0].Accuracy = "0.545" // 174/320 = 0.54375, 175/320 = 0.546875
	want := Finding{Kind: KindUnreachable, Table: "lambda", Letter: "overlap", Method: "e-r2lml", Printed: "0.545", Nearest: "0.544",
		Text: "at lambda 0, 0.545 is no whole number of 320 test samples; the nearest, 174, prints as 0.544"}
	if got := unreachableLambda(bad); len(got) != 1 || got[0] != want {
		t.Errorf("unreachable: %+v, want %+v", got, want)
	}
	// P(X ≤ 13), X ~ Bin(60, 1/2): Python: sum(comb(60, k) for k in range(14)) / 2**60
	got := zeroedFeatures(points)
	if len(got) != 1 || math.Abs(got[0].Bound-6.073354011478654e-06) > 1e-11 || got[0].Printed != "0.5" || got[0].Nearest != "0.22" {
		t.Errorf("zeroed features: %+v", got)
	}
	for _, zeros := range [][]int{nil, {0, 0, 0}, {30, 30, 30}} {
		if got := zeroedFeatures([]Lambda{{Features: 60, Zeros: zeros}}); got != nil {
			t.Errorf("%v zeroed: %+v", zeros, got)
		}
	}
}

func TestLambdaAgainstTranscript(t *testing.T) {
	shared := os.Getenv("R2LMLBENCH_SHARED")
	if shared == "" {
		t.Skip("set R2LMLBENCH_SHARED to the folder that has paper/lambda.csv")
	}
	number := strings.NewReplacer("1e2", "100", "1e3", "1000", "1e4", "10000", "1e5", "100000")
	for i, f := range readCSV(t, filepath.Join(shared, "paper", "lambda.csv")) {
		p := LambdaPoints()[i]
		got := []string{p.Study, fmt.Sprint(p.Features), p.Lambda, p.Accuracy}
		for _, zeros := range p.Zeros {
			got = append(got, fmt.Sprint(zeros))
		}
		want := slices.DeleteFunc(f, func(s string) bool { return s == "" })
		want[2] = number.Replace(want[2])
		if !slices.Equal(got, want) || p.Test != 320 {
			t.Errorf("line %d: %v of %d, want %v", i+2, got, p.Test, want)
		}
	}
}

func TestParseLambdaRefuses(t *testing.T) {
	const head = "study,features,test,lambda,accuracy,zeros_1,zeros_2,zeros_3\n"
	for _, text := range []string{
		"", "a,b\nA,B\n",
		head + "sparse,sixty,320,0,0.725,0,0,0\n",
		head + "sparse,60,320,0,0.725,0,none,0\n",
	} {
		if _, err := read(text, 8, readLambda); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// ranksFindings are the findings of kind infeasible-rank for one variant of
// McNemar's test; Audit has those of the exact one. The paper does not name its
// variant, and each of them leaves ranks that cannot be.
func ranksFindings(test stats.Test) []Finding {
	var all []Finding
	for _, r := range printedRows(parsed()) {
		all = append(all, r.infeasibleRanks(test)...)
	}
	return all
}
