package external

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/files"
)

// alwaysGiven are the environment variables that every program gets: search paths, home and
// temporary directories, locale, and those that Windows needs. All others may be secrets. The list
// is the same on every system, so that a spec is valid on all or none.
var alwaysGiven = []string{
	"PATH", "HOME", "TMPDIR", "TEMP", "TMP", "LANG",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
}

// localePrefix is the prefix of further variables that every program gets.
const localePrefix = "LC_"

var variableName = regexp.MustCompile(method.VariablePattern)

func isAlwaysGiven(name string) bool {
	return slices.Contains(alwaysGiven, name) || strings.HasPrefix(name, localePrefix)
}

// CheckVariable implements method.Outside.
func (Programs) CheckVariable(name string) error {
	before, _, assigned := strings.Cut(name, "=")
	switch {
	case assigned && variableName.MatchString(before):
		return fmt.Errorf("env lists names, not values; write %s, and set it where the run is started", before)
	case !variableName.MatchString(name):
		return fmt.Errorf("%.40q cannot name a variable of the environment; want up to 128 letters, digits and _, no digit first", name)
	case isAlwaysGiven(name):
		return fmt.Errorf("every program is given %s; remove it", name)
	}
	return nil
}

// CheckFile implements method.Outside.
func (p Programs) CheckFile(folder, name string) error { return new(program).depend(folder, name) }

// Given implements method.Outside. The order of the names does not matter.
func (p Programs) Given(variables, files []string) method.Family {
	p.variables, p.files = slices.Sorted(slices.Values(variables)), slices.Sorted(slices.Values(files))
	return p
}

// comparableName returns a name to compare with: on Windows in upper case, since case does not
// matter there.
func comparableName(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// environment returns the environment of a program that runs in dir: alwaysGiven and
// the named variables, as far as they are set, and PWD.
func environment(names []string, dir string) []string {
	var given []string
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		isGiven := func(n string) bool { return comparableName(n) == comparableName(name) }
		if isAlwaysGiven(comparableName(name)) || slices.ContainsFunc(names, isGiven) {
			given = append(given, setting)
		}
	}
	if runtime.GOOS != "windows" {
		given = append(given, "PWD="+dir)
	}
	return given
}

// errShadowed refuses the parameter env of a program: a cell stores the names of
// variables under that name, beside the parameters of the program.
var errShadowed = errors.New("env is a list of variables and also a parameter of the program; rename the parameter")

// Limits of environment.json.
const (
	mostTold     = 100 // texts
	longestTold  = 100 // bytes of one
	mostToldFile = 16 << 10
)

// toldEnvironment reads environment.json, in which a program may list its interpreter and packages,
// from the directory of a fit. It returns nil if the file is missing or invalid.
func toldEnvironment(dir string) []string {
	file, _, err := files.OpenNoFollow(filepath.Join(dir, environmentFile))
	if err != nil {
		return nil
	}
	defer file.Close()
	var told []string
	if err := json.NewDecoder(io.LimitReader(file, mostToldFile)).Decode(&told); err != nil {
		return nil
	}
	told = told[:min(len(told), mostTold)]
	for i, text := range told {
		told[i] = strings.Map(printable, strings.ToValidUTF8(text[:min(len(text), longestTold)], ""))
	}
	return told
}

// systemAndProcessor returns the names of the operating system and of the processor.
var systemAndProcessor = sync.OnceValue(func() []string {
	return []string{
		firstOf("/etc/os-release", "PRETTY_NAME=", runtime.GOOS), firstOf("/proc/cpuinfo", "model name", runtime.GOARCH),
	}
})

// firstOf returns the rest of the first line of a file that begins with prefix, or otherwise.
func firstOf(path, prefix, otherwise string) string {
	b, _ := os.ReadFile(path)
	for line := range strings.Lines(string(b)) {
		if value, ok := strings.CutPrefix(line, prefix); ok {
			return strings.Trim(value, "\": \t\r\n")
		}
	}
	return otherwise
}
