package spec_test

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/registry"
	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
)

// mostMemory is what a spec that validates may ask for at most, in bytes: for its
// plan and table, and for what the parameters of one fit add.
const mostMemory = 2 << 30

// largest are the sizes of the largest problem among the catalogue's data sets.
func largest() (size method.Size) {
	for _, e := range datasets.All() {
		d := e.Features
		if e.PCA > 0 {
			d = e.PCA
		}
		size.N = max(size.N, e.Sizes.Train*len(e.Labels))
		parts, _ := datasets.Rule{}.PartSizes(e)
		size.M = max(size.M, parts[2])
		size.D = max(size.D, d)
		size.C = max(size.C, len(e.Labels))
	}
	return size
}

// unitBytes is what raising an integer parameter by one adds to the memory of a fit,
// generously: a linear map has D² numbers, a few of which are kept at a time.
func unitBytes(parameter string, s method.Size) float64 {
	n, m, d := float64(s.N), float64(s.M), float64(s.D)
	switch parameter {
	case "metrics":
		return 8 * (10*d*d + 4*(n+m))
	case "anchors": // a metric each, and a weight for every sample
		return 8 * (3*d*d + 4*(n+m))
	case "bases": // a direction each, and a projection of every sample
		return 8 * (d + 4*(n+m))
	case "rank", "local_neighbor": // no more directions than features, one distance of every sample
		return 0
	case "neighbors": // those of every sample
		return 8 * 4 * n
	case "iterations", "epochs": // a value of the objective and its statistics
		return 8 * 4
	}
	return -1
}

// fields lists the fields of the hyper-parameters of a method.
func fields(m method.Method) []reflect.StructField {
	var all []reflect.StructField
	t := m.Family.Prototype()
	for i := range t.NumField() {
		if tag := t.Field(i).Tag.Get("yaml"); tag != "" && tag != "-" {
			all = append(all, t.Field(i))
		}
	}
	return all
}

// Every integer parameter of every method has a bound, with which a fit to the
// largest set stays within mostMemory; the number behind it is refused at its place.
func TestParametersAreBounded(t *testing.T) {
	size := largest()
	checked := 0
	for _, m := range registry.Methods {
		maximum := map[string]any{}
		for _, p := range m.Parameters() {
			maximum[p.Name] = p.Maximum
		}
		for _, f := range fields(m) {
			if f.Type.Kind() != reflect.Int {
				continue
			}
			checked++
			name := f.Tag.Get("yaml")
			most := fixture.Must(strconv.Atoi(fmt.Sprint(maximum[name])))(t)
			each := unitBytes(name, size)
			if m.ID == "dann" && name == "neighbors" {
				each = 8 // those of one query at a time, and no more than there are samples
			}
			if bytes := each * float64(most); each < 0 || bytes > mostMemory {
				t.Errorf("%s: %s up to %d takes %.0f MiB", m.ID, name, most, bytes/(1<<20))
			}
			for _, where := range []string{"params: {%s: %d}", "grid: {%s: [1, %d]}", "sweep: {%s: [1, %d]}", "datasets: {I: {%s: %d}}"} {
				stanza := fmt.Sprintf(where, name, most+1)
				_, err := Parse("f.yaml", []byte("name: x\ndatasets: I\nmethods:\n  - method: "+m.ID+"\n    "+stanza+"\n"))
				fixture.Says(t, err, fmt.Sprintf("f.yaml:5:%d: %s is %d, want at most %d", 5+strings.Index(stanza, strconv.Itoa(most+1)), name, most+1, most))
			}
		}
	}
	if checked < 10 {
		t.Errorf("%d integer parameters checked", checked)
	}
}

// TestBoundsOfSpecs: numbers of a spec as a whole, and products of parameters.
func TestBoundsOfSpecs(t *testing.T) {
	fixture.Long(t)
	grid := "[" + strings.Repeat("1, ", 99) + "1]"
	var columns, sets []string
	for i := range 101 {
		columns = append(columns, fmt.Sprintf("{method: euclidean, name: c%d}", i))
	}
	for i := range 501 {
		sets = append(sets, fmt.Sprintf("overlap30:%d", i+2))
	}
	for name, c := range map[string]struct{ spec, want string }{
		"neighbors": {"datasets: I\nneighbors: 100001\nmethods: [{method: euclidean}]", "f.yaml:3:12: neighbors is 100001, want a number from 0 to 100000"},
		"columns":   {"datasets: I\nmethods: [" + strings.Join(columns, ", ") + "]", "more than 100 columns"},
		"data sets": {"datasets: [" + strings.Join(sets, ", ") + "]\nmethods: [{method: euclidean}]", "more than 500 data sets"},
		"cells": {"datasets: [I, H]\nseeds: 10000\nsplit: {rule: random, repeats: 11}\nmethods:\n  - {method: itml}",
			"f.yaml:6:5: with this stanza the spec has 220000 cells"},
		"grid": {"datasets: I\nmethods: [{method: itml, grid: {gamma: " + grid + ", epochs: " + grid + ", lambda: [1, 2]}}]", "want at most 10000"},
		"grid points": {"datasets: I\nseeds: 10000\nsplit: {rule: random, repeats: 10000}\n" +
			"methods: [{method: external, restarts: 100, params: {command: [sh]}}]", "10000000000 grid points"},
		"iterations": {"datasets: I\nmethods:\n  - {method: e-r2lml, params: {step: 1e-5, metrics: 100, epochs: 1000, iterations: 101}}",
			"f.yaml:4:5: e-r2lml on ionosphere: metrics 100, epochs 1000 and iterations 101 make more than 10000000 iterations"},
	} {
		t.Run(name, func(t *testing.T) {
			fixture.Says(t, fixture.Error(Parse("f.yaml", []byte("name: x\n"+c.spec+"\n"))), c.want)
		})
	}
}

