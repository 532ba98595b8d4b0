package datasets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
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

// A delivery is a set on its way into a library.
type delivery struct {
	Fetcher
	set     Entry
	to      Library
	files   map[string][]byte // what has come so far, by name
	settled map[string]bool   // what of it is in the library and has the right SHA-256
	faults  []error
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
	d := delivery{Fetcher: f, set: e, to: l, files: map[string][]byte{}, settled: map[string]bool{}}
	d.keep()
	for n := 0; d.round(ctx, n, places); n++ {
		if d.complete() {
			return d.store()
		}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("datasets: %s: fetch: %w", e.ID, context.Cause(ctx))
	}
	return fmt.Errorf("datasets: %s: not fetched; %s:\n%w", e.ID, advice, errors.Join(d.faults...))
}

// keep settles the files that are in the library already.
func (d *delivery) keep() {
	for _, file := range d.set.Files {
		if b, err := d.to.Read(d.set, file); err == nil && file.matches(b) {
			d.files[file.Name], d.settled[file.Name] = b, true
		}
	}
}

// round asks the n-th place of every file that is not settled. It returns
// false when there is no such place any more.
func (d *delivery) round(ctx context.Context, n int, places func(File) []place) bool {
	remaining := false
	for _, file := range d.set.Files {
		if d.settled[file.Name] || ctx.Err() != nil {
			continue
		}
		at := places(file)
		if n == 0 && len(at) == 0 {
			d.fault(file, "official source", errors.New("none is known"))
		}
		if n >= len(at) {
			continue
		}
		remaining = true
		d.log("%s: %s: trying %s", d.set.ID, file.Name, at[n].where)
		if err := d.take(file, at[n]); err != nil {
			d.log("%s: %s: %v", d.set.ID, file.Name, err)
			d.fault(file, at[n].where, err)
		}
	}
	return remaining
}

func (d *delivery) fault(file File, where string, err error) {
	d.faults = append(d.faults, fmt.Errorf("%s: %s: %w", file.Name, where, err))
}

// take gets a file and stores it if it is known to be right. One whose bytes
// vary waits for the rest of the set.
func (d *delivery) take(file File, at place) error {
	b, err := at.get()
	if err != nil {
		return err
	}
	if !file.matches(b) && (!file.Varies || isPage(b)) {
		return file.mismatch(b)
	}
	d.files[file.Name] = b
	if !file.matches(b) {
		return nil
	}
	if err := d.write(file); err != nil {
		return err
	}
	d.settled[file.Name] = true
	return nil
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

// complete tells whether the set is all there and its content right.
func (d *delivery) complete() bool {
	if len(d.files) < len(d.set.Files) {
		return false
	}
	if len(d.settled) == len(d.set.Files) {
		return true
	}
	if _, err := d.set.parse(d.files); err != nil {
		d.faults = append(d.faults, fmt.Errorf("the set as a whole: %w", err))
		return false
	}
	return true
}

// store writes the files whose content was in doubt till the set was complete.
func (d *delivery) store() error {
	for _, file := range d.set.Files {
		if !d.settled[file.Name] {
			if err := d.write(file); err != nil {
				return fmt.Errorf("datasets: %s: %w", d.set.ID, err)
			}
		}
	}
	return nil
}

func (d *delivery) write(file File) error {
	b := d.files[file.Name]
	d.log("%s: %s: storing %d bytes", d.set.ID, file.Name, len(b))
	return atomicfile.Write(filepath.Join(d.to.Dir, d.set.ID, file.Name), b)
}

func (f Fetcher) log(format string, args ...any) {
	if f.Log != nil {
		f.Log(format, args...)
	}
}
