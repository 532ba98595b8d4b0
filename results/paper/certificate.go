package paper

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
	"r2lmlbench/results/store"
)

// A Certificate is what a folder says about a reproduction: the verdicts, the cells that they
// rest on, and how to get both again. It has no time of its making, so that equal inputs give
// equal files.
//
// References:
//
//	CODECHECK configuration file specification 2.0, codecheck.org.uk/spec/config/2.0
//	RO-Crate Metadata Specification 1.1, w3id.org/ro/crate/1.1
type Certificate struct {
	Verdicts Verdicts
	Commands []string // that make the verdicts in an empty folder
	Version  string   // of the program, with its commit where that is known
	Day      string   // of that commit, else of the last release, YYYY-MM-DD: the date of the crate
	Sources  string   // SHA-256 of the program's sources in hex; empty: not known
	JSON     []byte   // of the verdicts
}

// Names of the files of a certificate.
const (
	codecheckName = "codecheck.yml"
	crateName     = "ro-crate-metadata.json"
	verdictsName  = "verdicts.json"
	cellsName     = "cells.csv"
)

// ownMark is in each file that may be replaced.
const ownMark = "Written by r2lmlbench verdict --certificate, which replaces this file while this line stands."

// A codecheck is codecheck.yml, as far as a program knows it: who checks adds codechecker,
// report and certificate, and the ORCIDs of the authors.
type codecheck struct {
	Version string `yaml:"version"`
	Paper   struct {
		Title     string           `yaml:"title"`
		Authors   []codecheckNamed `yaml:"authors,omitempty"`
		Reference string           `yaml:"reference"`
	} `yaml:"paper"`
	Manifest []codecheckFile `yaml:"manifest"`
	Summary  string          `yaml:"summary"`
	Own      struct {
		Version  string          `yaml:"version"`
		Sources  string          `yaml:"sources-sha256,omitempty"`
		Commands []string        `yaml:"commands"`
		Data     []codecheckData `yaml:"data"`
	} `yaml:"r2lmlbench"`
}

type codecheckNamed struct {
	Name string `yaml:"name"`
}

type codecheckFile struct {
	File    string `yaml:"file"`
	Comment string `yaml:"comment"`
	SHA256  string `yaml:"sha256"`
}

type codecheckData struct {
	Dataset string `yaml:"dataset"`
	SHA256  string `yaml:"sha256"` // of the content
	Split   string `yaml:"split"`
	Rows    string `yaml:"split-sha256"`
}

// Write writes the certificate into dir, each file whole or not at all. It replaces files of
// another certificate only, and leaves all others alone.
func (c Certificate) Write(dir string, p plan.Plan, st *store.Store) error {
	title := cmp.Or(p.Spec.Published.Publication, c.Verdicts.Title, c.Verdicts.Spec)
	cells, data, err := c.cells(st)
	if err != nil {
		return err
	}
	counts := make([]string, 0, len(Words()))
	for _, w := range c.Verdicts.Summary.Words {
		counts = append(counts, fmt.Sprintf("%s %d", w.Word, w.Count))
	}
	summary := text.Counted(c.Verdicts.Summary.Numbers, "printed number") + ": " + strings.Join(counts, ", ")
	manifest := []codecheckFile{
		{verdictsName, summary, results.Digest(c.JSON)},
		{cellsName, "digests of the predictions that the verdicts rest on, a line for each cell", results.Digest(cells)},
	}
	check := codecheck{Version: "https://codecheck.org.uk/spec/config/2.0/", Manifest: manifest, Summary: summary}
	check.Paper.Title, check.Paper.Reference = title, cmp.Or(p.Spec.Published.Reference, c.Verdicts.Source, title)
	for _, name := range p.Spec.Published.Authors {
		check.Paper.Authors = append(check.Paper.Authors, codecheckNamed{name})
	}
	check.Own.Version, check.Own.Sources, check.Own.Commands, check.Own.Data = c.Version, c.Sources, c.Commands, data
	yml, err := yaml.Marshal(check)
	if err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	yml = slices.Concat([]byte("---\n# "+ownMark+"\n# Whoever checks adds codechecker, report, certificate and the ORCID of each author.\n"), yml)
	manifest = append(manifest, codecheckFile{codecheckName, "CODECHECK configuration", results.Digest(yml)})
	crate, err := c.crate(title, cmp.Or(p.Spec.Published.Reference, "#paper"), manifest, map[string]int{
		verdictsName: len(c.JSON), cellsName: len(cells), codecheckName: len(yml),
	}, data)
	if err != nil {
		return err
	}
	if err := certifiable(dir); err != nil {
		return err
	}
	var all []files.File // codecheck.yml first: with it, a repeat after a break may replace the others
	for _, f := range []files.File{
		{Path: codecheckName, Data: yml}, {Path: verdictsName, Data: c.JSON}, {Path: cellsName, Data: cells}, {Path: crateName, Data: crate},
	} {
		all = append(all, files.File{Path: filepath.Join(dir, f.Path), Data: f.Data})
	}
	return files.WriteAll(all)
}

