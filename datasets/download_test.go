package datasets

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"r2lmlbench/internal/fixture"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

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
		case http.HandlerFunc:
			page(w, r)
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
		"/toy.zip":  zipOf(zipped{"toy.data", 0, text}),
		"/stalled":  stall(text[:50]),
		"/silent":   stall(nil),
		"/cut": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(text)))
			w.Write(text[:100])
		}),
		"/long": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(bomb)))
			stall(nil)(w, r) // refused before the first byte
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
		"/circle": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/circle", http.StatusFound)
		}),
		"/file": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/hosts", http.StatusFound)
		}),
		"/broken": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "no", http.StatusInternalServerError)
		}),
	}
}

// refused is the error of a fetch that must store nothing.
func refused(t *testing.T, f Fetcher, e Entry) error {
	t.Helper()
	l := Library{t.TempDir()}
	err := f.Fetch(t.Context(), e, l)
	onlyHolds(t, l.Dir)
	return err
}

func TestFetchRefuses(t *testing.T) {
	s := serve(t, badPages())
	impatient := Fetcher{StallTimeout: 100 * time.Millisecond}
	for _, tt := range []struct {
		name, path, member string
		f                  Fetcher
		want               []string
	}{
		{"wrong digest", "/wrong", "", Fetcher{}, []string{"wrong content", "SHA-256", hexSum(toyText())}},
		{"short without notice", "/short", "", Fetcher{}, []string{"100 bytes with SHA-256"}},
		{"truncated", "/cut", "", Fetcher{}, []string{"truncated"}},
		{"not found", "/nowhere", "", Fetcher{}, []string{"404 Not Found"}},
		{"broken server", "/broken", "", Fetcher{}, []string{"500 Internal Server Error"}},
		{"web page", "/html", "", Fetcher{}, []string{"a web page, not the file"}},
		{"announces too much", "/long", "", Fetcher{}, []string{"more than 65666 bytes"}},
		{"sends without end", "/endless", "", Fetcher{}, []string{"more than 65666 bytes"}},
		{"zip bomb", "/bomb.zip", "toy.data", Fetcher{}, []string{`member "toy.data": more than 130 bytes`}},
		{"too large an archive", "/toy.zip", "toy.data", Fetcher{MaxBytes: 100}, []string{"more than 100 bytes"}},
		{"redirects without end", "/circle", "", Fetcher{}, []string{"more than 5 redirects"}},
		{"redirect to a file", "/file", "", Fetcher{}, []string{"only https and http"}},
		{"stalled", "/stalled", "", impatient, []string{"stalled: no byte for 100ms"}},
		{"silent", "/silent", "", impatient, []string{"stalled: no byte for 100ms"}},
		{"slow", "/drip", "", Fetcher{Timeout: 200 * time.Millisecond}, []string{"not through after 200ms"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := refused(t, tt.f, toySet(s.source(tt.path, tt.member)))
			fixture.Says(t, err, append(tt.want, "datasets: toy", "toy.data", s.URL+tt.path)...)
		})
	}
	paths := slices.DeleteFunc(s.requests(), func(path string) bool { return path != "/circle" })
	fixture.Equal(t, "requests in a circle", len(paths), 1+maxRedirects)
}

func TestFetchOtherSchemesAndNoSource(t *testing.T) {
	err := refused(t, Fetcher{}, toySet(Source{URL: "file:///etc/hosts"}, Source{URL: "ftp://127.0.0.1/toy"}, Source{URL: ":"}))
	fixture.Says(t, err, "file:///etc/hosts: only https and http", "ftp://127.0.0.1/toy: only https and http", "missing protocol scheme")
	fixture.Says(t, refused(t, Fetcher{}, toySet()), "official source: none is known")
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
	err := (Fetcher{}).Fetch(ctx, toySet(s.source("/toy", ""), s.source("/next", "")), l)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a cancelled context", err)
	}
	fixture.EqualSlice(t, "asked for", s.requests(), []string{"/toy"})
	onlyHolds(t, l.Dir)
}
