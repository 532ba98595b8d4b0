package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

func TestFetchTakesEveryWrapping(t *testing.T) {
	text := toyText()
	wide := []byte(strings.ReplaceAll(string(text), ",", " , "))
	s := serve(t, map[string]any{
		"/toy.data":    text,
		"/toy.data.gz": gzipped(text),
		"/toy.data.Z":  compressedToy(),
		"/toy.zip":     zipOf(zipped{"readme", 0, []byte("x")}, zipped{"toy.data", 0, text}),
		"/toy.z.zip":   zipOf(zipped{"toy.data.Z", 0, compressedToy()}),
		"/wide.data":   wide,
		"/encoded": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(gzipped(text))
		}),
		"/redirect": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/toy.data.gz", http.StatusMovedPermanently)
		}),
	})
	for _, tt := range []struct {
		name string
		set  Entry
		want []byte
	}{
		{"plain", toySet(s.source("/toy.data", "")), text},
		{"gz", toySet(s.source("/toy.data.gz", "")), text},
		{"Z", toySet(s.source("/toy.data.Z", "")), text},
		{"zip", toySet(s.source("/toy.zip", "toy.data")), text},
		{"Z in zip", toySet(s.source("/toy.z.zip", "toy.data.Z")), text},
		{"gz as content encoding", toySet(s.source("/encoded", "")), text},
		{"redirected", toySet(s.source("/redirect", "")), text},
		{"other bytes, same content", varyingToy(s.source("/wide.data", "")), wide},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := Library{t.TempDir()}
			fixture.Check(t, (Fetcher{}).Fetch(t.Context(), tt.set, l))
			onlyHolds(t, l.Dir, "toy/toy.data")
			if got, _ := os.ReadFile(filepath.Join(l.Dir, "toy", "toy.data")); !bytes.Equal(got, tt.want) {
				t.Errorf("stored %q, want %q", got, tt.want)
			}
			fixture.Must(l.Load(tt.set))(t)
		})
	}
}

func TestFetchTriesSourcesInOrder(t *testing.T) {
	pages := badPages()
	pages["/right"] = toyText()
	s := serve(t, pages)
	set := toySet(s.source("/nowhere", ""), s.source("/wrong", ""), s.source("/right", ""), s.source("/never", ""))
	l := Library{t.TempDir()}
	var lines []string
	f := Fetcher{Log: func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }}
	fixture.Check(t, f.Fetch(t.Context(), set, l))
	onlyHolds(t, l.Dir, "toy/toy.data")
	fixture.EqualSlice(t, "asked for", s.requests(), []string{"/nowhere", "/wrong", "/right"})
	logged := errors.New(strings.Join(lines, "\n"))
	fixture.Says(t, logged, "404 Not Found", "SHA-256", "trying "+s.URL+"/right", "storing")
}

// The official bytes are not known: what a source gives counts when the
// content is right, and if not, the next source is asked.
func TestFetchByContent(t *testing.T) {
	pages := badPages()
	pages["/wide"] = bytes.ReplaceAll(toyText(), []byte("\n"), []byte("\r\n"))
	s := serve(t, pages)
	bad, good := s.source("/wrong", ""), s.source("/wide", "")
	fixture.Says(t, refused(t, Fetcher{}, varyingToy(bad)), "the set as a whole", "rows of class")
	fixture.Says(t, refused(t, Fetcher{}, varyingToy(s.source("/short", ""))), "the set as a whole", "row 16")
	fixture.Says(t, refused(t, Fetcher{}, varyingToy(s.source("/html", ""))), "a web page")
	l := Library{t.TempDir()}
	fixture.Check(t, (Fetcher{}).Fetch(t.Context(), varyingToy(bad, good), l))
	onlyHolds(t, l.Dir, "toy/toy.data")
}

func TestFetchSetsOfTwoFiles(t *testing.T) {
	_, halves := pairSet(nil, nil)
	both := zipOf(zipped{"one.data", 0, halves[0]}, zipped{"two.data", 0, halves[1]})
	s := serve(t, map[string]any{"/both.zip": both, "/one": halves[0], "/two": halves[1]})
	one, two := s.source("/one", ""), s.source("/two", "")
	t.Run("one archive is fetched once", func(t *testing.T) {
		l := Library{t.TempDir()}
		e, _ := pairSet([]Source{s.source("/both.zip", "one.data")}, []Source{s.source("/both.zip", "two.data")})
		fixture.Check(t, (Fetcher{}).Fetch(t.Context(), e, l))
		fixture.EqualSlice(t, "asked for", s.requests(), []string{"/both.zip"})
		onlyHolds(t, l.Dir, "toy/one.data", "toy/two.data")
	})
	t.Run("a right half is kept and not fetched again", func(t *testing.T) {
		l := Library{t.TempDir()}
		e, _ := pairSet([]Source{one}, []Source{s.source("/nowhere", "")})
		fixture.Says(t, (Fetcher{}).Fetch(t.Context(), e, l), "two.data", "404")
		onlyHolds(t, l.Dir, "toy/one.data")
		e, _ = pairSet([]Source{s.source("/gone", "")}, []Source{two})
		fixture.Check(t, (Fetcher{}).Fetch(t.Context(), e, l))
		onlyHolds(t, l.Dir, "toy/one.data", "toy/two.data")
		if slices.Contains(s.requests(), "/gone") {
			t.Error("asked for a file that was there")
		}
	})
	t.Run("a half in doubt waits for the other", func(t *testing.T) {
		l := Library{t.TempDir()}
		e, _ := pairSet([]Source{one}, []Source{s.source("/nowhere", "")})
		e.Files[0].Varies, e.Files[0].SHA256 = true, hexSum(nil)
		fixture.Says(t, (Fetcher{}).Fetch(t.Context(), e, l), "two.data", "404")
		onlyHolds(t, l.Dir)
		e.Files[1].Sources = append(e.Files[1].Sources, two)
		fixture.Check(t, (Fetcher{}).Fetch(t.Context(), e, l))
		onlyHolds(t, l.Dir, "toy/one.data", "toy/two.data")
	})
}

func TestFetchReplacesWhatIsWrong(t *testing.T) {
	s := serve(t, map[string]any{"/toy": toyText()})
	for _, name := range []string{"toy.data", "toy.data.gz", "toy.data.Z"} {
		l := Library{t.TempDir()}
		put(t, filepath.Join(l.Dir, "toy", name), []byte("half a fi"))
		set := toySet(s.source("/toy", ""))
		fixture.Check(t, (Fetcher{}).Fetch(t.Context(), set, l))
		if _, err := l.Load(set); err != nil {
			t.Errorf("beside a wrong %s: %v", name, err)
		}
	}
}
