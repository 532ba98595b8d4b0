package spec_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "r2lmlbench/experiments/spec"
	"r2lmlbench/internal/fixture"
)

// Stanzas take the parameters of single data sets from the base. What they say
// themselves comes before that, params as well as datasets.
func TestBase(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sub", "mine.yaml"), `
name: mine
base: ../base.yaml
datasets: [robot, heart, sonar]
methods:
  - method: e-r2lml
    params: {lambda: 3}
    sweep: {metrics: [2, 3]}
    datasets: {heart: {step: 4}}
  - method: t-r2lml
    params: {step: 5}
  - method: euclidean
`)
	write(t, filepath.Join(dir, "base.yaml"), `
name: base
datasets: [robot]
methods:
  - method: e-r2lml
    params: {variant: published, step: 1}
    datasets: {A: {step: 1e-5}, heart: {step: 1e-8, lambda: 7}, sonar: {step: 1e-3, metrics: 9}}
  - method: e-r2lml
    name: second
    params: {step: 1}
    datasets: {robot: {step: 2}}
`)
	spec := fixture.Must(Load(filepath.Join(dir, "sub", "mine.yaml")))(t)
	got := map[string][]float64{}
	for _, set := range []string{"robot", "heart", "sonar"} {
		p := spec.Columns[1].Points(set)[0].Params
		if p["variant"] != "reference" || p["metrics"] != 3 {
			t.Errorf("%s: %v; params of the base are not inherited, and a swept value counts", set, p)
		}
		got[set] = []float64{p["step"].(float64), p["lambda"].(float64), spec.Columns[2].Points(set)[0].Params["step"].(float64)}
	}
	want := map[string][]float64{"robot": {1e-5, 3, 5}, "heart": {4, 3, 5}, "sonar": {1e-3, 3, 5}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Faults of a base are reported where they stand, and a base that cannot be used
// where it is named.
func TestBaseFaults(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "bad.yaml"), "name: bad\ndatasets: [robot]\nmethods:\n  - method: e-r2lml\n    datasets: {robot: {stpe: 1}}\n")
	write(t, filepath.Join(dir, "torn.yaml"), "name: torn\ndatasets: [robot\n")
	write(t, filepath.Join(dir, "twice.yaml"), "name: twice\nbase: accuracy\ndatasets: [robot]\nmethods: [{method: euclidean}]\n")
	for base, want := range map[string]string{
		"bad.yaml":   filepath.Join(dir, "bad.yaml") + `:5:24: unknown key "stpe"`,
		"torn.yaml":  filepath.Join(dir, "torn.yaml") + ":2",
		"twice.yaml": filepath.Join(dir, "twice.yaml") + ":2:7: a spec that serves as a base cannot have a base",
		"mine.yaml":  filepath.Join(dir, "mine.yaml") + ":2:7: a spec that serves as a base cannot have a base",
		"quick":      filepath.Join(dir, "mine.yaml") + ":2:7: quick has a base itself; name that, which is accuracy",
		"acuracy":    `no embedded spec acuracy; did you mean "accuracy"?`,
		".":          filepath.Join(dir, "mine.yaml") + ":2:7: ",
	} {
		path := filepath.Join(dir, "mine.yaml")
		write(t, path, "name: mine\nbase: "+base+"\ndatasets: [robot]\nmethods: [{method: euclidean}]\n")
		if _, err := Load(path); !errors.Is(err, ErrSpec) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", base, err, want)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	fixture.Check(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)))
}
