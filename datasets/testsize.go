package datasets

// TestSize returns the number of test samples of a split, without reading the
// set; 0 when the catalogue does not know its classes.
func (e Entry) TestSize() int {
	if e.Parts[2] > 0 {
		return e.Parts[2]
	}
	total := 0
	for _, rows := range e.Histogram {
		n := rows - e.Sizes.Train - e.Sizes.Validation
		if e.Sizes.Test > 0 {
			n = e.Sizes.Test
		}
		total += n
	}
	if e.Sizes.TestTotal > 0 {
		total = min(total, e.Sizes.TestTotal)
	}
	return total
}
