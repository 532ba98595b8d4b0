package cli

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"r2lmlbench/internal/fixture"
)

// hostile makes files of one that is good: of other content altogether, and damaged at random.
func hostile(good []byte, draw *rand.Rand) (all [][]byte) {
	const large = 1 << 19
	text := string(good)
	packed := func(b []byte) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		z.Write(b)
		z.Close()
		return out.Bytes()
	}
	zipped := func(name string, b []byte) []byte {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		w, _ := z.Create(name)
		w.Write(b)
		z.Close()
		return out.Bytes()
	}
	utf16 := []byte("\xff\xfe")
	for _, b := range good {
		utf16 = append(utf16, b, 0)
	}
	digits := regexp.MustCompile(`[0-9]+`)
	for _, s := range []string{
		"", "\x00", "\n", strings.Repeat("\x00", large), strings.Repeat("\n", large), strings.Repeat(",", large), strings.Repeat("9", large),
		strings.Repeat("[", large), strings.Repeat("{\"a\":", large/5), strings.Repeat("\"", large), strings.Repeat("- ", large/2),
		text[:len(text)/2], text[:len(text)-1], text + text, text + "\x1b]0;owned\a\u202e\x00", strings.ReplaceAll(text, "\n", "\r"),
		digits.ReplaceAllString(text, strings.Repeat("9", 400)), digits.ReplaceAllString(text, "-1"), digits.ReplaceAllString(text, "1e999"),
		digits.ReplaceAllString(text, "NaN"), strings.ReplaceAll(text, ",", ",\x1b[31m\u202e"),
		strings.ReplaceAll(text, ",A", ",A\x1b[31m\u202e"), strings.ReplaceAll(text, "a", "\xff"),
		"a: &a [x, x]\n" + strings.Repeat("b: [*a, *a, *a]\n", 1000), "\ufeff" + text, string(utf16),
		string(packed(packed(good))), string(packed(make([]byte, 8*large))), string(zipped("../../x.csv", good)), string(zipped("x.csv", make([]byte, 8*large))),
		strings.Join(slices.Repeat(strings.SplitAfter(text, "\n"), 3), ""),
	} {
		all = append(all, []byte(s))
	}
	for range 10 { // counts and lengths in binary formats
		b := slices.Clone(good)
		for range 1 + draw.IntN(3) {
			binary.LittleEndian.PutUint32(b[draw.IntN(len(b)-4):], []uint32{0, 1, 0x7fffffff, 0xffffffff}[draw.IntN(4)])
		}
		all = append(all, b)
	}
	return all
}

// growth watches how far the heap grows beyond what other tests left there, without the garbage that it makes room for.
func growth() (stop func() uint64) {
	percent := debug.SetGCPercent(25)
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	base, peak := now.HeapInuse, now.HeapInuse
	end, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-end:
				return
			case <-time.After(20 * time.Millisecond):
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapInuse)
			}
		}
	}()
	return func() uint64 {
		close(end)
		<-done
		debug.SetGCPercent(percent)
		return peak - base
	}
}

// TestTooManyAnswers: answers and scores beyond the limit are refused by their lines or bytes, before they are held.
func TestTooManyAnswers(t *testing.T) {
	fixture.Long(t)
	t.Chdir(t.TempDir())
	systems := ""
	for i := range 200 {
		systems += ",s" + strconv.Itoa(i)
	}
	for _, c := range []struct {
		name, head, line string
		lines            int
		want             string
	}{
		{"answers.csv", "item,system,correct\n", "12345,A,1\n", 17_000_000, "answers.csv: more than 16000000 rows"},
		{"scores.csv", "dataset,system,score\n", "d,A,0.5\n", 17_000_000, "scores.csv: more than 16000000 rows"},
		{"records.jsonl", "", `{"item":1,"system":"A","correct":1}` + "\n", 17_000_000, "records.jsonl: 583 MiB, and at most 512 are read"},
		{"matrix.csv", "item" + systems + "\n", "1" + strings.Repeat(",1", 200) + "\n", 81_000, "matrix.csv: 81001 rows of 200 systems are more than 16000000"},
	} {
		file, err := os.Create(c.name)
		fixture.Check(t, err)
		w := bufio.NewWriter(file)
		w.WriteString(c.head)
		if all := c.lines * len(c.line); all > 512<<20 { // room for them is enough
			fixture.Check(t, file.Truncate(int64(all)))
		} else {
			w.WriteString(strings.Repeat(c.line, c.lines))
		}
		fixture.Check(t, errors.Join(w.Flush(), file.Close()))
		for _, args := range [][]string{{"rank", c.name}, {"gate", c.name, "--accepted", "kept"}} {
			stop, begun := growth(), time.Now()
			code, _, stderr := command(t, args...)
			took, grown := time.Since(begun), stop()
			if code != 3 || !strings.Contains(stderr, c.want) || took > 10*time.Second || grown > 64<<20 {
				t.Errorf("%q: exit code %d after %v and %d MiB, want 3; it says %q, want %q", args, code, took, grown>>20, stderr, c.want)
			}
		}
		fixture.Check(t, os.Remove(c.name))
	}
}

