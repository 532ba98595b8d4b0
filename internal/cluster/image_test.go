package cluster

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// imageRunner names a program that runs a command in a container of the image,
// with the volume in place: its first argument is the index of the pod, empty for
// the last task, and the others are the command.
const imageRunner = "R2LMLBENCH_IMAGE_RUN"

// TestImage runs the containers of a manifest in the image that it names.
func TestImage(t *testing.T) {
	runner := os.Getenv(imageRunner)
	if runner == "" {
		t.Skipf("$%s is not set; .ci/image sets it", imageRunner)
	}
	list := kubernetes(t, Job{Name: "quick", Spec: "quick", Methods: "euclidean", Tasks: 2, Workers: 1, Format: "csv"}, Pod{Image: Image, Claim: "mine"})
	run := func(document map[string]any, index string) string {
		container := at(document, "spec", "template", "spec", "containers", 0).(map[string]any)
		words := []string{index}
		for _, word := range append(container["command"].([]any), container["args"].([]any)...) {
			words = append(words, expand(word.(string), nil))
		}
		cmd := exec.Command(runner, words...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("pod %q: %v\n%s", index, err, out)
		}
		return string(out)
	}
	run(list[0], "0")
	run(list[0], "1")
	table := run(list[1], "")
	for _, accuracy := range []string{"75.57", "9.55"} { // README.md, Euclidean
		if !strings.Contains(table, accuracy) {
			t.Errorf("the table lacks %s:\n%s", accuracy, table)
		}
	}
}
