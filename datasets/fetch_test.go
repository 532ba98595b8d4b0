package datasets

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// serve starts a server that gives bytes or runs a handler at each path.
// stall sends the first bytes and then nothing until the client leaves.
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
	tests := []struct {
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
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Library{t.TempDir()}
			fixture.Check(t, (Fetcher{}).Fetch(t.Context(), tt.set, l))
			onlyHolds(t, l.Dir, "toy/toy.data")
			if got, _ := os.ReadFile(filepath.Join(l.Dir, "toy", "toy.data")); !bytes.Equal(got, tt.want) {
				t.Errorf("stored %q, want %q", got, tt.want)
			}
			if _, err := l.Load(tt.set); err != nil {
				t.Error(err)
			}
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
	if got, want := s.requests(), []string{"/nowhere", "/wrong", "/right"}; !slices.Equal(got, want) {
		t.Errorf("asked for %q, want %q", got, want)
	}
	logged := strings.Join(lines, "\n")
	for _, want := range []string{"404 Not Found", "SHA-256", "trying " + s.URL + "/right", "storing"} {
		if !strings.Contains(logged, want) {
			t.Errorf("the log does not say %q:\n%s", want, logged)
		}
	}
}

// The official bytes are not known: what a source gives counts when the
// content is right, and if not, the next source is asked.
func TestFetchByContent(t *testing.T) {
	pages := badPages()
	pages["/wide"] = bytes.ReplaceAll(toyText(), []byte("\n"), []byte("\r\n"))
	s := serve(t, pages)
	l := Library{t.TempDir()}
	bad, good := s.source("/wrong", ""), s.source("/wide", "")
	saysAll(t, (Fetcher{}).Fetch(t.Context(), varyingToy(bad), l), "the set as a whole", "rows of class")
	onlyHolds(t, l.Dir)
	saysAll(t, (Fetcher{}).Fetch(t.Context(), varyingToy(s.source("/short", "")), l), "the set as a whole", "row 16")
	onlyHolds(t, l.Dir)
	saysAll(t, (Fetcher{}).Fetch(t.Context(), varyingToy(s.source("/html", "")), l), "a web page")
	onlyHolds(t, l.Dir)
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
		if got := s.requests(); len(got) != 1 {
			t.Errorf("asked for %q, want one request", got)
		}
		onlyHolds(t, l.Dir, "toy/one.data", "toy/two.data")
	})
	t.Run("a right half is kept and not fetched again", func(t *testing.T) {
		l := Library{t.TempDir()}
		e, _ := pairSet([]Source{one}, []Source{s.source("/nowhere", "")})
		saysAll(t, (Fetcher{}).Fetch(t.Context(), e, l), "two.data", "404")
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
		saysAll(t, (Fetcher{}).Fetch(t.Context(), e, l), "two.data", "404")
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
		if err := (Fetcher{}).Fetch(t.Context(), set, l); err != nil {
			t.Error(err)
		}
		if _, err := l.Load(set); err != nil {
			t.Errorf("beside a wrong %s: %v", name, err)
		}
	}
}
