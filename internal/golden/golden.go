package golden

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const updateFlag = "update"

// init leaves the flag alone when somebody registered it before: registering
// a name twice panics.
func init() {
	if flag.Lookup(updateFlag) == nil {
		flag.Bool(updateFlag, false, "rewrite the golden files with what the tests produced")
	}
}

// Equal marks the test as failed, with a diff (- file, + got), unless the file
// at path holds exactly the bytes got. The path is relative to the directory of
// the tested package. Under -update it writes got to path instead, creating
// missing directories.
func Equal(t testing.TB, path string, got []byte) {
	t.Helper()
	if updating() {
		if err := write(path, got); err != nil {
			t.Errorf("golden: %v", err)
		}
		return
	}
	want, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.Errorf("golden: %s does not exist; run the test with -update to create it from:\n%s", path, got)
	case err != nil:
		t.Errorf("golden: %v", err)
	default:
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s differs (- file, + got; -update accepts):\n%s", path, diff)
		}
	}
}

// updating looks the flag up at every call, so that it does not matter which
// package registered it.
func updating() bool {
	return flag.Lookup(updateFlag).Value.String() == "true"
}

func write(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o644)
}
