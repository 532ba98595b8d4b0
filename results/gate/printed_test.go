package gate_test

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/spectest"
	"r2lmlbench/results/gate"
)

// TestGateOfTheTable: cells that are all the accepted ones make the accepted table, or
// the gate is changed.
func TestGateOfTheTable(t *testing.T) {
	accepted := acceptedStore(t)
	p, fresh := spectest.GatedCells(t)
	list, _, err := accepted.Accepted("gated")
	if err != nil {
		t.Fatal(err)
	}
	forms := slices.Sorted(maps.Keys(list.Printed))
	if want := []string{"csv", "json", "latex", "markdown", "splits", "text"}; !slices.Equal(forms, want) {
		t.Fatalf("accepted forms %q, want %q", forms, want)
	}
	if g := gateOf(t, p, fresh, accepted); g.Status != gate.Pass || len(g.Tables) > 0 {
		t.Fatalf("gate %s, tables %q", g.Status, g.Tables)
	}

	// Another program printed the text that was accepted.
	update := fixture.Must(accepted.Update(context.Background(), "gated"))(t)
	list.Printed["text"] = strings.Repeat("0", 64)
	err = update.Commit(list)
	update.Close()
	if err != nil {
		t.Fatal(err)
	}
	g := gateOf(t, p, fresh, accepted)
	if g.Status != gate.Changed || !g.Failed || !slices.Equal(g.Tables, []string{"text"}) || len(statuses(g)) > 0 {
		t.Errorf("gate %s, failed %t, tables %q, cells %q", g.Status, g.Failed, g.Tables, statuses(g))
	}
	var junit bytes.Buffer
	if err := g.Render(&junit, "junit"); err != nil || !strings.Contains(junit.String(), `failures="1"`) {
		t.Errorf("JUnit (%v):\n%s", err, junit.String())
	}
	if g, err := gate.Of(p, fresh, accepted, gate.Options{AllowChanged: true}); err != nil || g.Failed {
		t.Errorf("allowed: gate %s failed %t, %v", g.Status, g.Failed, err)
	}
	narrowed := *p.Spec
	fixture.Check(t, narrowed.Narrow(nil, []string{"euclidean"}))
	if g := gateOf(t, spectest.PlanFor(t, &narrowed), fresh, accepted); g.Status != gate.Pass {
		t.Errorf("narrowed to one method: gate %s; its table is another one and is not compared", g.Status)
	}
}
