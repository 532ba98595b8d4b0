package npy

import (
	"bytes"
	"fmt"
	"testing"
)

// file is an .npy file of a type and a shape, such as "2, 2".
func file(descr, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", descr, shape)
	return append(append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8)), header+string(data)...)
}

func FuzzRead(f *testing.F) {
	f.Add(file("<f4", "2, 2", make([]byte, 16)))
	f.Add(file(">U3", "1,", make([]byte, 12)))
	f.Add(file("|i1", "", []byte{7}))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := Read(bytes.NewReader(b), 1<<20, 1000, 200)
		if err != nil {
			return
		}
		n := 1
		for _, s := range a.Shape {
			n *= s
		}
		if n != a.Len() {
			t.Fatalf("shape %v, %d elements", a.Shape, a.Len())
		}
		for i := range min(n, 10) {
			if len(a.Shape) == 2 {
				i = 0
			}
			a.Text(i)
			if !a.IsText() {
				a.Number(i, 0)
			}
		}
	})
}
