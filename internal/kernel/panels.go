package kernel

// Panel is the number of samples in a panel. N samples of D features are kept as ⌈N/Panel⌉ panels,
// each feature-major: feature k of sample i is at
//
//	(i/Panel)·Panel·D + k·Panel + i%Panel
//
// so a panel is contiguous and 16 samples of one feature are adjacent. Entries after
// sample N−1 in the last panel are padding.
const Panel = 16

// Panels returns the number of panels that hold n samples.
func Panels(n int) int { return (n + Panel - 1) / Panel }

// PanelLen returns the length of a slice that holds n samples of d features in
// panels. PanelLen(n, 1) is the length for one number per sample.
func PanelLen(n, d int) int { return Panels(n) * Panel * d }

// Pack writes n samples of d features, row i at rows[i*stride:], into panels.
// dst has PanelLen(n, d) entries; padding becomes 0.
func Pack(dst, rows []float64, stride, n, d int) {
	dst = dst[:PanelLen(n, d)]
	clear(dst[n/Panel*Panel*d:])
	for p := range Panels(n) {
		packPanel(dst[p*Panel*d:], rows[p*Panel*stride:], stride, min(Panel, n-p*Panel), d)
	}
}

// packPanel writes one panel of at most Panel samples.
func packPanel(dst, rows []float64, stride, n, d int) {
	for k := range d {
		at := dst[k*Panel : k*Panel+n]
		for j := range at {
			at[j] = rows[j*stride+k]
		}
	}
}

// Map maps every sample by a d×d matrix, z_i = L x_i, and halves the squared
// norms, h_i = |z_i|²/2, for Near. l is L by rows; x and z are panels of n
// samples, h has PanelLen(n, 1) entries. x and z may not overlap.
//
// z_ir = Σ_k l_rk x_ik is summed over k ascending and Σ_r z_ir² over r
// ascending, both from 0 by fused multiply-add.
func Map(z, h, x, l []float64, n, d int) {
	l = l[:d*d]
	_ = l[0] // assembly needs d ≥ 1
	h = h[:PanelLen(n, 1)]
	z, x = z[:PanelLen(n, d)], x[:PanelLen(n, d)]
	for p := range Panels(n) {
		from, to := p*Panel*d, (p+1)*Panel*d
		active.mapPanel(z[from:to], h[p*Panel:(p+1)*Panel], x[from:to], l, d)
	}
}
