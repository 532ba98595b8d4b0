package results

import (
	"strconv"
	"time"

	"r2lmlbench/internal/text"
)

// A Run records how a cell was computed. Nothing in the cell depends on it.
type Run struct {
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	Host     string    `json:"host"`
	Commit   string    `json:"commit"` // of the program, empty when unknown
	Go       string    `json:"go"`     // version of Go it was built with
	Seconds  float64   `json:"wall_seconds"`
	Resumed  bool      `json:"resumed,omitempty"` // it took grid points from an earlier process or another cell, whose time Seconds lacks
	Workers  int       `json:"workers"`
	Builds   []Build   `json:"builds,omitempty"`     // of the program that computed a part of it; none: unknown, as of records of earlier programs
	Cell     string    `json:"cell,omitempty"`       // SHA-256 of the file of the cell that this is about, in hex
	Heap     int64     `json:"heap_bytes,omitempty"` // by how much the heap grew beyond the data; 0: unknown, as of more than one worker or a resumed cell
	Logs     []Log     `json:"logs,omitempty"`       // what its fits had to say
	Doubts   []string  `json:"doubts,omitempty"`     // why the fit for the test samples may have learned little
	// Environment is what a program outside was run by: interpreter, packages with their
	// versions, system and processor, as far as it could be told.
	Environment []string `json:"environment,omitempty"`
	Import      *Import  `json:"import,omitempty"` // where predictions made elsewhere come from
}

// Took formats the wall time with the number of workers.
func (r Run) Took() string {
	took := strconv.FormatFloat(r.Seconds, 'f', 3, 64) + " s, " + text.Counted(r.Workers, "worker")
	if r.Resumed {
		took += ", without the process that began it"
	}
	return took
}

// Size formats a number of bytes; "" for 0, which is unknown.
func Size(bytes int64) string {
	if bytes <= 0 {
		return ""
	}
	return strconv.FormatFloat(float64(bytes)/(1<<20), 'f', 1, 64) + " MiB"
}

// A Log is the output of one fit of a cell, such as the standard error of a program.
type Log struct {
	Fit  string `json:"fit"` // "point 3" of the grid, counted from 0, or "test"
	Text string `json:"text"`
}

// An Import tells where predictions come from that were made elsewhere.
type Import struct {
	File     string    `json:"file"`   // name, without its directory
	SHA256   string    `json:"sha256"` // of its bytes, in hex
	Modified time.Time `json:"modified"`
	Note     string    `json:"note,omitempty"` // by whoever imported it
}
