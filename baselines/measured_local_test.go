package baselines

var glmlGammas = []float64{0, 1e-3, 1e-2, 0.1, 1, 10, 100}

func glmlGrid(shrinkage float64) []GLML {
	var grid []GLML
	for _, gamma := range glmlGammas {
		grid = append(grid, GLML{Gamma: gamma, Shrinkage: shrinkage})
	}
	return grid
}
