package run

import (
	"sync"

	"r2lmlbench/results"
)

// mostLogs is the limit of all logs of a cell, in bytes.
const mostLogs = 1 << 20

// logs collects the logs of the fits of a cell, up to mostLogs.
type logs struct {
	mu    sync.Mutex
	list  []results.Log
	bytes int
}

// add appends a log unless it is empty or too long, and reports whether it did.
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
