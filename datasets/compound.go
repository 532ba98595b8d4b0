package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Layout of a compound file, the container of an .xls.
const (
	sectorSize  = 512
	headSectors = 109  // sectors of the allocation table that the header lists
	smallStream = 4096 // shorter streams live in a second table
	entrySize   = 128  // of a directory entry
	endOfChain  = 0xfffffffe
)

// workbookStream returns the stream of a compound file that holds the workbook. Such a file
// consists of sectors; the allocation table has the next sector of each. It refuses circular
// chains, streams longer than the file, and workbooks in the table of small streams.
func workbookStream(b []byte) ([]byte, error) {
	if len(b) < sectorSize || !bytes.HasPrefix(b, []byte{0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1}) {
		return nil, errors.New("not an Excel 97 file")
	}
	word := func(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	if b[26] != 3 || word(b, 44) > headSectors || word(b, 72) != 0 {
		return nil, errors.New("not laid out like a small Excel 97 file")
	}
	sector := func(number uint32) []byte {
		from := (uint64(number) + 1) * sectorSize
		if from >= uint64(len(b)) {
			return nil
		}
		return b[from:min(from+sectorSize, uint64(len(b)))]
	}
	var table []byte
	for i := range int(word(b, 44)) {
		table = append(table, sector(word(b, 76+4*i))...)
	}
	// chain joins the sectors from a number on. It returns nil if a sector is not in the file or
	// the table, or if the chain is circular.
	chain := func(number uint32) (joined []byte) {
		for range len(b) / sectorSize {
			next := sector(number)
			if next == nil || uint64(number) >= uint64(len(table)/4) {
				return nil
			}
			joined = append(joined, next...)
			if number = word(table, 4*int(number)); number == endOfChain {
				return joined
			}
		}
		return nil
	}
	for directory := chain(word(b, 48)); len(directory) >= entrySize; directory = directory[entrySize:] {
		if name := (&cursor{rest: directory}).text(uint64(len("Workbook")), true); name != "Workbook" {
			continue
		}
		stream, size := chain(word(directory, 116)), word(directory, 120)
		if size < smallStream {
			return nil, errors.New("a workbook in the table of small streams is not read")
		}
		if uint64(size) > uint64(len(stream)) {
			return nil, errors.New("the sectors of the workbook are too few, or lead nowhere or in a circle")
		}
		return stream[:size], nil
	}
	return nil, errors.New("no workbook of Excel 97 to 2003 in the file")
}
