package spec_test

import (
	"strings"
	"testing"

	"r2lmlbench/datasets"
	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
)

// Sonar has 20 training samples in each of 2 classes, robot 60 in each of 4, glass 3 in
// each of 6; sonar has 60 features.
func TestWarnings(t *testing.T) {
	asIs := func(e datasets.Entry) datasets.Entry { return e } // no more is known of a set than in the catalogue
	const two = "methods: [{method: euclidean}, {method: rca}]\n"
	for _, c := range []struct{ name, text, want string }{
		{"all vote", "datasets: [sonar, robot]\nneighbors: 500\n" + two,
			"w.yaml:3:12: neighbors is 500, more than the training samples of sonar (40), robot (240)"},
		{"a class", "datasets: [sonar, robot]\nneighbors: 21\n" + two,
			"w.yaml:3:12: neighbors is 21, more than the training samples of a class of sonar (20)"},
		{"the default", "datasets: [glass]\n" + two, "w.yaml:1:1: neighbors is 5, more than the training samples of a class of glass (3)"},
		{"just enough", "datasets: [sonar]\nneighbors: 20\n" + two, ""},
		{"random splits", "datasets: [sonar]\nsplit: {rule: random, repeats: 3}\nneighbors: 41\n" + two, "w.yaml:4:12: neighbors is 41"},
		{"sizes of the rule", "datasets: [sonar]\nsplit: {rule: first, train: 30, validation: 20}\nneighbors: 61\n" + two,
			"w.yaml:4:12: neighbors is 61, more than the training samples of sonar (60)"},
		{"one row", "datasets: [sonar]\nsplit: {rule: first, train: 1, validation: 20}\nneighbors: 1\n" + two,
			"w.yaml:3:29: train is 1, so that one row of each class trains; shares are below 1"},
		{"unknown sizes", "datasets: ['mat:mine']\nneighbors: 500\n" + two, ""},
		{"target neighbors", "datasets: [sonar]\nmethods:\n- {method: lmnn, params: {neighbors: 20}}\n",
			"w.yaml:4: neighbors of lmnn is 20, more than the others that a training sample has in its class on sonar (19)"},
		{"too many metrics", "datasets: [sonar]\nmethods:\n- {method: e-r2lml, params: {metrics: 41, step: 1}}\n",
			"w.yaml:4: metrics of e-r2lml is 41, more than the training samples on sonar (40)"},
		{"a sensible point", "datasets: [sonar]\nmethods:\n- {method: e-r2lml, params: {step: 1}, grid: {metrics: [1, 41]}}\n", ""},
		{"ranks", "datasets: [sonar]\nmethods:\n- {method: dmlmj, grid: {rank: [61, 70]}}\n", "w.yaml:4: rank of dmlmj is 61, more than the features on sonar (60)"},
		{"seeds", "datasets: [sonar]\nseeds: 3\n" + two, "w.yaml:3:8: seeds is 3, and none of the methods draws random numbers"},
		{"k of a grid", "datasets: [sonar]\nmethods:\n- {method: euclidean, grid: {k: [1, 41]}}\n",
			"w.yaml:4: k of euclidean is 41, more than the training samples of sonar (40)"},
		{"k of a stanza", "datasets: [sonar]\nmethods:\n- {method: euclidean}\n- {method: rca, params: {k: 21}}\n",
			"w.yaml:5: k of rca is 21, more than the training samples of a class of sonar (20)"},
		{"nothing to choose", "datasets: [sonar]\nselect: kappa\n" + two, "w.yaml:3:9: select chooses among the settings of grids, and no method has a grid"},
		{"something to choose", "datasets: [sonar]\nselect: kappa\nmethods:\n- {method: euclidean}\n- {method: rca, grid: {k: [1, 3]}}\n", ""},
		{"folds of no use", "datasets:\n- {id: own, file: ./own.csv, label: last, fold: part}\nsplit: {rule: cv}\n" + two,
			"w.yaml:3:49: the folds of the column are not used under `rule: cv`"},
		{"folds", "datasets:\n- {id: own, file: ./own.csv, label: last, fold: part}\n" + two, ""},
		{"four test samples", "datasets: [toy]\nneighbors: 1\n" + two, "no two of 2 columns can differ significantly on the test samples of toy (4)"},
		{"untuned beside tuned", "datasets: [sonar]\nmethods:\n- {method: itml}\n- {method: kissme, grid: default}\n", "w.yaml:4: itml is not tuned"},
		{"none is tuned", "datasets: [sonar]\nmethods: [{method: itml}, {method: kissme}]\n", ""},
		{"nothing to tune", "datasets: [sonar]\nmethods: [{method: euclidean}, {method: lmnn}, {method: kissme, grid: default}]\n", ""},
		{"swept", "datasets: [sonar]\nmethods: [{method: itml, sweep: {gamma: [1, 10]}}, {method: kissme, grid: default}]\n", ""},
		{"scaled", "datasets: [sonar]\nmethods: [{method: itml, grid: {features: [raw, zscore]}}, {method: kissme, grid: default}]\n", ""},
	} {
		var got []string // as validate shows them
		for _, w := range fixture.Must(Parse("w.yaml", []byte("name: w\n"+c.text)))(t).Warnings("w.yaml", asIs) {
			got = append(got, w.Error())
		}
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
