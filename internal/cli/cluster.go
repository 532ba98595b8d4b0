package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/experiments/spec"
	"r2lmlbench/internal/atomicfile"
	"r2lmlbench/internal/cluster"
	"r2lmlbench/internal/invoke"
	"r2lmlbench/internal/plainfile"
	"r2lmlbench/internal/text"
	"r2lmlbench/results"
)

const slurmHelp = `Slurm prints a script for sbatch that computes a spec as an array of tasks, a
share of the cells each. Then it merges them into --results and prints the table
to a file there. --submit submits it: the array, and the last task, which
depends on it. The head of the script tells how to do so by hand.

Shares are balanced by estimated cost and the same on every machine. Every task
writes to a directory of its own, RESULTS/shards/I-of-N, and may be killed and
requeued at any time. Program, results, data and spec are named by absolute
paths, which must be the same on all nodes. --workers is the number of cores of
a task; --format is that of the table. Partition, time limit and the like are
options of sbatch, or its environment variables such as SBATCH_PARTITION, which
--submit respects.`

const kubernetesHelp = `K8s prints a manifest for kubectl apply. It has an Indexed Job whose pods compute
a share of the cells each. A second Job, to be resumed when the first is complete,
merges them and prints the table. The manifest's head lists the commands.

The image needs /bin/sh, and r2lmlbench in its PATH. All pods share a volume,
claimed by the manifest unless --claim names an existing claim. The directory of
--data is read only to plan tasks on splits of one's own. A spec given as a file
is part of the manifest; its own data and the programs of its external methods are
not. They belong in the image. What a spec names by a relative path is looked for
below /spec, and a remark names each with its place. --workers is the number of
cores of a pod; --format is that of the table.`

// arrayFlags are the flags that slurm and k8s have in common.
type arrayFlags struct {
	tasks, workers int
	output         string
}

