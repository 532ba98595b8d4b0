package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// A module is one that the program holds on some target.
type module struct {
	Path, Version, Dir string
	Licences           []string // SPDX identifiers
}

// linked returns the modules of the program on all targets, in the order of their
// paths, with their licences. It fails for a licence that it does not know, and
// for any GPL, LGPL or AGPL.
func linked(targets []string) ([]module, error) {
	found := map[string]module{}
	for _, target := range targets {
		system, processor, _ := strings.Cut(target, "/")
		cmd := exec.Command("go", "list", "-deps", "-json=Module", ".")
		cmd.Env = append(os.Environ(), targetEnv(system, processor)...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", target, err)
		}
		if err := addModules(found, out); err != nil {
			return nil, err
		}
	}
	modules := make([]module, 0, len(found))
	for _, m := range found {
		var err error
		if m.Licences, err = licencesOf(m); err != nil {
			return nil, fmt.Errorf("%s %s: %w", m.Path, m.Version, err)
		}
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int { return cmp.Compare(a.Path, b.Path) })
	return modules, nil
}

// addModules reads what go list prints. Packages of the standard library and of
// the program itself have no version.
func addModules(found map[string]module, listed []byte) error {
	for decoder := json.NewDecoder(bytes.NewReader(listed)); ; {
		var p struct{ Module module }
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if p.Module.Version != "" {
			found[p.Module.Path] = p.Module
		}
	}
}

// licenceName is how files with the licence of a module are called, or the folder
// with those of code that it took over.
var licenceName = regexp.MustCompile(`^(?i)(licen[cs]e|copying|notice|third_party_licenses)`)

// licenceFiles are the files of a module that hold licences.
func licenceFiles(dir string) (files []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !licenceName.MatchString(e.Name()) || strings.Contains(e.Name(), "-link") {
			continue
		}
		err := filepath.WalkDir(filepath.Join(dir, e.Name()), func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// licencesOf finds the licences of a module in its files.
func licencesOf(m module) ([]string, error) {
	files, err := licenceFiles(m.Dir)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		licences, err := classify(text)
		own := filepath.Dir(name) == m.Dir && filepath.Base(name) != "NOTICE" // else for some lines that the module took over
		if err != nil && (own || !errors.Is(err, errUnknown)) {
			return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		if own {
			all = append(all, licences...)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("has no licence that is known here")
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// marks are words that stand in a licence and in no other.
var marks = []struct{ licence, words string }{
	{"Apache-2.0", "apache license, version 2.0"},
	{"Apache-2.0", "apache license version 2.0"},
	{"BSL-1.0", "boost software license - version 1.0"},
	{"CC-BY-4.0", "creative commons attribution 4.0 international public license"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation"},
	{"OFL-1.1", "sil open font license, version 1.1"},
}

// refused are licences that nothing in the program may have.
var refused = regexp.MustCompile(`gnu (lesser |library |affero )?general public license|\b(a|l)?gpl\b`)

var errUnknown = errors.New("is no licence that is known here")

// classify finds the licences in a text.
func classify(text []byte) (licences []string, err error) {
	words := plain(text)
	if found := refused.FindString(words); found != "" {
		return nil, fmt.Errorf("speaks of the %s, which nothing in the program may have", found)
	}
	for _, m := range marks {
		if strings.Contains(words, m.words) {
			licences = append(licences, m.licence)
		}
	}
	if strings.Contains(words, "redistribution and use in source and binary forms") {
		if strings.Contains(words, "neither the name") || strings.Contains(words, "may not be used to endorse") {
			licences = append(licences, "BSD-3-Clause")
		} else {
			licences = append(licences, "BSD-2-Clause")
		}
	}
	if len(licences) == 0 {
		return nil, errUnknown
	}
	return licences, nil
}

// plain is a text in lower case with single blanks.
func plain(text []byte) string {
	return strings.Join(strings.Fields(strings.ToLower(string(text))), " ")
}

const tableHead = `# Licences

r2lmlbench is under the MIT License. These are the modules in its program, on any of the systems it is built for, and
the licences that their own files state. None is under a GNU licence.

| module | version | licence |
|---|---|---|
`

const tableFoot = `
- The standard library of Go is in the program as well, under BSD-3-Clause.

` + "`go run ./internal/release -licences docs/licences.md` writes this page. It fails for a licence that it does not know, and for\n" +
	"any GPL, LGPL or AGPL; a test keeps the page up to date. `go version -m r2lmlbench` lists the modules of a program at hand.\n" +
	"The archives of a release have the texts of the licences in `licences.txt`, and a software bill of materials in\n" +
	"`sbom.cdx.json` (CycloneDX).\n"

// licenceTable is docs/licences.md.
func licenceTable(modules []module) string {
	var b strings.Builder
	b.WriteString(tableHead)
	for _, m := range modules {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Path, m.Version, strings.Join(m.Licences, ", "))
	}
	b.WriteString(tableFoot)
	return b.String()
}

// licenceTexts are the licences of Go and of all modules, word for word.
func licenceTexts(modules []module) ([]byte, error) {
	var b bytes.Buffer
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	all := append([]module{{Path: "Go", Version: runtime.Version(), Dir: strings.TrimSpace(string(goroot))}}, modules...)
	for _, m := range all {
		files, err := licenceFiles(m.Dir)
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			inside, err := filepath.Rel(m.Dir, name)
			if err != nil {
				return nil, err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "==== %s %s: %s\n\n%s\n\n", m.Path, m.Version, filepath.ToSlash(inside), bytes.TrimSpace(text))
		}
	}
	return b.Bytes(), nil
}
