package datasets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"r2lmlbench/internal/files"
)

// A Fetcher stores the raw files of data sets in a [Library], from their
// official sources or from a local copy. The zero value is ready to use.
//
// It accepts a file only if its SHA-256 is that of the catalogue or, if the
// official bytes vary, if the content of the whole set is. It unpacks and checks
// files in memory and stores them plain, under their original names, by temporary
// file and rename, so that a library never holds half a file.
type Fetcher struct {
	// Log, if not nil, logs the progress, one line per call.
	Log func(format string, args ...any)
}

// Fetch downloads the files of e that the library lacks or has wrong. It tries the
// sources of a file in order, over https or http only. If all fail, the error lists
// the failure of each.
func (f Fetcher) Fetch(ctx context.Context, e DataSet, l Library) error {
	seen := map[string][]byte{} // one archive may hold several files of the set
	const advice = "try again later, or give a copy with --from DIR"
	return f.bring(ctx, e, l, advice, func(file File) []place {
		var places []place
		for _, s := range file.Sources {
			get := func() ([]byte, error) { return download(ctx, file, s, seen) }
			places = append(places, place{s.URL, get})
		}
		return places
	})
}

// Copy is Fetch from a local directory, laid out like a library:
// <from>/<id>/<name>, plain or packed.
func (f Fetcher) Copy(ctx context.Context, e DataSet, l Library, from string) error {
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

// A place is a possible source of a file.
type place struct {
	where string
	get   func() ([]byte, error) // the uncompressed bytes
}

// bring gets the files the library lacks, each from the first of its places that has it.
// If some are missing at the end, the error gives the advice and lists the failures of the
// places. An error of storing a file is returned by itself.
func (f Fetcher) bring(ctx context.Context, e DataSet, l Library, advice string, places func(File) []place) error {
	if e.Generated() {
		f.log("%s: generated, nothing to fetch", e.ID)
		return nil
	}
	if l.Check(e) == nil {
		f.log("%s: already there", e.ID)
		return nil
	}
	contents := map[string][]byte{}
	var known, varying []File // files that the library lacks; the bytes of varying ones vary
	for _, file := range e.Files {
		b, err := l.Read(e, file)
		switch {
		case err == nil && file.matches(b):
			contents[file.Name] = b
		case file.Varies:
			varying = append(varying, file)
		default:
			known = append(known, file)
		}
	}
	missing := append(known, varying...) // in this order: the last varying file is checked with all others present
	var faults []error
	for _, file := range missing {
		b, err := f.first(ctx, e, file, places(file), func(b []byte) error { return e.refuse(file, b, contents) })
		if err != nil {
			faults = append(faults, err)
			continue
		}
		contents[file.Name] = b
	}
	for _, file := range missing {
		b, ok := contents[file.Name]
		if !ok || len(faults) > 0 && !file.matches(b) {
			continue // not fetched, or its content is not checked yet
		}
		f.log("%s: %s: storing %d bytes", e.ID, file.Name, len(b))
		if err := files.Write(filepath.Join(l.Dir, e.ID, file.Name), b); err != nil {
			return fmt.Errorf("datasets: %s: %w", e.ID, err)
		}
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("datasets: %s: fetch: %w", e.ID, context.Cause(ctx))
	case len(faults) > 0:
		return fmt.Errorf("datasets: %s: not fetched; %s:\n%w", e.ID, advice, errors.Join(faults...))
	}
	return nil
}

// first returns the file from the first place whose bytes are not refused. The error lists the
// failure of each.
func (f Fetcher) first(ctx context.Context, e DataSet, file File, places []place, refuse func([]byte) error) ([]byte, error) {
	if len(places) == 0 {
		return nil, fmt.Errorf("%s: official source: none is known", file.Name)
	}
	var faults []error
	for _, p := range places {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.log("%s: %s: trying %s", e.ID, file.Name, p.where)
		b, err := p.get()
		if err == nil {
			err = refuse(b)
		}
		if err == nil {
			return b, nil
		}
		f.log("%s: %s: %v", e.ID, file.Name, err)
		faults = append(faults, fmt.Errorf("%s: %s: %w", file.Name, p.where, err))
	}
	return nil, errors.Join(faults...)
}

// refuse returns an error if b is not the file. If the bytes of the file vary, it checks the
// content of the whole set instead, once the other files of the set are present.
func (e DataSet) refuse(f File, b []byte, others map[string][]byte) error {
	switch {
	case isPage(b):
		return fmt.Errorf("%w: a web page, not the file", ErrCorrupt)
	case !f.Varies && !f.matches(b):
		return fmt.Errorf("%w: %d bytes with SHA-256 %x, want %d with %s", ErrCorrupt, len(b), sha256.Sum256(b), f.Bytes, f.SHA256)
	case !f.Varies || len(others) < len(e.Files)-1:
		return nil
	}
	whole := maps.Clone(others)
	whole[f.Name] = b
	if _, err := e.parse(whole); err != nil {
		return fmt.Errorf("the set as a whole: %w", err)
	}
	return nil
}

// isPage reports whether b looks like a web page, which servers often send for a file
// that has moved. None of our files begins like one.
func isPage(b []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(b), []byte("<"))
}

func (f Fetcher) log(format string, args ...any) {
	if f.Log != nil {
		f.Log(format, args...)
	}
}

const (
	maxResponse = 64 << 20
	wrapping    = 64 << 10 // bytes that packing may add to a small file
)

// client waits 30 seconds for the beginning of an answer and 10 minutes for all of it. It
// follows at most 10 redirects, over https and http only.
var client = func() *http.Client {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if usual, ok := http.DefaultTransport.(*http.Transport); ok { // another package may have replaced it
		transport = usual.Clone()
	}
	transport.ResponseHeaderTimeout = 30 * time.Second
	return &http.Client{Transport: transport, Timeout: 10 * time.Minute}
}()

// download returns the uncompressed bytes of a file from one of its sources.
// It caches responses in seen, by URL.
func download(ctx context.Context, file File, s Source, seen map[string][]byte) ([]byte, error) {
	if b, ok := seen[s.URL]; ok {
		return unpack(b, s.Member, file.limit())
	}
	limit := int64(maxResponse)
	if s.Member == "" {
		limit = min(limit, file.limit()+wrapping)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // the caller adds method and address
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
	b, err := readAll(resp.Body, limit)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("truncated: the connection ended before the file did: %w", err)
	}
	if err != nil {
		return nil, err
	}
	seen[s.URL] = b
	return unpack(b, s.Member, file.limit())
}
