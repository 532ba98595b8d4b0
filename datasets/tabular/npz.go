package tabular

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"r2lmlbench/internal/npy"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
)

// npz reads the arrays X and y of a file that numpy.savez or savez_compressed wrote.
func (t *builder) npz() {
	content, err := t.open()
	if err != nil {
		t.ended(err)
		return
	}
	b, memory := t.raw, npy.Memory(len(t.raw))
	if bytes.HasPrefix(b, []byte(gzipMagic)) {
		if b, err = io.ReadAll(io.LimitReader(content, int64(memory)+1)); err != nil {
			t.ended(damaged(err))
			return
		}
		if len(b) > memory {
			t.at(0, 0, "unpacks to more than %d MiB, the limit for a packed file of this size; unpack it with gunzip", memory>>20)
			return
		}
	}
	var x, y npy.Array
	z, err := npy.Open(b, memory)
	if err == nil {
		x, err = member(z, "X", "x", "data", "features")
	}
	if err == nil {
		y, err = member(z, "y", "Y", "target", "labels", "label")
	}
	if err != nil {
		t.ended(err)
		return
	}
	if len(y.Shape) == 2 && y.Shape[1] == 1 {
		y.Shape = y.Shape[:1]
	}
	switch {
	case len(x.Shape) != 2:
		t.at(0, 0, "X has %s, want two: rows and features", text.Counted(len(x.Shape), "dimension"))
	case len(y.Shape) != 1:
		t.at(0, 0, "y has %s, want one: a label for each row of X", text.Counted(len(y.Shape), "dimension"))
	case x.Shape[0] != y.Shape[0]:
		t.at(0, 0, "X has %s, y has %d labels", text.Counted(x.Shape[0], "row"), y.Shape[0])
	case x.IsText():
		t.at(0, 0, "X holds texts; it must hold numbers")
	case x.Shape[1] == 0 || x.Shape[1] > MaxColumns:
		t.at(0, 0, "X has %d columns, 1 to %d are possible", x.Shape[1], MaxColumns)
	case x.Shape[0]*x.Shape[1] > MaxValues:
		t.at(0, 0, "X has more than %d values", MaxValues)
	}
	if len(t.faults) > 0 || !t.numbered(x.Shape[1], 1) {
		return
	}
	for i := range x.Shape[0] {
		if i%1024 == 0 {
			if t.stopped = t.ctx.Err(); t.stopped != nil {
				return
			}
		}
		if !t.arrayRow(i, x, y) {
			return
		}
	}
}

// arrayRow adds row i of the arrays and reports whether there is room for more.
func (t *builder) arrayRow(i int, x, y npy.Array) bool {
	complete := true
	for j := range x.Shape[1] {
		c := &t.columns[j]
		if c.role != feature {
			continue
		}
		v, exact := x.Number(i, j)
		switch {
		case math.IsNaN(v):
			complete = false
			c.missing.note(func() strictyaml.Error { return t.fault(0, 0, fmt.Sprintf("X[%d, %d] is NaN", i, j)) })
		case math.Abs(v) > maxSize:
			t.at(0, 0, "X[%d, %d] is %g, which is not finite or too large: at most 1e100 is possible", i, j, v)
		case !exact:
			t.at(0, 0, "X[%d, %d] is an integer beyond 2^53 that has no exact float64; if column %d has the names of rows, leave it out with `drop: [%d]`, "+
				"or else save X.astype(float)", i, j, j+1, j+1)
		default:
			c.numbers++
		}
		t.x = append(t.x, v)
	}
	class, ok := y.Text(i)
	return t.end(i+1, complete, !ok, class, "", func() (int, int) { return i + 1, 0 })
}

// member reads the first of these arrays that the archive has.
func member(z *npy.Archive, names ...string) (npy.Array, error) {
	for _, name := range names {
		if slices.Contains(z.Names, name) {
			return z.Read(name, MaxRows, maxName)
		}
	}
	var found []string
	for _, name := range z.Names[:min(len(z.Names), 10)] {
		found = append(found, quoted(name))
	}
	return npy.Array{}, fmt.Errorf("no array %s; the file has %s; save it with: numpy.savez(FILE, X=X, y=y)", names[0], strings.Join(found, ", "))
}
