package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/testkit"
)

// faulty are the calls to the system that fail in TestInjectedFaults, and how.
var faulty = []struct{ call, errors string }{
	{"write", "EIO ENOSPC"}, {"pwrite64", "EIO ENOSPC"}, {"fsync", "EIO ENOSPC"}, {"ftruncate", "EIO"}, {"renameat", "EIO ENOSPC"},
	{"openat", "EIO EMFILE"}, {"mkdirat", "EIO ENOSPC"}, {"unlinkat", "EIO"}, {"read", "EIO"}, {"close", "EIO"}, {"newfstatat", "EIO"}, {"fstat", "EIO"},
}

// TestInjectedFaults: strace lets one call to the system fail in a run, an acceptance or a merge.
// Whatever fails, no file that was stored before is lost, none differs, a command that says it
// was good has stored everything, and its repeat leaves what an undisturbed one does.
func TestInjectedFaults(t *testing.T) {
	fixture.Long(t)
	fixture.Needs(t, "strace")
	if err := exec.Command("strace", "-f", "--seccomp-bpf", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skipf("strace may not trace here: %v", err)
	}
	dir := t.TempDir()
	spec := fixture.Write(t, filepath.Join(dir, "tinychaos.yaml"), tinyChaos)
	reference, accepted := filepath.Join(dir, "reference"), filepath.Join(dir, "accepted")
	finish(t, "run", spec, "--results", reference)
	finish(t, "gate", spec, "--results", reference, "--accepted", accepted, "--accept")
	cells, packs := testkit.Cells(t, reference), packFiles(t, accepted)
	draw, most := rand.New(rand.NewPCG(7, 8)), number(t, "R2LMLBENCH_CHAOS_FAULTS", 4)
	codes := map[int]int{}
	for n := range most {
		at := faulty[draw.IntN(len(faulty))]
		errno := strings.Fields(at.errors)
		fault := fmt.Sprintf("inject=%s:error=%s:when=%d", at.call, errno[draw.IntN(len(errno))], 1+draw.IntN(1+draw.IntN(40)))
		results, kept := filepath.Join(dir, fmt.Sprint("results-", n)), filepath.Join(dir, fmt.Sprint("accepted-", n))
		args, stored := []string{"run", spec, "--results", results, "--workers", "2"}, func() map[string]string { return testkit.Cells(t, results) }
		want := cells
		switch n % 4 {
		case 2:
			args, want = []string{"merge", reference, "--results", results}, cells
		case 3:
			args, want = []string{"gate", spec, "--results", reference, "--accepted", kept, "--accept"}, packs
			stored = func() map[string]string { return packFiles(t, kept) }
		}
		p := program(t, args...)
		traced := []string{"strace", "-f", "--seccomp-bpf", "-qq", "-o", os.DevNull, "-e", "trace=" + at.call, "-e", fault, p.Path}
		p.Args = append(traced, args...)
		p.Path = fixture.Must(exec.LookPath("strace"))(t)
		fixture.Check(t, p.Start())
		code, now := p.code(t), stored()
		codes[code]++
		// 2: Go ends with it where it cannot start; 127: the loader of programs.
		said := p.stderr.String()
		begun := code != 127 && !strings.HasPrefix(said, "runtime") && !strings.HasPrefix(said, "fatal error")
		if begun && code != 0 && code != exitIO {
			t.Errorf("%s of %q: exit code %d\n%s", fault, args, code, p.stderr.String())
		}
		for name, data := range now {
			if data != want[name] {
				t.Errorf("%s of %q: %s is neither whole nor missing", fault, args, name)
			}
		}
		if code == 0 && len(now) != len(want) {
			t.Errorf("%s of %q: exit code 0 with %d of %d files\n%s", fault, args, len(now), len(want), p.stderr.String())
		}
		finish(t, args...)
		testkit.EqualCells(t, stored(), want)
		for _, folder := range []string{results, kept} {
			if _, err := os.Stat(folder); err == nil {
				noLeftovers(t, folder)
			}
		}
		os.RemoveAll(results)
		os.RemoveAll(kept)
	}
	t.Logf("%d faults; exit codes %v", most, codes)
}

// TestShortOfResources: with few file handles, small files, or a scratch folder that is small,
// missing or not to be written, nothing is stored of a cell that the machine cut short, the exit
// code is 6, and the next run has the bytes of an undisturbed one.
func TestShortOfResources(t *testing.T) {
	fixture.Long(t)
	fixture.Needs(t, "sh")
	dir := t.TempDir()
	for _, protocol := range []string{"one-shot", "stdio"} {
		spec := fixture.Write(t, filepath.Join(dir, protocol+".yaml"), fmt.Sprintf(scratched, protocol))
		fixture.Write(t, filepath.Join(dir, "large.sh"), largeAnswer)
		whole := filepath.Join(dir, protocol)
		finish(t, "run", spec, "--results", whole)
		want := testkit.Cells(t, whole)
		try := func(name, shell, temp string) {
			t.Run(protocol+", "+name, func(t *testing.T) {
				t.Parallel()
				results := filepath.Join(t.TempDir(), "results")
				p := program(t)
				script := shell + `exec "$0" run "$1" --results "$2"`
				p.Path, p.Args = "/bin/sh", []string{"sh", "-c", script, p.Path, spec, results}
				if temp != "" {
					p.Env = append(p.Env, "TMPDIR="+temp)
				}
				fixture.Check(t, p.Start())
				fixture.Equal(t, "exit code", p.code(t), exitIO)
				for file, data := range testkit.Cells(t, results) {
					if data != want[file] {
						t.Errorf("%s is stored, and differs from that of an undisturbed run\n%s", file, data)
					}
				}
				finish(t, "run", spec, "--results", results)
				testkit.EqualCells(t, testkit.Cells(t, results), want)
				noLeftovers(t, results)
			})
		}
		try("few handles", "ulimit -n 12; ", "")
		try("small files", "ulimit -f 1; ", "")
		try("no TMPDIR", "", filepath.Join(dir, "missing"))
		for _, size := range []string{"4", "32", "64"} {
			temp := t.TempDir()
			if exec.Command("mount", "-t", "tmpfs", "-o", "size="+size+"k", "tmpfs", temp).Run() != nil {
				t.Log("not root: no small file systems")
				return
			}
			t.Cleanup(func() { exec.Command("umount", temp).Run() })
			if size == "64" {
				fixture.Check(t, exec.Command("mount", "-o", "remount,ro", temp).Run())
			}
			try("TMPDIR of "+size+" kB, the larger one read-only", "", temp)
		}
	}
}

// scratched is a spec with a program whose settings need more and less room.
const scratched = `
name: scratched
datasets: [overlap30]
methods:
  - method: external
    params: {protocol: %s, command: [sh, ./large.sh]}
    grid: {kb: [1, 100]}
`

// largeAnswer writes so many kB beside its answer; the larger setting is the better one.
const largeAnswer = `
fit() {
	kb=$(sed -n 's/.*"kb": \([0-9]*\).*/\1/p' params.json)
	head -c ${kb}000 /dev/zero > room || return 1
	if [ $kb = 1 ]; then n=1; else n=2; fi
	sed 1d query.csv | sed "s/.*/$n/" > predictions.csv || return 1
}
if [ "$R2LMLBENCH_PROTOCOL" != stdio ]; then fit; exit; fi
while read -r line; do
	id=${line#*:}; id=${id%%,*}
	to=${line#*directory\":\"}; cd "${to%%\"*}"
	fit || exit 1
	echo "{\"id\": $id}"
done
`
