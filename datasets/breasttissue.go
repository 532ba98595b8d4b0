package datasets

import "fmt"

// loadBreastTissue reads the sheet "Data" of BreastTissue.xls: a header, then
// per line the number of the case, its class and nine features.
func loadBreastTissue(files map[string][]byte) (*Raw, error) {
	cells, err := sheetCells(files["BreastTissue.xls"], "Data", 1+106, 11)
	if err != nil {
		return nil, fmt.Errorf("BreastTissue.xls: %w", err)
	}
	return breastTissue(cells)
}

// breastTissue takes the samples from the cells of the sheet.
func breastTissue(cells [][]any) (*Raw, error) {
	const name = "BreastTissue.xls"
	raw := &Raw{}
	for i, line := range cells[1:] {
		label, ok := line[1].(string)
		if !ok {
			return nil, fmt.Errorf("%s: line %d: column 2 holds no class", name, i+2)
		}
		x := make([]float64, len(line)-2)
		for j, cell := range line[2:] {
			if x[j], ok = cell.(float64); !ok {
				return nil, fmt.Errorf("%s: line %d: column %d holds no number", name, i+2, j+3)
			}
		}
		raw.X, raw.Labels = append(raw.X, x), append(raw.Labels, label)
	}
	return raw, nil
}
