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
// `version --format json`.
type build struct {
	Schema   int      `json:"schema"`
	Version  string   `json:"version"`
	Revision string   `json:"revision,omitempty"` // of the version control system; empty: not known
	Modified bool     `json:"modified,omitempty"` // files differed from the revision
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Modules  []module `json:"modules"` // that the program is linked with
}

// A module is one of the modules of a build, as it or its replacement is linked.
type module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Sum     string `json:"sum,omitempty"`
}

// thisBuild describes the running program.
func thisBuild() build {
	b := build{Schema: 1, Version: Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Modules: []module{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Modules = append(b.Modules, module{m.Path, m.Version, m.Sum})
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// String is the line that `version` prints.
func (b build) String() string {
	from := ""
	if b.Revision != "" {
		from = " (revision " + b.Revision
		if b.Modified {
			from += ", modified"
		}
		from += ")"
	}
	return fmt.Sprintf("r2lmlbench %s%s %s %s", b.Version, from, b.Go, b.Platform)
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
