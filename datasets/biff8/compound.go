package biff8

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Layout of a compound file, the container of an .xls.
const (
	sectorSize  = 512
	headSectors = 109  // sectors of the allocation table that the header lists
	smallStream = 4096 // shorter streams live in a second table
	entrySize   = 128  // of a directory entry
	endOfChain  = 0xfffffffe
)

// A compound file is cut into sectors; the allocation table says for each
// sector which one follows it.
type compound struct {
	b    []byte
	next []uint32
}

// workbookStream returns the stream of a container that holds the workbook. Chains
// that run in circles, streams that claim to be longer than the file and workbooks
// in the table of small streams are refused.
func workbookStream(b []byte) ([]byte, error) {
	c, err := openCompound(b)
	if err != nil {
		return nil, err
	}
	directory, err := c.chain(binary.LittleEndian.Uint32(b[48:]))
	if err != nil {
		return nil, fmt.Errorf("directory: %w", err)
	}
	for ; len(directory) >= entrySize; directory = directory[entrySize:] {
		if name, _, err := characters(directory, len(workbookName), true); err == nil && name == workbookName {
			return c.stream(directory[:entrySize])
		}
	}
	return nil, errors.New("no workbook of Excel 97 to 2003 in the file")
}

// workbookName is that of a BIFF8 workbook's stream.
const workbookName = "Workbook"

// openCompound reads the header and the allocation table.
func openCompound(b []byte) (*compound, error) {
	if len(b) < sectorSize || !bytes.HasPrefix(b, []byte{0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1}) {
		return nil, errors.New("not an Excel 97 file")
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	if b[26] != 3 || word(44) > headSectors || word(72) != 0 {
		return nil, errors.New("not laid out like a small Excel 97 file")
	}
	c := &compound{b: b}
	for i := range int(word(44)) {
		sector, err := c.sector(word(76 + 4*i))
		if err != nil {
			return nil, fmt.Errorf("allocation table: %w", err)
		}
		for ; len(sector) >= 4; sector = sector[4:] {
			c.next = append(c.next, binary.LittleEndian.Uint32(sector))
		}
	}
	return c, nil
}

func (c *compound) sector(number uint32) ([]byte, error) {
	from := (uint64(number) + 1) * sectorSize
	if from >= uint64(len(c.b)) {
		return nil, fmt.Errorf("sector %d lies behind the end", number)
	}
	return c.b[from:min(from+sectorSize, uint64(len(c.b)))], nil
}

// chain joins the sectors from number on. A chain of more sectors than the
// file has goes round in a circle.
func (c *compound) chain(number uint32) ([]byte, error) {
	var joined []byte
	for range len(c.b) / sectorSize {
		sector, err := c.sector(number)
		if err != nil {
			return nil, err
		}
		joined = append(joined, sector...)
		if number >= uint32(len(c.next)) {
			return nil, fmt.Errorf("sector %d is not in the allocation table", number)
		}
		if number = c.next[number]; number == endOfChain {
			return joined, nil
		}
	}
	return nil, errors.New("sectors follow one another in a circle")
}

// stream returns the bytes of a directory entry.
func (c *compound) stream(entry []byte) ([]byte, error) {
	stream, err := c.chain(binary.LittleEndian.Uint32(entry[116:]))
	if err != nil {
		return nil, fmt.Errorf("workbook: %w", err)
	}
	size := binary.LittleEndian.Uint32(entry[120:])
	if size < smallStream || size > uint32(len(stream)) {
		return nil, fmt.Errorf("workbook of %d bytes in %d bytes of sectors", size, len(stream))
	}
	return stream[:size], nil
}