// TestHostileInputs: what others made is read or refused, in little time and memory, and what is
// said of it is harmless to a terminal.
func TestHostileInputs(t *testing.T) {
	fixture.Long(t)
	const longest, most = 10 * time.Second, 200 << 20
	t.Chdir(t.TempDir())
	table := "a,b,class\n" + strings.Repeat("1,2.5,x\n2,1.5,y\n3,0.5,x\n4,3.5,y\n", 10)
	fixture.Write(t, "good.csv", table)
	answers := "item,system,label,truth,split,train\n1,A,cat,cat,1,9\n2,A,dog,cat,1,9\n1,B,cat,cat,1,9\n2,B,cat,cat,1,9\n"
	fixture.Write(t, filepath.Join("accepted", "files", "gate.csv"), answers)
	succeed(t, "fit", "good.csv", "--label", "class", "--method", "rca", "--param", "features=raw", "-o", "model.npz", "--quiet")
	var columns bytes.Buffer
	w := parquet.NewGenericWriter[struct {
		A, B  float64
		Class string
	}](&columns)
	for i := range 40 {
		w.Write([]struct {
			A, B  float64
			Class string
		}{{float64(i), 2, string(rune('x' + i%2))}})
	}
	fixture.Check(t, w.Close())
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	fixture.Must(fixture.Must(z.Create("data.csv"))(t).Write([]byte(table)))(t)
	fixture.Check(t, z.Close())
	fixture.Write(t, "spec.yaml", "name: s\ndatasets: [overlap30]\npublished: published.yaml\nmethods: [{method: euclidean}]\n")

	for _, door := range []struct {
		file string
		good string
		args []string
	}{
		{"rank.csv", answers, []string{"rank", "rank.csv", "--common"}},
		{"rank.jsonl", `{"item": 1, "system": "A", "correct": 1}` + "\n" + `{"item": 1, "system": "B", "correct": 0}` + "\n", []string{"rank", "rank.jsonl"}},
		{"scores.csv", "dataset,A,B\nd1,0.5,0.7\nd2,0.4,0.3\nd3,0.1,0.2\n", []string{"rank", "scores.csv"}},
		{"gate.csv", answers, []string{"gate", "gate.csv", "--accepted", "accepted"}},
		{"audit.yaml", succeed(t, "audit", "--example"), []string{"audit", "audit.yaml"}},
		{"published.yaml", "name: p\ncolumns: [euclidean]\nrows:\n  - {row: overlap30, n: 320, printed: [75.0]}\n",
			[]string{"verdict", "spec.yaml", "--results", "."}},
		{"model.npz", fixture.Text(t, "model.npz"), []string{"fit", "--model", "model.npz", "--predict", "good.csv"}},
		{"x.parquet", columns.String(), []string{"data", "show", "x.parquet", "--stanza", "{label: Class}"}},
		{"x.zip", archive.String(), []string{"data", "show", "x.zip", "--stanza", "{label: class}"}},
	} {
		t.Run(door.file, func(t *testing.T) {
			fixture.Write(t, door.file, door.good)
			if code, _, stderr := command(t, door.args...); code != 0 && door.args[0] != "gate" {
				t.Fatalf("the good file: exit code %d\n%s", code, stderr)
			}
			refused, slowest := 0, time.Duration(0)
			stop := growth()
			for i, b := range hostile([]byte(door.good), rand.New(rand.NewPCG(1, 2))) {
				fixture.Write(t, door.file, string(b))
				begun := time.Now()
				code, stdout, stderr := command(t, door.args...)
				slowest = max(slowest, time.Since(begun))
				if code < 0 || code > 5 || code == 2 || code != 0 && stderr == "" {
					t.Errorf("file %d: exit code %d\n%s", i, code, stderr)
				}
				if code != 0 {
					refused++
				}
				if said := stdout + stderr; !utf8.ValidString(said) || strings.ContainsAny(said, "\x00\x1b\a\u202e") || len(said) > 1<<19 {
					t.Errorf("file %d: what is said is not harmless: %.200q", i, said)
				}
			}
			grown := stop()
			if slowest > longest || grown > most || refused < 20 {
				t.Errorf("%v and %d MiB at most, %d refused", slowest, grown>>20, refused)
			}
			t.Logf("%v and %d MiB at most, %d refused", slowest.Round(time.Millisecond), grown>>20, refused)
		})
	}
}
