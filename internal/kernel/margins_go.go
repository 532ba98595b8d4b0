package kernel

import "math"

// valuesGo writes the values whose signs are the bits of nearGo: that of the pair in
// row r and column j of tile p goes to e[64p + 16r + j].
func valuesGo(e, zi, hi, z, h []float64, d int) {
	for at := 0; at < len(e); at += Panel {
		p, r := at/tileSize, at%tileSize/Panel
		*(*[Panel]float64)(e[at:]) = valueRow(zi[r:], hi[r], z[p*Panel*d:], (*[Panel]float64)(h[p*Panel:]), d)
	}
}

// marginsGo computes the margins of len(margins) tiles from the values of their
// pairs under the map and without it; base is 1 + roundingX.
func marginsGo(margins []float64, masks []uint64, e, ex []float64, rounding, base float64) {
	for t, m := range masks {
		least := math.Inf(1)
		for bit := range tileSize {
			if m>>bit&1 == 1 {
				least = min(least, squaredMargin(e[t*tileSize+bit], ex[t*tileSize+bit], rounding, base))
			}
		}
		margins[t] = math.Sqrt(least)
	}
}

// squaredMargin takes v = (E − 1)/2 and vx = (|x_i − x_j|² − 1)/2. Since √E − 1
// is (E − 1)/(√E + 1), a pair's margin is
//
//	[ |E − 1| − rounding (√E + 1) ]₊ / ((√E + 1) √(|x_i − x_j|² + roundingX))
func squaredMargin(v, vx, rounding, base float64) float64 {
	q := math.Abs(v)
	q = max(q+q-rounding, 0)
	root := math.Sqrt(1+math.Copysign(q, v)) + 1
	top := max(math.FMA(-rounding, root, q), 0)
	return top * top / (root * root * (vx + vx + base))
}
