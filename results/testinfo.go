package results

// TestInfo names how pairs of methods were compared.
type TestInfo struct {
	Pair       string  `json:"pair"`       // as stats.ParseTest reads it
	Correction string  `json:"correction"` // "holm", over all pairs of one row
	Alpha      float64 `json:"alpha"`
}
