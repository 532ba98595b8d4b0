package cli

import "testing"

// A parameter on the command line is a value and never a piece of a spec.
func TestParametersAreValues(t *testing.T) {
	for _, param := range []string{"gamma=1\n  - method: euclidean", "gamma={a: 1", "gamma", "=1", "gamma=1\n    grid: {gamma: [2]}"} {
		f := fitting{method: "itml", params: []string{param}}
		if setting, err := f.given(); err == nil {
			t.Errorf("%q gives %v", param, setting)
		}
	}
	f := fitting{method: "itml", params: []string{"gamma=0.5", "features=zscore"}}
	if _, err := f.given(); err != nil {
		t.Error(err)
	}
}
