package tabular

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	parquetformat "github.com/parquet-go/parquet-go/format"

	"r2lmlbench/internal/codecs"
)

// parquet opens a Parquet file: columns of numbers, truth values and texts, with nulls. Columns of dates
// and of lists are no features. What the pages unpack to is checked before they are read.
func (t *builder) parquet() (s *sheet) {
	damaged := func(err any) *sheet {
		t.at(0, 0, "damaged Parquet file, or cut off: %v", err)
		return nil
	}
	defer func() { // the module trusts counts of the file here and there
		if fault := recover(); fault != nil {
			s = damaged(fault)
		}
	}()
	b, err := t.whole()
	if err != nil {
		t.ended(err)
		return nil
	}
	// The module makes room for a footer of the length that the file tells, which may be 4 GiB.
	if end := len(b) - 8; end < 0 || int64(binary.LittleEndian.Uint32(b[end:])) > int64(end) {
		return damaged("no footer")
	}
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return damaged(err)
	}
	leaves := f.Root().Columns()
	switch {
	case len(leaves) > MaxColumns:
		t.at(0, 0, "more than %d columns, which is the limit; leave columns out", MaxColumns)
	case f.NumRows() > int64(MaxRows) || f.NumRows() < 0 || f.NumRows()*int64(len(leaves)) > MaxValues:
		t.at(0, 0, "%d rows of %d columns, at most %d rows and %d values are possible; leave rows or columns out", f.NumRows(), len(leaves), MaxRows, MaxValues)
	default:
		if err := checkPages(b, f.Metadata()); err != nil {
			t.at(0, 0, "%v", err)
		}
	}
	if len(t.faults) > 0 {
		return nil
	}
	s = &sheet{width: len(leaves), place: func(int) (int, int) { return 0, 0 }}
	places := map[int]int{} // of the columns that are used, by their index among all that hold values
	for i, c := range leaves {
		s.names, s.declared = append(s.names, c.Name()), append(s.declared, declaredBy(c))
		if c.Leaf() {
			places[c.Index()] = i
		}
	}
	s.each = func(faults *reporter, use func(row) bool) {
		defer func() {
			if fault := recover(); fault != nil {
				faults.at(0, 0, "damaged Parquet file, or cut off: %v", fault)
			}
		}()
		if err := t.parquetRows(f, s, leaves, places, use); err != nil {
			faults.ended(err)
		}
	}
	return s
}

// parquetRows gives the rows of all groups.
func (t *builder) parquetRows(f *parquet.File, s *sheet, leaves []*parquet.Column, places map[int]int, use func(row) bool) error {
	line, cells, some := 0, make([]cell, s.width), make([]parquet.Row, 64)
	for _, group := range f.RowGroups() {
		rows := group.Rows()
		defer rows.Close()
		for end := false; !end; {
			if err := t.ctx.Err(); err != nil {
				return err
			}
			n, err := rows.ReadRows(some)
			if end = err == io.EOF; err != nil && !end {
				return fmt.Errorf("damaged Parquet file, or cut off: %w", err)
			}
			for _, r := range some[:n] {
				for j := range cells {
					cells[j] = cell{is: absent}
				}
				for _, v := range r {
					if i, used := places[v.Column()]; used && s.declared[i] != aside {
						cells[i] = parquetCell(leaves[i], v)
					}
				}
				if line++; !use(row{line: line, cells: cells, place: func(int) (int, int) { return line, 0 }}) {
					return nil
				}
			}
			if n == 0 && !end {
				return errors.New("damaged Parquet file, or cut off: no rows where some should be")
			}
		}
	}
	return nil
}

// declaredBy tells what a column of a Parquet file holds.
func declaredBy(c *parquet.Column) kind {
	if !c.Leaf() || c.Repeated() {
		return aside
	}
	switch logicalOf(c).(type) {
	case *parquetformat.DateType, *parquetformat.TimeType, *parquetformat.TimestampType:
		return aside
	}
	switch c.Type().Kind() {
	case parquet.Boolean, parquet.Int32, parquet.Int64, parquet.Float, parquet.Double, parquet.ByteArray:
		return undeclared
	case parquet.FixedLenByteArray:
		if _, ok := logicalOf(c).(*parquetformat.DecimalType); ok {
			return undeclared
		}
	}
	return aside // times of 12 bytes, and other bytes of a fixed number
}

// logicalOf is what the values of a column mean, nil where nothing is said.
func logicalOf(c *parquet.Column) parquetformat.LogicalTypeValue {
	if t := c.Type().LogicalType(); t != nil {
		return t.Value
	}
	return nil
}

