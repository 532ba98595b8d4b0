package datasets

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"r2lmlbench/internal/atomicfile"
)

// A Fetcher brings the raw files of data sets into a [Library], from their
// official sources or from a local copy. The zero value is ready for use.
//
// A file is used only when its SHA-256 is the catalogue's or, where the
// official bytes vary, when the content of the whole set is. Files are
// unpacked and checked in memory, then stored plain, under their original
// names, by temporary file and rename: what a library holds is never half of
// a file.
type Fetcher struct {
	Client       *http.Client  // nil: a plain one. Redirects are bounded with any client
	MaxBytes     int64         // largest response taken; 0: 64 MiB
	Timeout      time.Duration // for one response up to its last byte; 0: 10 minutes
	StallTimeout time.Duration // longest wait for the next byte; 0: 30 seconds

	// Log, if not nil, is told what happens, in one line per call.
	Log func(format string, args ...any)
}

// Fetch downloads what the library lacks of e. The sources of a file are tried
// in order, over https or http only; if none gives it, the error lists what
// was wrong with each. Files that are there and right are left alone.
func (f Fetcher) Fetch(ctx context.Context, e Entry, l Library) error {
	seen := map[string][]byte{} // one archive may hold several files of the set
	const advice = "try again later, or give a copy with --from DIR"
	return f.bring(ctx, e, l, advice, func(file File) []place {
		var places []place
		for _, s := range file.Sources {
			get := func() ([]byte, error) { return f.download(ctx, file, s, seen) }
			places = append(places, place{s.URL, get})
		}
		return places
	})
}

// Copy is Fetch from a local directory, in which the files lie as in a
// library: <from>/<id>/<name>, plain or packed.
func (f Fetcher) Copy(ctx context.Context, e Entry, l Library, from string) error {
	info, err := os.Stat(from)
	if err == nil && !info.IsDir() {
		err = errors.New("not a directory")
	}
	if err != nil {
		return fmt.Errorf("datasets: %s: cannot copy from %s: %w", e.ID, from, err)
	}
	return f.bring(ctx, e, l, "put the right files there", func(file File) []place {
		get := func() ([]byte, error) { return Library{from}.Read(e, file) }
		return []place{{from, get}}
	})
}

// A place is where a file may come from.
type place struct {
	where string
	get   func() ([]byte, error) // the uncompressed bytes
}

// bring gets the files the library lacks, each from its first place, then from
// its second and so on, until the set is complete. If it never is, the error
// gives the advice and lists the faults.
func (f Fetcher) bring(ctx context.Context, e Entry, l Library, advice string, places func(File) []place) error {
	if e.Generated() {
		f.log("%s: generated, nothing to fetch", e.ID)
		return nil
	}
	if l.Check(e) == nil {
		f.log("%s: already there", e.ID)
		return nil
	}
	files, settled := map[string][]byte{}, map[string]bool{} // what has come so far, and what of it is stored with the right SHA-256
	var faults []error
	fault := func(file File, where string, err error) {
		faults = append(faults, fmt.Errorf("%s: %s: %w", file.Name, where, err))
	}
	store := func(file File) error {
		f.log("%s: %s: storing %d bytes", e.ID, file.Name, len(files[file.Name]))
		return atomicfile.Write(filepath.Join(l.Dir, e.ID, file.Name), files[file.Name])
	}
	for _, file := range e.Files {
		if b, err := l.Read(e, file); err == nil && file.matches(b) {
			files[file.Name], settled[file.Name] = b, true
		}
	}
	for n, remaining := 0, true; remaining && ctx.Err() == nil; n++ {
		// The n-th place of every file. One whose bytes vary waits for the rest of the set.
		remaining = false
		for _, file := range e.Files {
			if settled[file.Name] || ctx.Err() != nil {
				continue
			}
			at := places(file)
			if n == 0 && len(at) == 0 {
				fault(file, "official source", errors.New("none is known"))
			}
			if n >= len(at) {
				continue
			}
			remaining = true
			f.log("%s: %s: trying %s", e.ID, file.Name, at[n].where)
			b, err := at[n].get()
			known := err == nil && file.matches(b)
			if err == nil && !known && (!file.Varies || isPage(b)) {
				err = file.mismatch(b)
			}
			if err == nil {
				files[file.Name] = b
			}
			if known {
				err = store(file)
				settled[file.Name] = err == nil
			}
			if err != nil {
				f.log("%s: %s: %v", e.ID, file.Name, err)
				fault(file, at[n].where, err)
			}
		}
		// Is the set complete, and its content right?
		if !remaining || len(files) < len(e.Files) {
			continue
		}
		open := slices.DeleteFunc(slices.Clone(e.Files), func(file File) bool { return settled[file.Name] })
		if len(open) > 0 {
			if _, err := e.parse(files); err != nil {
				faults = append(faults, fmt.Errorf("the set as a whole: %w", err))
				continue
			}
		}
		for _, file := range open {
			if err := store(file); err != nil {
				return fmt.Errorf("datasets: %s: %w", e.ID, err)
			}
		}
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("datasets: %s: fetch: %w", e.ID, context.Cause(ctx))
	}
	return fmt.Errorf("datasets: %s: not fetched; %s:\n%w", e.ID, advice, errors.Join(faults...))
}

