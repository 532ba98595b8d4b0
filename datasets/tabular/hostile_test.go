package tabular

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/strictyaml"
)

// hostile are small files that unpack to very much. Rows cost more than their bytes,
// so that a limit of bytes is not enough.
var hostile = []struct{ name, file, begin, again, end, says string }{
	{"rows of LIBSVM", "x.svm", "", "1 1:1\n2 1:2\n", "", "more than 20000 rows"},
	{"empty rows of sparse ARFF", "x.arff", "@attribute x real\n@attribute c {a,b}\n@data\n", "{}\n{1 b}\n", "", "more than 20000 rows"},
	{"a quoted field of line feeds", "x.csv", "a,c\n1,\"", "\n", "\"\n", "at most 1000 lines"},
	{"rows without a label", "x.csv", "", "1,\n", "", "more than 20000 rows"},
	{"a line", "x.csv", "", "1234567,", "\n", "more than 4 MiB"},
	{"a line without delimiter", "x.csv", "", "1234567", "\n", "more than 4 MiB"},
	{"empty lines", "x.csv", "", "\n", "", "no rows"},
}

// kept returns the greatest heap that reading adds, by looks in between.
func kept(read func()) uint64 {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	done := make(chan struct{})
	go func() { read(); close(done) }()
	most := before.HeapAlloc
	for {
		select {
		case <-done:
			return most - before.HeapAlloc
		case <-time.After(20 * time.Millisecond):
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
		}
	}
}

// TestHostile: what is read of such a file stays far below its size, and it is refused by
// the limit that it meets.
func TestHostile(t *testing.T) {
	fixture.Long(t)
	rowLimit = 20_000
	defer func() { rowLimit = MaxRows }()
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // what is no longer kept goes at once
	for _, c := range hostile {
		packed := []byte(zipped(c.begin + strings.Repeat(c.again, 6_000_000/len(c.again)) + c.end))
		var err error
		heap := kept(func() {
			guess(c.file, packed, Options{})
			_, err = read(c.file, packed, Options{Label: labelOf(c.file)})
		})
		fixture.Says(t, err, c.says)
		if heap > 40<<20 {
			t.Errorf("%s: %d MiB of heap", c.name, heap>>20)
		}
	}
}

// TestCanceled: an end of the context ends the reading of every format, and is no fault.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := map[string]string{"X": npyOf("<f8", "4, 2", floats(same.X...)), "y": npyOf("|i1", "4,", []byte{7, 1, 7, 1})}
	for file, content := range map[string]string{
		"x.csv": good, "x.svm": "1 1:1\n2 1:2\n", "x.arff": "@attribute x real\n@attribute c {a,b}\n@data\n1,a\n", "x.npz": npzOf(x), "x.csv.gz": zipped(good),
	} {
		_, err := Read(ctx, file, []byte(content), Options{Label: labelOf(file)})
		var faults strictyaml.Errors
		if !errors.Is(err, context.Canceled) || errors.As(err, &faults) {
			t.Errorf("%s: %v", file, err)
		}
		Guess(ctx, file, []byte(content), Options{})
	}
}

func labelOf(file string) Column {
	if (Options{}).FormatOf(file) == CSV {
		return Column{Name: Last}
	}
	return Column{}
}

// TestOneHot: texts become codes with their texts, missing ones are NaN, and too many are
// refused by the name of their column.
func TestOneHot(t *testing.T) {
	const text = "color,x,class\nred,1,a\nblue,2,b\n?,3,a\nred,4,b\n"
	o := Options{Label: Column{Name: Last}, Encode: OneHot, Impute: "mean"}
	table := fixture.Must(read("x.csv", []byte(text), o))(t)
	fixture.Equal(t, "values and texts", fmt.Sprint(table.X, table.Categories), "[0 1 1 2 NaN 3 0 4] [[red blue] []]")
	o.Impute, o.DropRows = "", true
	table = fixture.Must(read("x.csv", []byte(text+"?,7,\nblue,8,a\n"), o))(t)
	fixture.EqualSlice(t, "values of whole rows", table.X, []float64{0, 1, 1, 2, 0, 4, 1, 8})
	var b strings.Builder
	b.WriteString("town,class\n")
	for i := range 204 {
		fmt.Fprintf(&b, "t%d,%c\n", i%51, 'a'+rune(i%2))
	}
	o = Options{Label: Column{Name: Last}, Encode: OneHot, Header: truth(true)}
	fixture.Says(t, fixture.Error(read("x.csv", []byte(b.String()), o)), `"town"`, "more than 50")
}
