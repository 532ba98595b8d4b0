package cli

import (
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"r2lmlbench/experiments"
	"r2lmlbench/internal/fixture"
)

// tree has all commands.
func tree() *cobra.Command { return newApp(io.Discard, io.Discard).command() }

// commands are all commands by their path below the program, but for those that cobra makes.
func commands(t *testing.T) map[string]*cobra.Command {
	t.Helper()
	all := map[string]*cobra.Command{}
	var add func(*cobra.Command)
	add = func(above *cobra.Command) {
		for _, c := range above.Commands() {
			if c.Name() != "completion" {
				all[strings.TrimPrefix(c.CommandPath(), "r2lmlbench ")] = c
				add(c)
			}
		}
	}
	add(tree())
	if len(all) < 20 {
		t.Fatalf("%d commands", len(all))
	}
	return all
}

// parse finds the command of a line, and checks its flags and arguments.
func parse(args []string) (*cobra.Command, error) {
	cmd, rest, err := tree().Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err == nil {
		err = cmd.ValidateRequiredFlags()
	}
	return cmd, err
}

// words are those of a command line of a shell, up to a redirection.
func words(line string) []string {
	line, _, _ = strings.Cut(line, " > ")
	var all []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

// TestExamples: every command has two examples, and they are command lines that it takes.
func TestExamples(t *testing.T) {
	for path, documented := range commands(t) {
		lines := strings.Split(documented.Example, "\n")
		if len(lines) < 2 && path != "version" || len(documented.Short) > 70 {
			t.Errorf("%s: %q, examples %q", path, documented.Short, lines)
		}
		for _, line := range lines {
			args := words(strings.TrimPrefix(strings.TrimSpace(line), "r2lmlbench "))
			if _, err := parse(args); err != nil || !strings.HasPrefix(strings.Join(args, " "), path) && path != "cluster" && path != "data" {
				t.Errorf("%s: %s: %v", path, line, err)
			}
		}
	}
}

// TestCompletion: what shells propose. Descriptions are left out.
func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	spec := fixture.Write(t, filepath.Join(".", "own.yaml"), small)
	const alone, list = cobra.ShellCompDirectiveNoFileComp, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	for _, c := range []struct {
		args      string // the last one is begun
		want      []string
		directive cobra.ShellCompDirective
	}{
		{"run |", experiments.Names(), cobra.ShellCompDirectiveDefault},
		{"validate ./o|", nil, cobra.ShellCompDirectiveDefault}, // files
		{"table quick |", nil, alone},
		{"explain --spec qu|", []string{"quick"}, cobra.ShellCompDirectiveDefault},
		{"data fetch I iono|", []string{"ionosphere"}, alone},
		{"data fetch ionosphere iono|", nil, alone},
		{"run quick --datasets |", []string{"I", "L", "ionosphere", "glass"}, list},
		{"plan " + spec + " --datasets G,|", []string{"G,H", "G,twonorm-gen", "G,ringnorm-gen"}, list},
		{"gate " + spec + " --methods euclidean,e|", []string{"euclidean,e-r2lml"}, list},
		{"explain Q/itm|", []string{"Q/itml"}, alone},
		{"methods lm|", []string{"lmnn", "lmnn-mm"}, alone},
		{"gate smoke --format j|", []string{"json", "junit"}, alone},
		{"help data f|", []string{"fetch"}, alone},
		{"merge |", nil, cobra.ShellCompDirectiveFilterDirs},
		{"report quick -o |", nil, cobra.ShellCompDirectiveFilterDirs},
		{"run quick --shard |", nil, alone},
		{"audit |", nil, cobra.ShellCompDirectiveDefault}, // files
	} {
		line, _ := strings.CutSuffix(c.args, "|")
		_, stdout, _ := command(t, append([]string{"__complete"}, strings.Split(line, " ")...)...)
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		directive := fixture.Must(strconv.Atoi(strings.TrimPrefix(lines[len(lines)-1], ":")))(t)
		var got []string
		for _, l := range lines[:len(lines)-1] { // fixed choices are left to the shell to narrow
			if strings.HasPrefix(l, line[strings.LastIndex(line, " ")+1:]) {
				got = append(got, word(l))
			}
		}
		fixture.EqualSlice(t, c.args, got, c.want)
		fixture.Equal(t, c.args+": directive", cobra.ShellCompDirective(directive), c.directive)
	}
}

// TestEveryFlagIsCompleted: what takes a data set, a method, a spec or a format says
// so to the shells, on every command.
func TestEveryFlagIsCompleted(t *testing.T) {
	for path, cmd := range commands(t) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains([]string{"datasets", "dataset", "methods", "spec", "format", "results", "data", "accepted"}, f.Name) {
				return
			}
			if _, ok := cmd.GetFlagCompletionFunc(f.Name); !ok {
				t.Errorf("%s --%s is not completed", path, f.Name)
			}
		})
	}
}

// TestHostileSpec: a spec that is only looked at writes nothing of its own to
// the terminal.
func TestHostileSpec(t *testing.T) {
	dir := t.TempDir()
	good := fixture.Write(t, filepath.Join(dir, "good.yaml"), `{name: "x\e[31m\n", datasets: I, methods: [{method: euclidean, name: "\e[32m"}]}`)
	bad := fixture.Write(t, filepath.Join(dir, "bad.yaml"), `{name: x, datasets: "mat:\e[31m", methods: [{method: euclidean, grid: {"k\e[31m": 1}}]}`)
	for _, args := range [][]string{{"validate", good}, {"plan", good, "--results", dir}, {"table", good, "--results", dir}, {"validate", bad}} {
		_, stdout, stderr := command(t, args...)
		if said := stdout + stderr; strings.Contains(said, "\x1b") || !strings.Contains(said, "[3") && args[0] != "table" {
			t.Errorf("%q writes %q", args, said)
		}
	}
}

// A parameter on the command line is a value and never a piece of a spec.
func TestParametersAreValues(t *testing.T) {
	given := func(params ...string) error {
		f := fitting{method: "itml", params: params}
		return fixture.Error(f.given())
	}
	for _, param := range []string{"gamma=1\n  - method: euclidean", "gamma={a: 1", "gamma", "=1", "gamma=1\n    grid: {gamma: [2]}"} {
		fixture.Says(t, given(param))
	}
	fixture.Check(t, given("gamma=0.5", "features=zscore"))
}

// Where every method would take too long none is run, and the error says what to do.
func TestCompareWithoutTime(t *testing.T) {
	data := fixture.Write(t, filepath.Join(t.TempDir(), "long.csv"), "a,y\n"+strings.Repeat("1,u\n2,v\n", 200_000))
	code, _, stderr := command(t, "compare", data, "--label", "y", "--workers", "1", "--splits", "20", "--results", t.TempDir())
	fixture.Equal(t, "exit code", code, 2)
	fixture.Has(t, "the error", stderr, "all methods take too long; give --max-train")
}
