package datasets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"r2lmlbench/internal/codecs"
)

// coilViews is the number of pictures of each object, five degrees apart.
const coilViews = 72

// loadCOIL20 reads COIL20.mat: row n of fea is a picture of 32×32 pixels, row n of
// gnd its object. The file has the views of an object in the order of their angles;
// the paper uses the order in which a directory lists the picture files, with view
// 10 before view 2, and so do we.
func loadCOIL20(files map[string][]byte) (*Raw, error) {
	const name = "COIL20.mat"
	arrays, err := codecs.ReadMAT(files[name])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	fea, gnd := arrays["fea"], arrays["gnd"]
	if fea.Rows != 20*coilViews || fea.Cols != 1024 || gnd.Rows != fea.Rows || gnd.Cols != 1 {
		return nil, fmt.Errorf("%s: fea is %d x %d and gnd %d x %d, want 1440 x 1024 and 1440 x 1",
			name, fea.Rows, fea.Cols, gnd.Rows, gnd.Cols)
	}
	raw, views := &Raw{}, make([]int, coilViews)
	for i := range views {
		views[i] = i
	}
	slices.SortFunc(views, func(a, b int) int { return strings.Compare(strconv.Itoa(a), strconv.Itoa(b)) }) // as names of files
	for object := range 20 {
		for _, view := range views {
			i := object*coilViews + view
			row := make([]float64, fea.Cols)
			for j := range row {
				row[j] = fea.At(i, j)
			}
			raw.X = append(raw.X, row)
			raw.Labels = append(raw.Labels, strconv.FormatFloat(gnd.At(i, 0), 'f', -1, 64))
		}
	}
	return raw, nil
}
