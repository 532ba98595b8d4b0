package cli

import (
	"encoding/json"
	"regexp"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestVersion: the version is a semantic one, and all forms of the command tell the
// same.
func TestVersion(t *testing.T) {
	semantic := regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)
	if !semantic.MatchString(Version) {
		t.Errorf("%q is no semantic version", Version)
	}
	code, line, stderr := command(t, "version")
	if want := thisBuild().String() + "\n"; code != exitOK || line != want || stderr != "" {
		t.Errorf("exit code %d, %q, want %q\n%s", code, line, want, stderr)
	}
	if code, flag, _ := command(t, "--version"); code != exitOK || flag != line {
		t.Errorf("--version: exit code %d, %q, want %q", code, flag, line)
	}
	_, stdout, _ := command(t, "version", "--format", "json")
	var got build
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(thisBuild(), got); diff != "" {
		t.Errorf("JSON (- built, + read):\n%s", diff)
	}
}

func TestBuildLine(t *testing.T) {
	info := func(settings ...debug.BuildSetting) *debug.BuildInfo { return &debug.BuildInfo{Settings: settings} }
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123abc"}
	for _, c := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"not known", nil, "r2lmlbench " + Version + " go"},
		{"no version control", info(), "r2lmlbench " + Version + " go"},
		{"revision", info(revision, debug.BuildSetting{Key: "vcs.modified", Value: "false"}), "r2lmlbench " + Version + " (revision 0123abc) go"},
		{"changed files", info(revision, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), "r2lmlbench " + Version + " (revision 0123abc, modified) go"},
	} {
		if got := newBuild(c.info).String(); len(got) < len(c.want) || got[:len(c.want)] != c.want {
			t.Errorf("%s: %q, want %q at its start", c.name, got, c.want)
		}
	}
}
