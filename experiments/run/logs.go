package run

import (
	"sync"

	"r2lmlbench/results"
)

// mostLogs bounds the bytes of all logs of a cell.
const mostLogs = 1 << 20

// logs gathers what the fits of a cell had to say, until it is too much.
type logs struct {
	mu    sync.Mutex
	list  []results.Log
	bytes int
}

// add keeps a log unless it is empty or there is no room for it, and tells
// whether it did.
func (l *logs) add(fit, text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text == "" || l.bytes+len(text) > mostLogs {
		return false
	}
	l.bytes += len(text)
	l.list = append(l.list, results.Log{Fit: fit, Text: text})
	return true
}
