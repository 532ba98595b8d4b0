package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"r2lmlbench/internal/usage"
)

// Version is the version of the program, by semver.org.
const Version = "0.2.0"

// A build says what the program was built from. Its JSON is the output of
// `version --format json`, which has all that `go version -m` tells of the program.
type build struct {
	Schema   int            `json:"schema"`
	Version  string         `json:"version"`
	Revision string         `json:"revision,omitempty"` // of the version control system; empty: not known
	Modified *bool          `json:"modified,omitempty"` // whether files differed from the revision; nil: not known
	Go       string         `json:"go"`
	Platform string         `json:"platform"`
	Path     string         `json:"path,omitempty"` // of the main package
	Module   *module        `json:"module,omitempty"`
	Modules  []module       `json:"modules"` // that the program is linked with
	Settings []buildSetting `json:"settings"`
}

// A module is one of the modules of a build.
type module struct {
	Path     string  `json:"path"`
	Version  string  `json:"version"`
	Sum      string  `json:"sum,omitempty"`
	Replaced *module `json:"replaced_by,omitempty"`
}

// A buildSetting is a setting of the Go compiler, linker or version control.
type buildSetting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// newBuild describes a build; info is nil when the program does not know.
func newBuild(info *debug.BuildInfo) build {
	b := build{Schema: 1, Version: Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Modules: []module{}, Settings: []buildSetting{}}
	if info == nil {
		return b
	}
	b.Path, b.Module = info.Path, newModule(&info.Main)
	for _, d := range info.Deps {
		b.Modules = append(b.Modules, *newModule(d))
	}
	for _, s := range info.Settings {
		b.Settings = append(b.Settings, buildSetting{s.Key, s.Value})
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			modified := s.Value == "true"
			b.Modified = &modified
		}
	}
	return b
}

func newModule(m *debug.Module) *module {
	if m == nil {
		return nil
	}
	return &module{m.Path, m.Version, m.Sum, newModule(m.Replace)}
}

// String is the line that `version` prints.
func (b build) String() string {
	from := ""
	if b.Revision != "" {
		from = " (revision " + b.Revision
		if b.Modified != nil && *b.Modified {
			from += ", modified"
		}
		from += ")"
	}
	return fmt.Sprintf("r2lmlbench %s%s %s %s", b.Version, from, b.Go, b.Platform)
}

// thisBuild describes the running program.
func thisBuild() build {
	info, _ := debug.ReadBuildInfo()
	return newBuild(info)
}

func (a *app) versionCommand() *cobra.Command {
	cmd := a.verb("version", nil)
	cmd.Args = usage.None
	cmd.RunE = func(*cobra.Command, []string) error {
		if a.Format == "json" {
			return a.JSON(thisBuild())
		}
		_, err := fmt.Fprintln(a.Out, thisBuild())
		return err
	}
	a.withFormat(cmd, "text", "json")
	return cmd
}
