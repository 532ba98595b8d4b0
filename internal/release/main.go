package main

import (
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// allTargets are the systems and processors that a release has a program for.
const allTargets = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// documents of the repository that every archive holds.
var documents = []string{"CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md"}

func main() {
	folder := flag.String("o", "", "write the archives into `DIR`")
	targets := flag.String("targets", allTargets, "build for these `OS/ARCH,...`")
	licences := flag.String("licences", "", "write the table of licences to `FILE`, and no archives")
	texts := flag.String("texts", "", "write the texts of the licences to `FILE`, and no archives")
	flag.Parse()
	if err := run(*folder, strings.Split(*targets, ","), *licences, *texts); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(folder string, targets []string, licences, texts string) error {
	modules, err := linked(strings.Split(allTargets, ","))
	if err != nil {
		return err
	}
	if licences != "" {
		return os.WriteFile(licences, []byte(licenceTable(modules)), 0o666)
	}
	if texts != "" {
		data, err := licenceTexts(modules)
		if err != nil {
			return err
		}
		return os.WriteFile(texts, data, 0o666)
	}
	if folder == "" {
		return errors.New("-o DIR is missing: the folder for the archives")
	}
	r, err := newRelease(folder, modules)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, target := range targets {
		name, sum, err := r.archive(target)
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
		fmt.Fprintf(&sums, "%s  %s\n", sum, name)
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(sums.String()), 0o666)
}

// A release is what its archives have in common.
type release struct {
	folder  string
	version string
	date    time.Time
	files   []file   // besides the program and its bill of materials
	modules []module // known ones; a program may hold no other
}

// citation is what CITATION.cff says of the release.
type citation struct {
	Version string `yaml:"version"`
	Date    string `yaml:"date-released"`
}

func newRelease(folder string, modules []module) (release, error) {
	r := release{folder: folder, modules: modules}
	about, err := readCitation("CITATION.cff")
	if err != nil {
		return r, err
	}
	r.version = about.Version
	if r.date, err = time.Parse(time.DateOnly, about.Date); err != nil {
		return r, fmt.Errorf("CITATION.cff: %w", err)
	}
	for _, name := range documents {
		data, err := os.ReadFile(name)
		if err != nil {
			return r, err
		}
		r.files = append(r.files, file{name: name, data: data})
	}
	manuals, err := manPages()
	if err != nil {
		return r, err
	}
	r.files = append(r.files, manuals...)
	r.files = append(r.files, file{name: "licences.md", data: []byte(licenceTable(modules))})
	texts, err := licenceTexts(modules)
	if err != nil {
		return r, err
	}
	r.files = append(r.files, file{name: "licences.txt", data: texts})
	return r, os.MkdirAll(folder, 0o777)
}

// manPages are the man pages, in the folder man of an archive.
func manPages() ([]file, error) {
	dir, err := os.MkdirTemp("", "manpages-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if out, err := exec.Command("go", "run", "./internal/manpages", dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("man pages: %w\n%s", err, out)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		return nil, err
	}
	var pages []file
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		pages = append(pages, file{name: "man/" + filepath.Base(name), data: data})
	}
	return pages, nil
}

func readCitation(name string) (about citation, err error) {
	data, err := os.ReadFile(name)
	if err == nil {
		err = yaml.Unmarshal(data, &about)
	}
	if err == nil && (about.Version == "" || about.Date == "") {
		err = fmt.Errorf("%s lacks version or date-released", name)
	}
	return about, err
}

// archive builds the program for a target, and returns the name of its archive
// and the digest.
func (r release) archive(target string) (name, sum string, err error) {
	system, processor, ok := strings.Cut(target, "/")
	if !ok {
		return "", "", errors.New("a target is OS/ARCH, such as linux/amd64")
	}
	temp, err := os.MkdirTemp("", "release-*")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(temp)
	program := "r2lmlbench"
	if system == "windows" {
		program += ".exe"
	}
	built := filepath.Join(temp, program)
	if err := build(system, processor, built); err != nil {
		return "", "", err
	}
	info, err := buildinfo.ReadFile(built)
	if err != nil {
		return "", "", err
	}
	if err := onlyKnown(info, r.modules); err != nil {
		return "", "", err
	}
	bill, err := billOfMaterials(info, r.version, r.modules)
	if err != nil {
		return "", "", err
	}
	data, err := os.ReadFile(built)
	if err != nil {
		return "", "", err
	}
	files := append([]file{{name: program, data: data, mode: 0o755}, {name: "sbom.cdx.json", data: bill}}, r.files...)
	return pack(r.folder, fmt.Sprintf("r2lmlbench-%s-%s-%s", r.version, system, processor), system == "windows", files, r.date)
}

// build compiles the program so that only sources and Go version decide its bytes.
func build(system, processor, out string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out, ".")
	cmd.Env = append(os.Environ(), targetEnv(system, processor)...)
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// targetEnv is the environment in which go works for a target.
func targetEnv(system, processor string) []string {
	return []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + processor, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOEXPERIMENT="}
}

// onlyKnown fails when a program holds a module whose licence was not looked at.
func onlyKnown(info *buildinfo.BuildInfo, modules []module) error {
	known := map[string]bool{}
	for _, m := range modules {
		known[m.Path+" "+m.Version] = true
	}
	for _, dep := range info.Deps {
		if !known[dep.Path+" "+dep.Version] {
			return fmt.Errorf("the program holds %s %s, whose licence was not looked at", dep.Path, dep.Version)
		}
	}
	if info.GoVersion != runtime.Version() {
		return fmt.Errorf("the program was built by %s, this one by %s", info.GoVersion, runtime.Version())
	}
	return nil
}
