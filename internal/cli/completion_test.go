package cli

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"r2lmlbench/datasets"
	"r2lmlbench/experiments"
	"r2lmlbench/experiments/registry"
)

// completed asks the program, as shells do, what may stand in the last place of a
// command line. Descriptions are left out.
func completed(t *testing.T, args ...string) ([]string, cobra.ShellCompDirective) {
	t.Helper()
	code, stdout, stderr := command(t, append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	last := len(lines) - 1
	directive, err := strconv.Atoi(strings.TrimPrefix(lines[last], ":"))
	if code != exitOK || err != nil {
		t.Fatalf("%v: exit code %d, %v\n%s%s", args, code, err, stdout, stderr)
	}
	for i := range lines {
		lines[i] = word(lines[i])
	}
	return lines[:last], cobra.ShellCompDirective(directive)
}

func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	spec := writeFile(t, ".", "own.yaml", small)
	const alone, list = cobra.ShellCompDirectiveNoFileComp, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	var ids, methods []string
	for _, e := range datasets.All() {
		ids = append(ids, e.ID)
	}
	for _, m := range registry.Methods {
		methods = append(methods, m.ID)
	}
	letters := strings.Split("ABCDEFGHIJKLMNOPQR", "")
	for _, c := range []struct {
		args      string // the last one is begun
		want      []string
		directive cobra.ShellCompDirective
	}{
		{"run |", experiments.Names(), cobra.ShellCompDirectiveDefault},
		{"verdict acc|", []string{"accuracy"}, cobra.ShellCompDirectiveDefault},
		{"validate ./o|", nil, cobra.ShellCompDirectiveDefault}, // files
		{"table quick |", nil, alone},
		{"explain --spec qu|", []string{"quick"}, cobra.ShellCompDirectiveDefault},

		{"data verify |", append(slices.Concat(letters, ids), "all"), alone},
		{"data fetch I iono|", []string{"ionosphere"}, alone},
		{"data fetch ionosphere iono|", nil, alone},
		{"data show |", slices.Concat(letters, ids), 0},
		{"import x.csv --dataset sona|", []string{"sonar"}, alone},
		{"import x.csv --spec iris --dataset |", []string{"iris"}, alone},
		{"run accuracy --datasets sona|", []string{"sonar"}, list},
		{"run quick --datasets |", []string{"H", "G", "ringnorm-gen", "twonorm-gen"}, list},
		{"plan " + spec + " --datasets G,|", []string{"G,H", "G,twonorm-gen", "G,ringnorm-gen"}, list},

		{"gate --methods |", methods, list},
		{"gate " + spec + " --methods |", []string{"euclidean", "e-r2lml"}, list},
		{"gate " + spec + " --methods euclidean,e|", []string{"euclidean,e-r2lml"}, list},
		{"run variants --methods e-r2lml:variant=published:metrics=1|", []string{"e-r2lml:variant=published:metrics=1"}, list},
		{"explain Q|", []string{"Q/"}, list},
		{"explain Q/itm|", []string{"Q/itml"}, alone},
		{"explain --spec quick G/t|", []string{"G/t-r2lml"}, alone},

		{"table quick --format |", tableFormats, alone},
		{"gate smoke --format j|", []string{"json", "junit"}, alone},
		{"explain I/itml --format |", []string{"text", "json"}, alone},
		{"audit --log |", []string{"text", "json"}, alone},

		{"help data f|", []string{"fetch"}, alone},
		{"completion |", []string{"bash", "fish", "powershell", "zsh"}, alone},
		{"merge |", nil, cobra.ShellCompDirectiveFilterDirs},
		{"run quick --results |", nil, cobra.ShellCompDirectiveFilterDirs},
		{"report quick -o |", nil, cobra.ShellCompDirectiveFilterDirs},
		{"run quick --shard |", nil, alone},
		{"audit |", nil, cobra.ShellCompDirectiveDefault}, // files
		{"list |", []string{"specs", "datasets", "methods", "measures"}, alone},
		{"schema |", []string{"spec", "audit"}, alone},
	} {
		line, _ := strings.CutSuffix(c.args, "|")
		got, directive := completed(t, strings.Split(line, " ")...)
		for i, format := range got { // fixed choices are left to the shell to narrow
			if begun := line[strings.LastIndex(line, " ")+1:]; !strings.HasPrefix(format, begun) {
				got[i] = ""
			}
		}
		got = slices.DeleteFunc(got, func(s string) bool { return s == "" })
		if directive != c.directive || !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
			t.Errorf("%s: %q and %d, want %q and %d", c.args, got, directive, c.want, c.directive)
		}
	}
}

// TestEveryFlagIsCompleted: what takes a data set, a method, a spec or a format says
// so to the shells, on every command.
func TestEveryFlagIsCompleted(t *testing.T) {
	seen := map[string]int{}
	for path, cmd := range commands(t) {
		if cmd.ValidArgsFunction == nil {
			t.Errorf("%s does not complete its arguments", path)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains([]string{"datasets", "dataset", "methods", "spec", formatFlag, "log"}, f.Name) {
				return
			}
			seen[f.Name]++
			if _, ok := cmd.GetFlagCompletionFunc(f.Name); !ok {
				t.Errorf("%s --%s is not completed", path, f.Name)
			}
		})
	}
	if seen["datasets"] < 8 || seen["methods"] < 8 || seen[formatFlag] < 14 {
		t.Errorf("flags seen: %v", seen)
	}
}
