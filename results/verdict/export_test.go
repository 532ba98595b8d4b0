package verdict

// FarBehind is farBehind for tests.
func (c Counterfactuals) FarBehind(critical float64) string { return c.farBehind(critical) }
