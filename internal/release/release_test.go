package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"r2lmlbench/internal/cli"
	"r2lmlbench/internal/cluster"
)

// TestLicenceTable: the page names every module of the program with its licence,
// on all targets.
func TestLicenceTable(t *testing.T) {
	t.Chdir("../..")
	modules, err := linked(strings.Split(allTargets, ","))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/licences.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != licenceTable(modules) {
		t.Errorf("docs/licences.md is not current; write it with\n\tgo run ./internal/release -licences docs/licences.md")
	}
	if len(modules) < 20 {
		t.Errorf("%d modules, want all of the program", len(modules))
	}
}

func TestClassify(t *testing.T) {
	const bsd = "Redistribution and use in source and binary\nforms, with or without modification, are permitted"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"Apache", "Apache License\n   Version 2.0, January 2004", []string{"Apache-2.0"}},
		{"two BSD clauses", bsd, []string{"BSD-2-Clause"}},
		{"three BSD clauses", bsd + " Neither the name of the project", []string{"BSD-3-Clause"}},
		{"unknown", "All rights reserved.", nil},
		{"GPL", "GNU GENERAL PUBLIC LICENSE\nVersion 2", nil},
		{"LGPL", "GNU Lesser General\nPublic License", nil},
		{"AGPL", "GNU AFFERO GENERAL PUBLIC LICENSE", nil},
		{"GPL beside BSD", bsd + ", or under the GPL", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := classify([]byte(c.text))
			if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
				t.Errorf("%v, %v, want %v", got, err, c.want)
			}
		})
	}
	if _, err := classify([]byte("All rights reserved.")); !errors.Is(err, errUnknown) {
		t.Errorf("unknown text: %v", err)
	}
}

// TestArchives: equal files give equal bytes in whatever order they come, and an
// archive holds what went in.
func TestArchives(t *testing.T) {
	date := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	files := []file{{name: "r2lmlbench", data: []byte("program"), mode: 0o755}, {name: "LICENSE", data: []byte("text")}}
	for _, zipped := range []bool{false, true} {
		dir := t.TempDir()
		name, first, err := pack(dir, "a-1", zipped, files, date)
		if err != nil {
			t.Fatal(err)
		}
		_, second, err := pack(t.TempDir(), "a-1", zipped, []file{files[1], files[0]}, date)
		if err != nil || first != second {
			t.Errorf("%s: digests %s and %s, %v", name, first, second, err)
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, want := names(t, data, zipped), []string{"a-1/LICENSE text 0644", "a-1/r2lmlbench program 0755"}
		if !slices.Equal(got, want) {
			t.Errorf("%s holds %v, want %v", name, got, want)
		}
	}
}

// names lists an archive: name, content and mode of each file.
func names(t *testing.T, data []byte, zipped bool) (list []string) {
	t.Helper()
	read := func(name string, mode os.FileMode, r io.Reader) {
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, name+" "+string(content)+fmt.Sprintf(" %04o", mode.Perm()))
	}
	if zipped {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			read(f.Name, f.Mode(), r)
		}
		return list
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		read(head.Name, head.FileInfo().Mode(), r)
	}
}

// TestManPages: an archive has the page of the program and one of each command.
func TestManPages(t *testing.T) {
	t.Chdir("../..")
	files, err := manPages()
	if err != nil || len(files) < 25 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	for _, f := range files {
		if !strings.HasPrefix(f.name, "man/r2lmlbench") || !bytes.HasPrefix(f.data, []byte(".")) {
			t.Errorf("%s: %.40q", f.name, f.data)
		}
	}
}

// TestVersions: the program and the documents of a release agree on what is released.
func TestVersions(t *testing.T) {
	t.Chdir("../..")
	about, err := readCitation("CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	if cli.Version != about.Version {
		t.Errorf("the program has version %s, CITATION.cff %s", cli.Version, about.Version)
	}
	changes, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$`).FindStringSubmatch(string(changes))
	if heading == nil || heading[1] != about.Version || heading[2] != about.Date {
		t.Errorf("CHANGELOG.md begins with %v, CITATION.cff has %s of %s", heading, about.Version, about.Date)
	}
	if cluster.Image != "r2lmlbench:"+about.Version {
		t.Errorf("manifests name the image %s, the release is %s", cluster.Image, about.Version)
	}
	for file, wants := range map[string][]string{
		"Dockerfile":          {"docker build -t " + cluster.Image + " .", `image.version="` + about.Version + `"`},
		"action/workflow.yml": {"ref: v" + about.Version},
		"docs/gate.md":        {"OWNER/r2lmlbench@v" + about.Version},
		"action/template/.github/workflows/gate.yml": {"OWNER/r2lmlbench@v" + about.Version},
	} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(data), want) {
				t.Errorf("%s lacks %q", file, want)
			}
		}
	}
}