// parquetCell is a value of a column.
func parquetCell(c *parquet.Column, v parquet.Value) cell {
	if v.IsNull() {
		return cell{is: absent}
	}
	logical := logicalOf(c)
	decimal, isDecimal := logical.(*parquetformat.DecimalType)
	whole := func(n int64) cell {
		if isDecimal {
			return decimalCell(big.NewInt(n), decimal)
		}
		if n > codecs.ExactIntegers || n < -codecs.ExactIntegers {
			return cell{text: strconv.FormatInt(n, 10)} // which has no exact number
		}
		return cell{text: strconv.FormatInt(n, 10), number: float64(n), is: number}
	}
	switch v.Kind() {
	case parquet.Boolean:
		return boolean(v.Boolean())
	case parquet.Int32:
		if integer, ok := logical.(*parquetformat.IntType); ok && !integer.IsSigned {
			return whole(int64(v.Uint32()))
		}
		return whole(int64(v.Int32()))
	case parquet.Int64:
		return whole(v.Int64())
	case parquet.Float:
		return cellOf(float64(v.Float()))
	case parquet.Double:
		return cellOf(v.Double())
	}
	b := v.ByteArray()
	if isDecimal && len(b) > 0 { // two's complement, the high byte first
		n := new(big.Int).SetBytes(b)
		if b[0] > 127 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		return decimalCell(n, decimal)
	}
	if !utf8.Valid(b) {
		return cell{text: fmt.Sprintf("%x", b), is: word}
	}
	return cell{text: string(b), is: word}
}

// decimalCell is the number nearest to that of a decimal, or the text of a whole number that has no exact one.
func decimalCell(n *big.Int, d *parquetformat.DecimalType) cell {
	v, err := strconv.ParseFloat(fmt.Sprintf("%de%d", n, -d.Scale), 64)
	if err == nil && d.Scale == 0 && math.Abs(v) > codecs.ExactIntegers {
		return cell{text: n.String()}
	}
	if err != nil {
		return cell{text: n.String(), is: word}
	}
	return cellOf(v)
}

// checkPages reads the headers of all pages, and unpacks each page once without keeping it: no page may
// unpack to other than its header says, and all together to more than a packed file of that size may need.
func checkPages(file []byte, m *parquetformat.FileMetaData) error {
	left := int64(codecs.Memory(len(file)))
	for _, group := range m.RowGroups {
		for _, chunk := range group.Columns {
			c := chunk.MetaData
			at := c.DataPageOffset
			if c.DictionaryPageOffset > 0 {
				at = min(at, c.DictionaryPageOffset)
			}
			end := at + c.TotalCompressedSize
			if at < 4 || c.TotalCompressedSize < 0 || end > int64(len(file)) {
				return errors.New("damaged Parquet file, or cut off: a column lies outside the file")
			}
			if c.NumValues < 0 || c.NumValues > MaxValues {
				return fmt.Errorf("a column has %d values, at most %d are possible; leave rows out", c.NumValues, MaxValues)
			}
			for values := int64(0); values < c.NumValues && at < end; {
				var h parquetformat.PageHeader
				in := bytes.NewReader(file[at:end])
				d := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(in))
				if err := d.Decode(&h); err != nil {
					return fmt.Errorf("damaged Parquet file, or cut off: %w", err)
				}
				begin := end - int64(in.Len())
				packed, plain := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
				if packed < 0 || plain < 0 || begin+packed > end {
					return errors.New("damaged Parquet file, or cut off: a page lies outside its column")
				}
				if left -= plain; left < 0 {
					return fmt.Errorf("unpacks to more than %d MiB, the limit for a file of this size; leave rows out", codecs.Memory(len(file))>>20)
				}
				page := file[begin : begin+packed]
				if v2 := h.DataPageHeaderV2; v2.Valid { // its levels are never packed
					levels := int64(v2.V.RepetitionLevelsByteLength) + int64(v2.V.DefinitionLevelsByteLength)
					if levels < 0 || levels > packed || levels > plain {
						return errors.New("damaged Parquet file, or cut off: a page of levels alone")
					}
					page, plain = page[levels:], plain-levels
				}
				n := int64(max(h.DataPageHeaderV2.V.NumValues, h.DataPageHeader.V.NumValues))
				if values += n; n < 0 || values > c.NumValues || int64(h.DictionaryPageHeader.V.NumValues) > 8*int64(h.UncompressedPageSize) {
					return errors.New("damaged Parquet file, or cut off: a page has more values than its column")
				}
				if err := unpacksTo(page, plain, c.Codec); err != nil {
					return err
				}
				at = begin + packed
			}
		}
	}
	return nil
}

// unpacksTo checks that a page does not unpack to more bytes than its header says.
func unpacksTo(page []byte, plain int64, codec parquetformat.CompressionCodec) error {
	var r io.Reader
	var err error
	switch codec {
	case parquetformat.Uncompressed:
		return nil
	case parquetformat.Snappy:
		if n, err := snappy.DecodedLen(page); len(page) > 0 && (err != nil || int64(n) > plain) {
			return errors.New("damaged Parquet file, or cut off: a page is longer than its header says")
		}
		return nil
	case parquetformat.Gzip:
		r, err = gzip.NewReader(bytes.NewReader(page))
	case parquetformat.Zstd:
		var z *zstd.Decoder
		if z, err = zstd.NewReader(bytes.NewReader(page), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20)); err == nil {
			defer z.Close()
			r = z
		}
	default:
		return fmt.Errorf("the Parquet file is packed by %v; write it again with compression='snappy'", codec)
	}
	if len(page) == 0 {
		return nil
	}
	if err == nil {
		var n int64
		if n, err = io.Copy(io.Discard, io.LimitReader(r, plain+1)); err == nil && n > plain {
			err = errors.New("a page is longer than its header says")
		}
	}
	if err != nil {
		return fmt.Errorf("damaged Parquet file, or cut off: %w", err)
	}
	return nil
}
