package datasets

import (
	"bytes"
	"fmt"

	"github.com/shakinm/xlsReader/xls"
	"github.com/shakinm/xlsReader/xls/record"
	"github.com/shakinm/xlsReader/xls/structure"
)

// loadBreastTissue reads the sheet "Data" of BreastTissue.xls: a header, then
// per line the number of the case, its class and nine features.
func loadBreastTissue(files map[string][]byte) (*Raw, error) {
	const name, rows, cols = "BreastTissue.xls", 106, 11
	cells, err := sheetCells(files[name], "Data", rows+1, cols)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	raw := &Raw{}
	for i, line := range cells[1:] {
		label, ok := line[1].(string)
		if !ok {
			return nil, fmt.Errorf("%s: line %d: column 2 holds no class", name, i+2)
		}
		x := make([]float64, 0, cols-2)
		for j, cell := range line[2:] {
			v, ok := cell.(float64)
			if !ok {
				return nil, fmt.Errorf("%s: line %d: column %d holds no number", name, i+2, j+3)
			}
			x = append(x, v)
		}
		raw.X, raw.Labels = append(raw.X, x), append(raw.Labels, label)
	}
	return raw, nil
}

// sheetCells returns the first rows and columns of a sheet: a float64, a
// string or, for anything else, nil. The spreadsheet library trusts what it
// reads: chains that loop or sizes out of all proportion are refused before it
// sees them, and what else breaks it is caught here.
func sheetCells(b []byte, name string, rows, cols int) (cells [][]any, err error) {
	if err := checkCompound(b); err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			cells, err = nil, fmt.Errorf("damaged workbook: %v", r)
		}
	}()
	book, err := xls.OpenReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	for _, sheet := range book.GetSheets() {
		if sheet.GetName() == name {
			return corner(&sheet, rows, cols)
		}
	}
	return nil, fmt.Errorf("no sheet %q", name)
}

func corner(sheet *xls.Sheet, rows, cols int) ([][]any, error) {
	cells := make([][]any, rows)
	for i := range cells {
		row, err := sheet.GetRow(i)
		if err != nil {
			return nil, err
		}
		for j := range cols {
			cell, err := row.GetCol(j)
			if err != nil {
				return nil, err
			}
			cells[i] = append(cells[i], cellValue(cell))
		}
	}
	return cells, nil
}

func cellValue(cell structure.CellData) any {
	switch cell.(type) {
	case *record.Number, *record.Rk:
		return cell.GetFloat64()
	case *record.LabelSSt, *record.LabelBIFF8, *record.LabelBIFF5:
		return cell.GetString()
	}
	return nil
}
