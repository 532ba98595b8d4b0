package datasets

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io/fs"
	"slices"
	"testing"

	"r2lmlbench/internal/fixture"
)

func TestUnpackRefuses(t *testing.T) {
	text, bomb := toyText(), make([]byte, 1<<20)
	gz := gzipped(text)
	spoilt := bytes.Clone(gz)
	spoilt[len(spoilt)-8]++ // the checksum
	for _, tt := range []struct {
		name string
		b    []byte
		want string
	}{
		{"too long", make([]byte, 1001), "more than 1000 bytes"},
		{"gz bomb", gzipped(bomb), "more than 1000 bytes"},
		{"zip bomb", zipOf(zipped{"toy.data", 0, bomb}), `member "toy.data": more than 1000 bytes`},
		{"zip bomb that lies about its size", lyingZip("toy.data", bomb), `member "toy.data"`},
		{"gz bomb in zip", zipOf(zipped{"toy.data", 0, gzipped(make([]byte, 50000))}), "more than 1000 bytes"},
		{"gz cut short", gz[:len(gz)-20], "truncated"},
		{"gz of nothing but a head", gz[:5], "gzip"},
		{"gz spoilt", spoilt, "checksum"},
		{"zip cut short", zipOf(zipped{"toy.data", 0, text})[:100], "zip"},
		{"no such member", zipOf(zipped{"other", 0, text}), `holds no "toy.data"`},
		{"member below a folder", zipOf(zipped{"a/toy.data", 0, text}), `holds no "toy.data"`},
		{"parent folder", zipOf(zipped{"toy.data", 0, text}, zipped{"../evil", 0, text}), `"../evil" leads out`},
		{"parent folder, the other stroke", zipOf(zipped{"toy.data", 0, text}, zipped{`..\evil`, 0, text}), "leads out"},
		{"rooted", zipOf(zipped{"/etc/evil", 0, text}, zipped{"toy.data", 0, text}), `"/etc/evil" leads out`},
		{"link", zipOf(zipped{"toy.data", fs.ModeSymlink, []byte("/etc/hosts")}), "is a link or device"},
		{"two members of the name", zipOf(zipped{"toy.data", 0, text}, zipped{"toy.data", 0, text[1:]}), `two members "toy.data"`},
		{"packed three times", gzipped(gzipped(gzipped(text))), "packed more than 2 times"},
	} {
		t.Run(tt.name, func(t *testing.T) { fixture.Says(t, fixture.Error(unpack(tt.b, "toy.data", 1000)), tt.want) })
	}
}

// lyingZip is an archive whose headers say that the member has 100 bytes.
func lyingZip(name string, b []byte) []byte {
	var packed, out bytes.Buffer
	f, _ := flate.NewWriter(&packed, flate.BestCompression) // which is a level that there is
	f.Write(b)
	f.Close()
	w := zip.NewWriter(&out)
	member, _ := w.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(b),
		CompressedSize64: uint64(packed.Len()), UncompressedSize64: 100,
	})
	member.Write(packed.Bytes())
	w.Close()
	return out.Bytes()
}

// Whatever the bytes: no panic, nothing beyond the limit, and what is not
// packed comes back as it is.
func FuzzUnpack(f *testing.F) {
	text := toyText()
	for _, b := range [][]byte{
		text, gzipped(text), compressedToy(), gzipped(compressedToy()), nil, []byte("PK\x03\x04"),
		zipOf(zipped{"toy.data", 0, text}), zipOf(zipped{"../toy.data", 0, text}), lyingZip("toy.data", make([]byte, 5000)),
	} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 4096
		got, err := unpack(b, "toy.data", limit)
		if len(got) > limit {
			t.Errorf("%d bytes, allowed are %d", len(got), limit)
		}
		packed := slices.ContainsFunc(wrappers, func(w wrapper) bool { return bytes.HasPrefix(b, []byte(w.magic)) })
		if err == nil && !packed && !bytes.Equal(got, b) {
			t.Errorf("plain bytes changed: %q to %q", b, got)
		}
	})
}
