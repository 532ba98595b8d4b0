package datasets

import (
	"fmt"

	"r2lmlbench/datasets/biff8"
)

// loadBreastTissue reads the sheet "Data" of BreastTissue.xls: a header, then
// per line the number of the case, its class and nine features.
func loadBreastTissue(files map[string][]byte) (*Raw, error) {
	cells, err := biff8.Cells(files["BreastTissue.xls"], "Data", 1+106, 11)
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
			return nil, fmt.Errorf("%s: line %d: column 2 holds no class%s", name, i+2, unread(line[1]))
		}
		x := make([]float64, 0, len(line)-2)
		for j, cell := range line[2:] {
			v, ok := cell.(float64)
			if !ok {
				return nil, fmt.Errorf("%s: line %d: column %d holds no number%s", name, i+2, j+3, unread(cell))
			}
			x = append(x, v)
		}
		raw.X, raw.Labels = append(raw.X, x), append(raw.Labels, label)
	}
	return raw, nil
}

// unread says of what kind a cell is that is not read; nothing of others.
func unread(cell any) string {
	if kind, ok := cell.(biff8.Unread); ok {
		return fmt.Sprintf(" but a cell of kind %s, which is not read", kind)
	}
	return ""
}
