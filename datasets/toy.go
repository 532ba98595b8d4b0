package datasets

// toyPoints are the four samples of the toy set, two of class "0" before two
// of class "1".
var toyPoints = [4][2]float64{{-1, -0.9}, {1.1, 1}, {-0.8, 1.1}, {1, -1.2}}

// toyCopies is how often the toy set holds its samples: once for each part of
// a split.
const toyCopies = 3

// drawToy returns the toy set: the corners of a slightly irregular square, of
// which opposite ones are of one class. A linear map that brings both pairs of
// the same class together takes both diagonals to 0, and with them all four
// samples; a map for each class takes its own diagonal only. The paper's Figure
// 1 prints no coordinates.
func drawToy(uint64) (*Data, error) {
	d := newData(2*toyCopies, 2)
	for i, code := range d.Y {
		d.X.SetRow(i, toyPoints[2*(code-1)+i%2][:])
	}
	return d, nil
}
