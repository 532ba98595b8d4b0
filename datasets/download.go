package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

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
	if err != nil {
		return nil, bare(err)
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

// bare takes off the method and address that net/http puts before an error:
// the caller names them.
func bare(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
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