// arrayCommand is a command that makes a document of the spec it is given.
func (a *app) arrayCommand(use, short, long string, do func(*cobra.Command, cluster.Job, plan.Plan, arrayFlags) error) *cobra.Command {
	cmd := &cobra.Command{Use: use + " SPEC", Short: short, Long: long, Args: one("SPEC")}
	var flags arrayFlags
	a.withData(cmd)
	a.withQuiet(cmd)
	a.withFormat(cmd, rankedFormats...)
	cmd.Flags().IntVar(&flags.workers, workersFlag, 1, "cores of a task")
	cmd.Flags().IntVar(&flags.tasks, "tasks", 4, "tasks of the array")
	cmd.Flags().StringVarP(&flags.output, "output", "o", "", "write to `FILE` instead of standard output")
	prepare := a.narrowed(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if flags.tasks < 1 || flags.tasks > maxTasks {
			return fmt.Errorf("--tasks is %d, want a number from 1 to %d", flags.tasks, maxTasks)
		}
		if flags.workers < 1 {
			return fmt.Errorf("--workers is %d, want at least 1", flags.workers)
		}
		p, err := prepare(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		job := cluster.Job{Name: p.Spec.Name, Spec: args[0], Tasks: flags.tasks, Workers: flags.workers, Format: a.format,
			Datasets: flagList(cmd, invoke.Datasets), Methods: flagList(cmd, invoke.Methods)}
		a.tellIdle(p, flags.tasks)
		return do(cmd, job, p, flags)
	}
	return cmd
}

// tellIdle remarks on tasks that would have nothing to do.
func (a *app) tellIdle(p plan.Plan, tasks int) {
	if cells := len(p.Jobs()); cells < tasks {
		a.remark("%s has %s: %d of the %d tasks %s nothing to do",
			p.Spec.Name, text.Counted(cells, "cell"), tasks-cells, tasks, text.Agree(tasks-cells, "has", "have"))
	}
}

// tellBeside remarks on the files that a spec names by a path: a manifest does not
// contain them, and they must be in the image.
func (a *app) tellBeside(s *spec.Spec) {
	files := slices.Clone(s.Split.Files[:])
	for _, set := range s.Datasets {
		if set.Data != nil {
			files = append(files, set.Data.File)
		}
	}
	for _, c := range s.Columns {
		files = append(files, programFiles(c)...)
	}
	said := map[string]bool{"": true}
	for _, file := range files {
		if said[file] {
			continue
		}
		said[file] = true
		a.remark("the manifest does not contain %[1]s, which the pods look for at %[2]s; put it there in an image of your own: COPY %[1]s %[2]s",
			text.OneLine(file), text.OneLine(cluster.Beside(file)))
	}
}

// programFiles are the files beside the spec that the programs of a column consist of.
func programFiles(c spec.Column) []string {
	var files []string
	for set := range c.Settings {
		for _, p := range c.Points(set) {
			said, _ := p.Params[results.ProgramParam].(string)
			for _, file := range strings.Split(said, ", ") {
				if name, _, ok := strings.Cut(file, " "); ok && strings.HasPrefix(name, ".") {
					files = append(files, name)
				}
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// flagList is the value of a flag that holds a list, as one takes it on the
// command line.
func flagList(cmd *cobra.Command, name string) string {
	list, err := cmd.Flags().GetStringSlice(name)
	if err != nil || len(list) == 0 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(list)
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

func (a *app) slurmCommand() *cobra.Command {
	var submit bool
	var program string
	cmd := a.arrayCommand("slurm", "Write a Slurm array script for a spec, or submit it", slurmHelp,
		func(cmd *cobra.Command, job cluster.Job, p plan.Plan, flags arrayFlags) error {
			script, err := a.slurmScript(job, program)
			if err != nil {
				return err
			}
			if flags.output != "" || !submit {
				if err := a.write(flags.output, script); err != nil {
					return err
				}
			}
			if !submit {
				return nil
			}
			if err := a.checkData(cmd.Context(), p.Spec); err != nil {
				return err
			}
			return a.submit(cmd.Context(), script)
		})
	a.withResults(cmd)
	cmd.Example = `  r2lmlbench slurm accuracy --tasks 8 -o accuracy.sh
  r2lmlbench slurm accuracy --tasks 8 --submit`
	cmd.Flags().BoolVar(&submit, "submit", false, "submit the array and its last task, and print their ids")
	cmd.Flags().StringVar(&program, "program", "", "path of r2lmlbench on the nodes (default: this program)")
	return cmd
}

// slurmScript is the script of a job with all its places made absolute.
func (a *app) slurmScript(job cluster.Job, program string) (string, error) {
	var err error
	if job.Program, err = programPath(program); err != nil {
		return "", err
	}
	if !slices.Contains(experiments.Names(), job.Spec) {
		if plainfile.IsStream(job.Spec) {
			return "", fmt.Errorf("slurm: the tasks cannot read %s, which this command has read; write the spec to a file and name that", job.Spec)
		}
		if job.Spec, err = filepath.Abs(job.Spec); err != nil {
			return "", err
		}
	}
	if job.Results, err = filepath.Abs(a.results); err != nil {
		return "", err
	}
	if job.Data, err = filepath.Abs(a.data); err != nil {
		return "", err
	}
	return cluster.Slurm(job)
}

// programPath returns the absolute path of the program that tasks run.
func programPath(given string) (string, error) {
	if given != "" {
		return filepath.Abs(given)
	}
	path, err := os.Executable()
	if err == nil && strings.Contains(path, "go-build") {
		err = errors.New("`go run` deletes its program at the end, so the tasks cannot start it; build one with `go build`, or name one with --program")
	}
	return path, err
}

// write puts a document into a file, or on standard output when none is named.
func (a *app) write(file, text string) error {
	if file == "" {
		_, err := io.WriteString(a.stdout, text)
		return err
	}
	return atomicfile.Write(file, []byte(text))
}

// submit hands a script to sbatch, as array and as last task.
func (a *app) submit(ctx context.Context, script string) error {
	array, err := sbatch(ctx, script)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "array job %s\n", array)
	last, err := sbatch(ctx, script, cluster.SlurmLast(array)...)
	if err != nil {
		return fmt.Errorf("%w; the array runs without its last task", err)
	}
	fmt.Fprintf(a.stdout, "last job %s\n", last)
	return nil
}

// sbatch submits a script and returns the id of its job.
func sbatch(ctx context.Context, script string, options ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "sbatch", append([]string{"--parsable"}, options...)...)
	cmd.Stdin = strings.NewReader(script)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("sbatch: %w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	id, _, _ := strings.Cut(strings.TrimSpace(string(out)), ";") // "id;cluster"
	return id, nil
}

func (a *app) kubernetesCommand() *cobra.Command {
	var pod cluster.Pod
	cmd := a.arrayCommand("k8s", "Write a Kubernetes manifest for a spec: an Indexed Job", kubernetesHelp,
		func(_ *cobra.Command, job cluster.Job, p plan.Plan, flags arrayFlags) error {
			if !slices.Contains(experiments.Names(), job.Spec) {
				pod.Spec = p.Spec.Text // the file may be a pipe, which is read once
				a.tellBeside(p.Spec)
			}
			manifest, err := cluster.Kubernetes(job, pod)
			if err != nil {
				return err
			}
			return a.write(flags.output, manifest)
		})
	cmd.Flags().StringVar(&pod.Image, "image", cluster.Image, "container image")
	cmd.Flags().StringVar(&pod.Claim, "claim", "", "existing volume claim")
	cmd.Example = `  r2lmlbench k8s accuracy --tasks 8 -o accuracy.yaml
  r2lmlbench k8s quick --workers 4`
	return cmd
}
