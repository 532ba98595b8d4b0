package datasets

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"r2lmlbench/internal/files"
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
		"/redirect": http.RedirectHandler("/toy.data.gz", http.StatusMovedPermanently),
	})
	for _, tt := range []struct {
		name string
		set  DataSet
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
			fixture.Equal(t, "stored text", fixture.Text(t, filepath.Join(l.Dir, "toy", "toy.data")), string(tt.want))
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
// content of the set is right, unless it is a web page.
func TestFetchByContent(t *testing.T) {
	pages := badPages()
	pages["/wide"] = bytes.ReplaceAll(toyText(), []byte("\n"), []byte("\r\n"))
	s := serve(t, pages)
	bad, good := s.source("/wrong", ""), s.source("/wide", "")
	fixture.Says(t, refused(t, varyingToy(bad)), bad.URL+": the set as a whole", "rows of class")
	fixture.Says(t, refused(t, varyingToy(bad, s.source("/nowhere", ""))), bad.URL+": the set as a whole", "404")
	fixture.Says(t, refused(t, varyingToy(s.source("/short", ""))), "the set as a whole", "row 16")
	fixture.Says(t, refused(t, varyingToy(s.source("/html", ""))), "a web page")
	for _, first := range []Source{s.source("/html", ""), bad, s.source("/short", "")} {
		l := Library{t.TempDir()}
		e := varyingToy(first, good, s.source("/never", ""))
		fixture.Check(t, (Fetcher{}).Fetch(t.Context(), e, l))
		fixture.Must(l.Load(e))(t)
	}
	fixture.Equal(t, "asked for more than it needs", slices.Contains(s.requests(), "/never"), false)
}

func TestFetchSetsOfTwoFiles(t *testing.T) {
	_, halves := pairSet(nil, nil)
	both := zipOf(zipped{"one.data", 0, halves[0]}, zipped{"two.data", 0, halves[1]})
	s := serve(t, map[string]any{"/both.zip": both, "/one": halves[0], "/two": halves[1], "/wrong": []byte("1,1,a\n")})
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
		fixture.Equal(t, "asked for a file that was there", slices.Contains(s.requests(), "/gone"), false)
	})
	t.Run("a half in doubt is asked of its next place", func(t *testing.T) {
		for i := range 2 {
			places := [2][]Source{{one}, {two}}
			places[i] = []Source{s.source("/wrong", ""), places[i][0]}
			e, _ := pairSet(places[0], places[1])
			e.Files[i].Varies, e.Files[i].SHA256 = true, hexSum(nil)
			l := Library{t.TempDir()}
			fixture.Check(t, (Fetcher{}).Fetch(t.Context(), e, l))
			fixture.Must(l.Load(e))(t)
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
		fixture.Write(t, filepath.Join(l.Dir, "toy", name), "half a fi")
		set := toySet(s.source("/toy", ""))
		fixture.Check(t, (Fetcher{}).Fetch(t.Context(), set, l))
		fixture.Must(l.Load(set))(t)
	}
}

// A site is a local server that remembers the paths it was asked for.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	paths []string
}

func serve(t *testing.T, pages map[string]any) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.paths = append(s.paths, r.URL.Path)
		s.mu.Unlock()
		switch page := pages[r.URL.Path].(type) {
		case []byte:
			w.Write(page)
		case http.Handler:
			page.ServeHTTP(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) source(path, member string) Source { return Source{s.URL + path, member} }

func (s *site) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.paths)
}

func stall(first []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Write(first)
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
}

// badPages are what a server may do wrong with a file.
func badPages() map[string]any {
	text, bomb := toyText(), make([]byte, 1<<20)
	wrong := bytes.Replace(text, []byte("a"), []byte("b"), 1)
	return map[string]any{
		"/wrong":    wrong,
		"/short":    text[:100],
		"/html":     []byte("\n<!DOCTYPE html><html>moved</html>"),
		"/bomb.zip": zipOf(zipped{"toy.data", 0, bomb}),
		"/bomb.gz":  gzipped(make([]byte, 1<<24)),
		"/toy.zip":  zipOf(zipped{"toy.data", 0, text}),
		"/inflated": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for err := error(nil); err == nil; _, err = z.Write(bomb) {
			}
		}),
		"/stalled": stall(text[:50]),
		"/silent":  stall(nil),
		"/mute":    http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
		"/cut": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(text)))
			w.Write(text[:100])
		}),
		"/long": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(bomb)))
			stall(nil)(w, r) // refused before the first byte
		}),
		"/huge.zip": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(maxResponse+1))
			stall(nil)(w, r)
		}),
		"/endless": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(bomb[:4096]); err != nil {
					return
				}
			}
		}),
		"/drip": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for i := 0; i < len(text) && r.Context().Err() == nil; i++ {
				w.Write(text[i : i+1])
				http.NewResponseController(w).Flush()
				time.Sleep(20 * time.Millisecond)
			}
		}),
		"/circle": http.RedirectHandler("/circle", http.StatusFound),
		"/file":   http.RedirectHandler("file:///etc/hosts", http.StatusFound),
		"/broken": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "no", http.StatusInternalServerError)
		}),
	}
}

// refused is the error of a fetch that must store nothing.
func refused(t *testing.T, e DataSet) error {
	t.Helper()
	l := Library{t.TempDir()}
	err := (Fetcher{}).Fetch(t.Context(), e, l)
	onlyHolds(t, l.Dir)
	return err
}

