package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// benchmarkCommand runs the program as a process of its own: nothing is known from
// the run before. Beside the wall time it reports CPU time and, on systems that
// tell it, the largest resident memory.
func benchmarkCommand(b *testing.B, args ...string) {
	b.Helper()
	var cpu time.Duration
	var peak float64
	for b.Loop() {
		var stderr bytes.Buffer
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), asProgram+"=1", "NO_COLOR=1", "R2LMLBENCH_DATA="+b.TempDir(), "R2LMLBENCH_RESULTS=")
		cmd.Dir, cmd.Stderr = filepath.Join("..", ".."), &stderr
		if err := cmd.Run(); err != nil {
			b.Fatalf("%v: %v\n%s", args, err, stderr.String())
		}
		cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		peak = max(peak, peakMemory(cmd.ProcessState))
	}
	b.ReportMetric(cpu.Seconds()/float64(b.N), "cpu-sec/op")
	if peak > 0 {
		b.ReportMetric(peak, "peak-bytes")
	}
}

func BenchmarkReport(b *testing.B) {
	for _, spec := range []string{"accuracy", "lambda", "smoke"} {
		b.Run("spec="+spec, func(b *testing.B) { benchmarkCommand(b, "report", spec, "-o", b.TempDir()) })
	}
}

func BenchmarkExplain(b *testing.B) {
	benchmarkCommand(b, "explain", "A/itml")
}

func BenchmarkTable(b *testing.B)   { benchmarkOnAccepted(b, "table") }
func BenchmarkVerdict(b *testing.B) { benchmarkOnAccepted(b, "verdict") }

// benchmarkOnAccepted runs a command on the accepted cells of some specs.
func benchmarkOnAccepted(b *testing.B, command string) {
	for _, spec := range []string{"accuracy", "metrics"} {
		b.Run("spec="+spec, func(b *testing.B) {
			benchmarkCommand(b, command, spec, "--results", filepath.Join("results", "accepted"))
		})
	}
}

// BenchmarkStart is what every command pays.
func BenchmarkStart(b *testing.B) {
	for _, command := range []string{"version", "methods"} {
		b.Run(fmt.Sprintf("command=%s", command), func(b *testing.B) { benchmarkCommand(b, command) })
	}
}