// mismatch tells what came instead of the file.
func (f File) mismatch(b []byte) error {
	if isPage(b) {
		return fmt.Errorf("%w: a web page, not the file", ErrCorrupt)
	}
	return fmt.Errorf("%w: %d bytes with SHA-256 %x, want %d with %s",
		ErrCorrupt, len(b), sha256.Sum256(b), f.Bytes, f.SHA256)
}

// isPage tells whether b looks like a web page, which servers like to send for
// a file that has moved. None of ours begins like one.
func isPage(b []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(b), []byte("<"))
}

func (f Fetcher) log(format string, args ...any) {
	if f.Log != nil {
		f.Log(format, args...)
	}
}

const (
	maxResponse  = 64 << 20
	maxRedirects = 5
	wrapping     = 64 << 10 // what packing may add to a small file
)

// download returns the uncompressed bytes of a file from one of its sources.
// Responses are kept in seen, by URL.
func (f Fetcher) download(ctx context.Context, file File, s Source, seen map[string][]byte) ([]byte, error) {
	b, ok := seen[s.URL]
	if !ok {
		limit := cmp.Or(f.MaxBytes, maxResponse)
		if s.Member == "" {
			limit = min(limit, file.limit()+wrapping)
		}
		var err error
		if b, err = f.get(ctx, s.URL, limit); err != nil {
			return nil, err
		}
		seen[s.URL] = b
	}
	return unpack(b, s.Member, file.limit())
}

// get returns the body of a response, of at most limit bytes, and gives up on
// a server that is slow or silent for too long.
func (f Fetcher) get(ctx context.Context, address string, limit int64) ([]byte, error) {
	long := cmp.Or(f.Timeout, 10*time.Minute)
	ctx, done := context.WithTimeoutCause(ctx, long, fmt.Errorf("not through after %v: gave up", long))
	defer done()
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	silent := cmp.Or(f.StallTimeout, 30*time.Second)
	watch := time.AfterFunc(silent, func() { abort(fmt.Errorf("stalled: no byte for %v: gave up", silent)) })
	defer watch.Stop()

	b, err := f.body(ctx, address, limit, func() { watch.Reset(silent) })
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return b, err
}

// body sends the request and reads the response, calling alive for every piece.
func (f Fetcher) body(ctx context.Context, address string, limit int64, alive func()) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if err := checkScheme(req.URL); err != nil {
		return nil, err
	}
	resp, err := f.client().Do(req)
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the method and the address, which the caller names
	}
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", resp.Status)
	}
	if resp.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	b, err := readAll(pulse{resp.Body, alive}, limit)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("truncated: the connection ended before the file did: %w", err)
	}
	return b, err
}

// client is the caller's client with redirects bounded: at most five, and
// only to https or http.
func (f Fetcher) client() *http.Client {
	var c http.Client
	if f.Client != nil {
		c = *f.Client
	}
	c.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("more than %d redirects: refused", maxRedirects)
		}
		return checkScheme(req.URL)
	}
	return &c
}

func checkScheme(u *url.URL) error {
	if u.Scheme != "https" && u.Scheme != "http" {
		return fmt.Errorf("%s: only https and http are followed", u.Redacted())
	}
	return nil
}

// A pulse calls alive whenever bytes come in.
type pulse struct {
	io.Reader
	alive func()
}

func (p pulse) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if n > 0 {
		p.alive()
	}
	return n, err
}
