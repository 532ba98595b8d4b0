package rank

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/results/gate"
	"r2lmlbench/results/store"
	"r2lmlbench/stats"
)

// gated compares two files by the gate with a tolerance.
func gated(inputs []gate.Input, tolerance float64) gate.Gate {
	return gate.New(gate.Terms{Name: "f", Test: stats.Exact, Alpha: 0.05, Tolerance: tolerance, LossesOnly: true}, nil, inputs)
}

func inputsOf(t *testing.T, kept, fresh string) []gate.Input {
	t.Helper()
	before := fixture.Must(readAnswers("kept", []byte(kept)))(t)
	now := fixture.Must(readAnswers("fresh", []byte(fresh)))(t)
	return GateInputs(before, now)
}

// The same answers pass in another order and with other codes of labels; an error names
// what is not on both sides.
func TestGateInputs(t *testing.T) {
	const head = "item,system,label,truth\n"
	kept := head + "1,A,cat,cat\n2,A,dog,dog\n3,A,cat,dog\n1,B,cat,cat\n2,B,dog,dog\n3,B,dog,dog\n"
	for name, c := range map[string]struct {
		fresh, status, says string
	}{
		"other order":   {head + "3,B,dog,dog\n3,A,cat,dog\n1,B,cat,cat\n2,A,dog,dog\n1,A,cat,cat\n2,B,dog,dog\n", gate.Pass, ""},
		"another wrong": {strings.Replace(kept, "3,A,cat", "3,A,emu", 1), gate.Pass, "1 of 3 predictions differs"},
		"a gain":        {strings.Replace(kept, "3,A,cat", "3,A,dog", 1), gate.Pass, "66.67 -> 100.00"},
		"a loss":        {strings.Replace(kept, "3,B,dog", "3,B,cat", 1), gate.Regressed, "33.33 points lost, more than the tolerance of 1"},
		"an item less":  {strings.Replace(kept, "2,A,dog,dog\n", "", 1), gate.Error, "1 item not the same in both files, such as \"2\": only the kept file has it"},
		"an item more":  {kept + "4,B,dog,dog\n", gate.Error, "such as \"4\": only the new file has it"},
		"a system more": {kept + "1,C,cat,cat\n", gate.Error, "no answers in the kept file"},
		"a system less": {head + "1,A,cat,cat\n2,A,dog,dog\n3,A,cat,dog\n", gate.Error, "no answers in the new file"},
		"other truth": {strings.NewReplacer("3,A,cat,dog", "3,A,cat,cat", "3,B,dog,dog", "3,B,dog,cat").Replace(kept),
			gate.Error, "\"3\": its truth was \"dog\" and is \"cat\""},
	} {
		g := gated(inputsOf(t, kept, c.fresh), 1)
		reasons := ""
		for _, cell := range g.Cells {
			reasons += cell.Reason + "\n"
		}
		if g.Status != c.status || g.Failed != (c.status != gate.Pass) || !strings.Contains(reasons, c.says) {
			t.Errorf("%s: %s, failed %v, want %s and %q:\n%s", name, g.Status, g.Failed, c.status, c.says, reasons)
		}
	}
}

// 1,000 pairs of runs of a system without a true difference: of 500 items 300 are always
// right, 150 always wrong, and 50 right by chance, anew in each run. docs/gate.md states the
// shares of red gates, of one system and of 20 in a file, as they are counted here, and how
// often 25 items that are lost beside are not seen.
func TestFalseAlarms(t *testing.T) {
	fixture.Long(t)
	const blocks, systems, items = 50, 20, 500
	names := make([]string, items)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	draw := rand.New(rand.NewPCG(1, 500))
	run := func(lost int) File {
		f := File{Name: "run", groups: map[store.Key]*group{}, labels: index{numbers: map[string]int32{}}}
		for s := range systems {
			for i := range items {
				correct := "0"
				if i >= lost && (i < 300 || i >= 450 && draw.IntN(2) == 1) {
					correct = "1"
				}
				fixture.Check(t, f.add(i, fields{"dataset": "d", "system": names[s], "item": names[i], "correct": correct}))
			}
		}
		return f
	}
	tolerances := []float64{1, 2, 3}
	red, files, missed, pairs := map[float64]int{}, map[float64]int{}, map[float64]int{}, 0
	for range blocks {
		kept := run(0)
		same, worse := GateInputs(kept, run(0)), GateInputs(kept, run(25))
		pairs += len(same)
		for _, tolerance := range tolerances {
			for i := range same {
				if gated(same[i:i+1], tolerance).Failed {
					red[tolerance]++
				}
				if !gated(worse[i:i+1], tolerance).Failed {
					missed[tolerance]++
				}
			}
			if gated(same, tolerance).Failed {
				files[tolerance]++
			}
		}
	}
	document := fixture.Must(os.ReadFile("../../docs/gate.md"))(t)
	share := func(n, of int) float64 { return 100 * float64(n) / float64(of) }
	for _, tolerance := range tolerances {
		line := fmt.Sprintf("| %g | %.1f %% | %.0f %% | %.1f %% |", tolerance,
			share(red[tolerance], pairs), share(files[tolerance], blocks), share(missed[tolerance], pairs))
		fixture.Has(t, "docs/gate.md", string(document), line)
	}
	fixture.Equal(t, "pairs", pairs, blocks*systems)
}