func TestFetchRefuses(t *testing.T) {
	pages := badPages()
	other := serve(t, pages)
	pages["/elsewhere"] = http.RedirectHandler(other.URL+"/wrong", http.StatusFound)
	s := serve(t, pages)
	fixture.Equal(t, "the longest that an answer may take", client.Timeout, 10*time.Minute)
	defer func() { client.Timeout = 10 * time.Minute }()
	first := &client.Transport.(*http.Transport).ResponseHeaderTimeout
	fixture.Equal(t, "the longest until an answer begins", *first, 30*time.Second)
	defer func() { *first = 30 * time.Second }()
	for _, tt := range []struct{ name, path, member, want string }{
		{"wrong digest", "/wrong", "", "wrong content: 130 bytes with SHA-256"},
		{"short without notice", "/short", "", "100 bytes with SHA-256"},
		{"truncated", "/cut", "", "truncated"},
		{"not found", "/nowhere", "", "404 Not Found"},
		{"broken server", "/broken", "", "500 Internal Server Error"},
		{"web page", "/html", "", "a web page, not the file"},
		{"announces too much", "/long", "", "more than 65666 bytes"},
		{"sends without end", "/endless", "", "more than 65666 bytes"},
		{"zip bomb", "/bomb.zip", "toy.data", `member "toy.data": more than 130 bytes`},
		{"gzip bomb", "/bomb.gz", "", "more than 130 bytes"},
		{"gzip bomb as content encoding", "/inflated", "", "more than 65666 bytes"},
		{"redirect to another host", "/elsewhere", "", "wrong content: 130 bytes with SHA-256"},
		{"announces too large an archive", "/huge.zip", "toy.data", "more than 67108864 bytes"},
		{"redirects without end", "/circle", "", "stopped after 10 redirects"},
		{"redirect to a file", "/file", "", "unsupported protocol scheme"},
		{"stalled", "/stalled", "", "Client.Timeout"},
		{"silent", "/silent", "", "Client.Timeout"},
		{"slow", "/drip", "", "Client.Timeout"},
		{"mute", "/mute", "", "timeout awaiting response headers"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client.Timeout, *first = 10*time.Minute, 30*time.Second
			if tt.name == "mute" {
				*first = 200 * time.Millisecond
			}
			if tt.want == "Client.Timeout" {
				client.Timeout = 200 * time.Millisecond
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begun := time.Now()
			err := refused(t, toySet(s.source(tt.path, tt.member)))
			runtime.ReadMemStats(&after)
			if took, grown := time.Since(begun), after.TotalAlloc-before.TotalAlloc; took > 5*time.Second || grown > 8<<20 { // with the server
				t.Errorf("it took %v and %d KiB", took, grown>>10)
			}
			fixture.Says(t, err, tt.want, "datasets: toy", "toy.data", s.URL+tt.path)
		})
	}
	paths := slices.DeleteFunc(s.requests(), func(path string) bool { return path != "/circle" })
	fixture.Equal(t, "requests in a circle", len(paths), 10)
}

func TestFetchOtherSchemesAndNoSource(t *testing.T) {
	err := refused(t, toySet(Source{URL: "file:///etc/hosts"}, Source{URL: "ftp://127.0.0.1/toy"}, Source{URL: ":"}))
	fixture.Says(t, err, `file:///etc/hosts: unsupported protocol scheme "file"`, `unsupported protocol scheme "ftp"`, "missing protocol scheme")
	fixture.Says(t, refused(t, toySet()), "official source: none is known")
}

func TestFetchCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, map[string]any{
		"/toy": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		}),
		"/next": toyText(),
	})
	l := Library{t.TempDir()}
	fixture.Is(t, (Fetcher{}).Fetch(ctx, toySet(s.source("/toy", ""), s.source("/next", "")), l), context.Canceled)
	fixture.EqualSlice(t, "asked for", s.requests(), []string{"/toy"})
	onlyHolds(t, l.Dir)
}

func TestFetchCannotStore(t *testing.T) {
	s := serve(t, map[string]any{"/toy": toyText()})
	l := Library{fixture.Write(t, filepath.Join(t.TempDir(), "file"), "")}
	err := (Fetcher{}).Fetch(t.Context(), toySet(s.source("/toy", "")), l)
	fixture.Is(t, err, files.ErrIO)
	fixture.Lacks(t, "the error", err.Error(), "not fetched", "try again later")
}

func TestCopy(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		b          []byte
		cause      error
		want       string
	}{
		{"plain", "toy/toy.data", toyText(), nil, ""},
		{"gz", "toy/toy.data.gz", gzipped(toyText()), nil, ""},
		{"no such file", "other/toy.data", toyText(), ErrMissing, "toy.data"},
		{"wrong digest", "toy/toy.data", toyText()[1:], ErrCorrupt, "SHA-256"},
		{"gz bomb", "toy/toy.data.gz", gzipped(make([]byte, 1<<20)), ErrCorrupt, "more than"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, l := t.TempDir(), Library{t.TempDir()}
			fixture.Write(t, filepath.Join(from, tt.file), string(tt.b))
			err := (Fetcher{}).Copy(t.Context(), toySet(), l, from)
			fixture.Is(t, err, tt.cause)
			if tt.cause == nil {
				onlyHolds(t, l.Dir, "toy/toy.data")
				return
			}
			fixture.Says(t, err, "datasets: toy", from, tt.want)
			onlyHolds(t, l.Dir)
		})
	}
}
