package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestActionNeedsAVerdict runs the script of the action with programs that end with
// status 0 and compare nothing, as r2lmlbench does with --help among its arguments. Only
// a gate.json that says pass, or changed where that is allowed, may pass.
func TestActionNeedsAVerdict(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the scripts of the action are for bash")
	}
	for _, tool := range []string{"bash", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s here", tool)
		}
	}
	for name, c := range map[string]struct{ prints, allow, passed string }{
		"help":            {"Usage: r2lmlbench gate SPEC", "false", "false"},
		"nothing":         {"", "false", "false"},
		"another JSON":    {`{"schema":1,"rows":[]}`, "false", "false"},
		"pass":            {`{"schema":1,"status":"pass"}`, "false", "true"},
		"changed":         {`{"schema":1,"status":"changed"}`, "false", "false"},
		"changed allowed": {`{"schema":1,"status":"changed"}`, "true", "true"},
		"error, exit 0":   {`{"schema":1,"status":"error"}`, "true", "false"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			program := filepath.Join(dir, "program")
			script := "#!/bin/sh\ncat <<'END'\n" + c.prints + "\nEND\n"
			if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			output := filepath.Join(dir, "output")
			cmd := exec.Command("bash", "action/gate.sh")
			cmd.Env = append(os.Environ(), "PROGRAM="+program, "SPEC=spec.yaml", "ACCEPTED=accepted", "RESULTS="+filepath.Join(dir, "results"),
				"DATA="+filepath.Join(dir, "data"), "FETCH=", "IMPORT=", "ALLOW_CHANGED="+c.allow, "ARGS=--help", "RUNNER_TEMP="+dir,
				"GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("gate.sh: %v\n%s", err, out)
			}
			text, err := os.ReadFile(output)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), "passed="+c.passed+"\n") {
				t.Errorf("outputs:\n%swant passed=%s", text, c.passed)
			}
		})
	}
}
