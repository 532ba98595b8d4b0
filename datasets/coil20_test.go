package datasets

import (
	"testing"

	"r2lmlbench/internal/fixture"
)

func TestLoadCOIL20(t *testing.T) {
	views := 20 * coilViews
	fea := matrix{"fea", views, make([]float64, views*1024)}
	gnd := matrix{"gnd", views, make([]float64, views)}
	for i := range views {
		fea.data[i] = float64(i) // first pixel
		gnd.data[i] = float64(1 + i/coilViews)
	}
	raw := fixture.Must(loadCOIL20(map[string][]byte{"COIL20.mat": matFile(fea, gnd)}))(t)
	for _, c := range []struct {
		row   int
		pixel float64
		label string
	}{{0, 0, "1"}, {2, 10, "1"}, {71, 9, "1"}, {72, 72, "2"}, {74, 82, "2"}, {1439, 1377, "20"}} {
		if raw.X[c.row][0] != c.pixel || raw.Labels[c.row] != c.label {
			t.Errorf("row %d is row %v of object %s, want %v of %s", c.row, raw.X[c.row][0], raw.Labels[c.row], c.pixel, c.label)
		}
	}
	for _, c := range []struct {
		file []byte
		want string
	}{
		{matFile(fea), "COIL20.mat: fea is 1440 x 1024 and gnd 0 x 0"},
		{matFile(matrix{"fea", 2, []float64{1, 2}}, gnd), "fea is 2 x 1 and"},
		{nil, "COIL20.mat: matfile: shorter"},
	} {
		fixture.Says(t, fixture.Error(loadCOIL20(map[string][]byte{"COIL20.mat": c.file})), c.want)
	}
}
