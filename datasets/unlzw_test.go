package datasets

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"r2lmlbench/internal/fixture"
)

// encode is a plain compress: it enters strings as they come and, in block
// mode, empties the table every clearAfter codes (0: never).
func encode(b []byte, greatest uint, block bool, clearAfter int) []byte {
	flags := byte(greatest)
	free := 256
	if block {
		flags |= blockMode
		free = clearCode + 1
	}
	w := &writer{out: []byte{0x1f, 0x9d, flags}, width: minWidth}
	codes := map[string]int{}
	next, written, prefix := free, 0, ""
	code := func(s string) int {
		if len(s) == 1 {
			return int(s[0])
		}
		return codes[s]
	}
	emit := func(c int, entered bool) {
		w.put(c)
		written++
		if entered && next < 1<<greatest {
			next++
		}
		// The decoder enters a string one code later than the encoder.
		if w.width < greatest && next-1 >= 1<<w.width {
			w.resize(w.width + 1)
		}
	}
	for _, c := range b {
		s := prefix + string([]byte{c})
		if _, known := codes[s]; known || len(s) == 1 {
			prefix = s
			continue
		}
		if next < 1<<greatest {
			codes[s] = next
		}
		emit(code(prefix), true)
		prefix = string([]byte{c})
		if block && clearAfter > 0 && written%clearAfter == 0 {
			emit(code(prefix), false)
			w.put(clearCode)
			w.resize(minWidth)
			clear(codes)
			next, prefix = free, ""
		}
	}
	if prefix != "" {
		w.put(code(prefix))
	}
	w.flush()
	return w.out
}

// writer is the counterpart of codes.
type writer struct {
	out   []byte
	bits  []byte // of the present width, one each
	width uint
}

func (w *writer) put(code int) {
	for i := range w.width {
		w.bits = append(w.bits, byte(code>>i&1))
	}
}

func (w *writer) flush() {
	for len(w.bits)%8 != 0 {
		w.bits = append(w.bits, 0)
	}
	for i := 0; i < len(w.bits); i += 8 {
		var c byte
		for j, bit := range w.bits[i : i+8] {
			c |= bit << j
		}
		w.out = append(w.out, c)
	}
	w.bits = nil
}

func (w *writer) resize(width uint) {
	for uint(len(w.bits))%(8*w.width) != 0 {
		w.bits = append(w.bits, 0)
	}
	w.flush()
	w.width = width
}

// The expected texts are what gzip -d makes of the same bytes.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"nothing", "1f9d90", ""},
		{"one byte", "1f9d906100", "a"},
		{"codes that are just being entered", "1f9d9061020a04", "aaaaaa"},
		{"the same without block mode", "1f9d1061000604", "aaaaaa"},
		{"block mode", "1f9d90549e0829f2448a932754020e2ca890a04184", "TOBEORNOTTOBEORTOBEORNOT"},
		{"no block mode", "1f9d10549e0829f2448a932754000a24987060c183", "TOBEORNOTTOBEORTOBEORNOT"},
		{"clear code", "1f9d8c61c4040c031000000062c288010800000000", "abababab"},
	} {
		file := fixture.Must(hex.DecodeString(c.file))(t)
		fixture.Equal(t, c.name, string(fixture.Must(unlzw(file, int64(len(c.want))))(t)), c.want)
	}
}

func TestDecodeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		greatest := uint(rapid.IntRange(10, 16).Draw(t, "greatest width"))
		block := rapid.Bool().Draw(t, "block mode")
		clearAfter := rapid.SampledFrom([]int{0, 1, 7, 300, 1000}).Draw(t, "clear after")
		letters := rapid.IntRange(1, 256).Draw(t, "letters")
		n := rapid.SampledFrom([]int{0, 1, 2, 50, 5000}).Draw(t, "length")
		plain := make([]byte, n)
		state := rapid.Uint32().Draw(t, "start")
		for i := range plain {
			state = state*1664525 + 1013904223
			plain[i] = byte(int(state>>16) % letters)
		}
		got := fixture.Must(unlzw(encode(plain, greatest, block, clearAfter), int64(n)))(t)
		if !bytes.Equal(got, plain) {
			t.Errorf("%d bytes differ from the %d encoded", len(got), len(plain))
		}
	})
}

func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		file  []byte
		limit int64
		want  string
	}{
		{"empty", nil, 10, "not a .Z file"},
		{"gzip", []byte{0x1f, 0x8b, 8, 0}, 10, "not a .Z file"},
		{"width 9", []byte{0x1f, 0x9d, 9}, 10, "greatest code width 9, want 10 to 16"},
		{"width 17", []byte{0x1f, 0x9d, 17}, 10, "greatest code width 17"},
		{"starts beyond the bytes", []byte{0x1f, 0x9d, 0x90, 0x01, 0x01}, 10, "code 257 where a single byte must stand"},
		{"code from nowhere", []byte{0x1f, 0x9d, 0x90, 0x61, 0xfe, 0x03}, 10, "code 511 is not in use yet"},
		{"too long", encode(bytes.Repeat([]byte("a"), 1000), 16, true, 0), 999, "unfolds to more than 999 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) { fixture.Says(t, fixture.Error(unlzw(c.file, c.limit)), "unlzw: ", c.want) })
	}
}

func FuzzZ(f *testing.F) {
	f.Add([]byte{0x1f, 0x9d, 0x90})
	text := []byte(strings.Repeat("to be or not to be, ", 100))
	for _, width := range []uint{10, 12, 16} {
		f.Add(encode(text, width, true, 50))
		f.Add(encode(text, width, false, 0))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 1 << 20
		out, err := unlzw(b, limit)
		if err == nil && len(out) > limit {
			t.Errorf("%d bytes, limit %d", len(out), limit)
		}
	})
}
