package store

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// The files of one cell share a stem and differ in these endings.
const (
	cellSuffix    = ".json"
	failedSuffix  = ".failed.json"
	runSuffix     = ".run.json"
	journalSuffix = ".journal"
	lockSuffix    = ".lock"
)

// cellsFolder has the cells with files of their own.
const cellsFolder = "cells"

// keyDigits is how many digits of the key a file name carries.
const keyDigits = 16

// What a store of accepted cells has.
const (
	packsFolder   = "packs"
	packSuffix    = ".jsonl" + gzipSuffix
	gzipSuffix    = ".gz"
	gatesFolder   = "gates"
	historySuffix = ".history.jsonl"
)

// A partitionName names a data set and a method as paths of a store do.
type partitionName struct{ folder, method string }

func newPartitionName(dataset, method string) partitionName {
	return partitionName{safeName(dataset), safeName(method)}
}

// stem returns the file name of a cell with that key, without its ending.
func (n partitionName) stem(key string) string { return n.method + "-" + key[:keyDigits] }

// suffixOf is the ending of the file of a cell, or of why there is none.
func suffixOf(failed bool) string {
	if failed {
		return failedSuffix
	}
	return cellSuffix
}

// methodOf returns the method, as paths spell it, of the file of a cell with one of these endings;
// ok is false for other names.
func methodOf(file string, suffixes ...string) (method string, ok bool) {
	for _, suffix := range suffixes {
		stem, ok := strings.CutSuffix(file, suffix)
		at := len(stem) - keyDigits - len("-")
		if ok && at > 0 && stem[at] == '-' && strings.Trim(stem[at+1:], "0123456789abcdef") == "" {
			return stem[:at], true
		}
	}
	return "", false
}

// longestName is where safeName starts to shorten.
const longestName = 100

// safeName turns any name into one component of a path: all but letters,
// digits, "-", "_" and inner dots is spelled %XX, and what is too long for a
// file name ends in a digest instead.
func safeName(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; plainByte(c) || c == '.' && i > 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	if b.Len() > longestName {
		return fmt.Sprintf("%s%%%x", b.String()[:longestName], sha256.Sum256([]byte(name)))[:longestName+1+keyDigits]
	}
	if b.Len() == 0 {
		return "%"
	}
	return b.String()
}

func plainByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}