// askedFor is the memory that a spec asks for, in bytes: for its cells and grid
// points while they are planned and shown, for the pairs of its table, its data sets,
// and what the parameters of its largest fit add.
func askedFor(s *Spec, size method.Size) float64 {
	var cells, points, pairs, fit float64
	for i := range s.Columns {
		c := &s.Columns[i]
		for _, e := range s.Sets {
			runs := float64(c.SeedsOf(e.ID) * s.Split.Repeats)
			cells += runs
			points += float64(len(c.Settings[e.ID]) * c.Restarts)
			for _, setting := range c.Settings[e.ID] {
				model := 0.0
				for name, value := range method.ParamsOf(setting) {
					if n, ok := value.(int); ok {
						model += float64(n) * max(unitBytes(name, size), 0)
					}
				}
				fit = max(fit, model)
			}
		}
		pairs += float64(i * len(s.Sets) * s.Split.Repeats)
	}
	return 2048*cells + 512*points + 160*pairs + float64(len(s.Sets))*(1<<20) + fit
}

// No spec that validates asks for more than mostMemory.
func TestValidSpecsFitIntoMemory(t *testing.T) {
	fixture.Long(t)
	size := largest()
	number := rapid.Custom(func(t *rapid.T) int {
		return rapid.IntRange(1, 9).Draw(t, "digit") * rapid.SampledFrom([]int{1, 10, 100, 1000, 10_000, 100_000, 1_000_000_000}).Draw(t, "power")
	})
	valid := 0
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		fmt.Fprintf(&b, "name: x\ndatasets: %s\n", rapid.SampledFrom([]string{"all", "I", "[twonorm-gen, overlap30]"}).Draw(t, "sets"))
		fmt.Fprintf(&b, "seeds: %d\nneighbors: %d\n", number.Draw(t, "seeds"), number.Draw(t, "neighbors"))
		if rapid.Bool().Draw(t, "random") {
			fmt.Fprintf(&b, "split: {rule: random, repeats: %d}\n", number.Draw(t, "repeats"))
		}
		b.WriteString("methods:\n")
		for i := range rapid.IntRange(1, 3).Draw(t, "stanzas") {
			m := rapid.SampledFrom(registry.Methods[:12]).Draw(t, "method")
			fmt.Fprintf(&b, "  - method: %s\n    name: c%d\n", m.ID, i)
			var params []string
			for _, f := range fields(m) {
				switch name := f.Tag.Get("yaml"); {
				case name == "step":
					params = append(params, "step: 1e-6")
				case f.Type.Kind() == reflect.Int && rapid.Bool().Draw(t, "given"):
					params = append(params, fmt.Sprintf("%s: %d", name, number.Draw(t, name)))
				}
			}
			fmt.Fprintf(&b, "    params: {%s}\n", strings.Join(params, ", "))
			if rapid.Bool().Draw(t, "grid") {
				fmt.Fprintf(&b, "    grid: {feature-scale: [%s1]}\n", strings.Repeat("2, ", min(number.Draw(t, "settings"), 3000)))
			}
		}
		s, err := Parse("f.yaml", []byte(b.String()))
		if err != nil {
			return
		}
		valid++
		if bytes := askedFor(s, size); bytes > mostMemory {
			t.Fatalf("%.0f MiB:\n%s", bytes/(1<<20), b.String())
		}
	})
	if valid == 0 {
		t.Error("no valid spec was drawn")
	}
}

// A program is given as many variables as the schema allows, and not one more.
func TestMostVariables(t *testing.T) {
	schema := compiledSchema(t)
	for n, valid := range map[int]bool{100: true, 101: false} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprint("A", i))
		}
		text := "name: x\ndatasets: [robot]\nmethods: [{method: external, params: {command: [sh]}, env: [" + strings.Join(names, ", ") + "]}]\n"
		_, err := Parse("x.yaml", []byte(text))
		if schemaErr := schema.Validate(jsonValue(t, []byte(text))); (err == nil) != valid || (schemaErr == nil) != valid {
			t.Errorf("%d variables: %v; the schema: %v", n, err, schemaErr)
		}
	}
}