// certifiable tells why a certificate must not be written to dir: codecheck.yml or
// ro-crate-metadata.json stands there without the line of the program, or another file of
// these names without codecheck.yml. Other edits are not noticed.
func certifiable(dir string) error {
	own := false // there is a certificate
	for _, name := range []string{codecheckName, crateName, verdictsName, cellsName} {
		old, err := files.Read(filepath.Join(dir, name), 64<<20)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return files.MarkIO(fmt.Errorf("certificate: %w", err))
		case name == codecheckName || name == crateName:
			own = own || name == codecheckName
			if bytes.Contains(old, []byte(ownMark)) {
				continue
			}
		case own:
			continue
		}
		return fmt.Errorf("certificate: %s is not marked as written by this command; move it, or name another directory", filepath.Join(dir, name))
	}
	return nil
}

// cells are the cells behind all readings as CSV, a line for each, and their data sets.
func (c Certificate) cells(st *store.Store) ([]byte, []codecheckData, error) {
	st = st.Snapshot()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"key", "dataset", "split", "method", "seed", "test_samples", "correct", "predictions"}) // a buffer takes all that is written
	var data []codecheckData
	seen := map[string]bool{}
	for _, row := range c.Verdicts.Readings.Rows {
		for _, v := range row.verdicts {
			for _, run := range v.Evidence.Runs {
				in := run.Inputs
				key := in.Key()
				if seen[key] {
					continue
				}
				seen[key] = true
				cell, ok, err := st.Find(in)
				if err == nil && !ok {
					err = fmt.Errorf("certificate: cell %s has gone", key)
				}
				if err != nil {
					return nil, nil, err
				}
				if d := (codecheckData{in.Dataset, in.DatasetDigest, in.Split, in.SplitDigest}); !slices.Contains(data, d) {
					data = append(data, d)
				}
				_ = w.Write([]string{
					key, text.CSVText(in.Dataset), text.CSVText(in.Split), text.CSVText(in.Method), strconv.FormatUint(in.Seed, 10),
					strconv.Itoa(len(cell.Truth)), strconv.Itoa(cell.Correct()), cell.PredictionSum(),
				})
			}
		}
	}
	w.Flush()
	return b.Bytes(), data, nil
}

// An entity is one of the graph of an RO-Crate.
type entity map[string]any

func ref(id string) entity { return entity{"@id": id} }

// crate is ro-crate-metadata.json: flat JSON-LD of the folder, its files, and the run of the
// program that made them. paper is the id of the publication.
func (c Certificate) crate(title, paper string, manifest []codecheckFile, sizes map[string]int, data []codecheckData) ([]byte, error) {
	const context = "https://w3id.org/ro/crate/1.1"
	var parts, sets []entity
	var described []entity
	formats := map[string]string{".yml": "application/yaml", ".json": "application/json", ".csv": "text/csv"}
	for _, f := range manifest {
		parts = append(parts, ref(f.File))
		described = append(described, entity{
			"@id": f.File, "@type": "File", "name": f.File, "description": f.Comment, "encodingFormat": formats[filepath.Ext(f.File)],
			"contentSize": strconv.Itoa(sizes[f.File]), "sha256": f.SHA256,
		})
	}
	for i, d := range data {
		id := fmt.Sprintf("#data-%d", i+1)
		sets = append(sets, ref(id))
		described = append(described, entity{
			"@id": id, "@type": "CreativeWork", "name": d.Dataset + ", split " + d.Split, "identifier": "sha256:" + d.SHA256,
			"description": "The rows of the split have the SHA-256 " + d.Rows + ".",
		})
	}
	program := entity{"@id": "#r2lmlbench", "@type": "SoftwareApplication", "name": "r2lmlbench", "softwareVersion": c.Version}
	if c.Sources != "" {
		program["identifier"] = "sha256:" + c.Sources
	}
	graph := append([]entity{
		{"@id": crateName, "@type": "CreativeWork", "about": ref("./"), "conformsTo": ref(context), "description": ownMark},
		{
			"@id": "./", "@type": "Dataset", "name": "Reproduction of " + cmp.Or(c.Verdicts.Title, title), "description": manifest[0].Comment,
			"datePublished": c.Day, "license": ref("#license"), "hasPart": parts, "mentions": ref("#verdict"), "citation": ref(paper),
		},
		{
			"@id": "#license", "@type": "CreativeWork", "name": "License not stated",
			"description": "Whoever publishes this folder states its license. The program is under the MIT License.",
		},
		{"@id": paper, "@type": "ScholarlyArticle", "name": title, "description": c.Verdicts.Source},
		program,
		{
			"@id": "#verdict", "@type": "CreateAction", "name": "Compute and judge", "description": strings.Join(c.Commands, "\n"),
			"instrument": ref("#r2lmlbench"), "object": sets, "result": parts,
		},
	}, described...)
	all, err := json.MarshalIndent(map[string]any{"@context": context + "/context", "@graph": graph}, "", "  ")
	return append(all, '\n'), err
}
