package cli

import (
	"bytes"
	"context"
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
	"r2lmlbench/experiments/cost"
	"r2lmlbench/experiments/plan"
	"r2lmlbench/internal/cluster"
	"r2lmlbench/internal/files"
	"r2lmlbench/internal/text"
)

func (a *app) clusterCommand() *cobra.Command {
	cmd := a.verb("cluster", nil)
	group(cmd)
	cmd.AddCommand(a.slurmCommand(), a.kubernetesCommand())
	return cmd
}

// arrayCommand is a command that makes a document of the spec it is given, to compute it
// as an array of tasks. done makes it and puts it into the file, or where else it belongs.
func (a *app) arrayCommand(verb string, done func(ctx context.Context, job cluster.Job, p plan.Plan, file string) error) *cobra.Command {
	cmd := a.verb("cluster "+verb+" SPEC", completeSpecs)
	var job cluster.Job
	var output string
	a.withData(cmd)
	a.withQuiet(cmd)
	a.withFormat(cmd, formats...)
	cmd.Flags().IntVar(&job.Workers, workersFlag, 1, "cores of a task")
	cmd.Flags().IntVar(&job.Tasks, "tasks", 4, "tasks of the array")
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to `FILE` instead of standard output")
	cmd.RegisterFlagCompletionFunc("output", anyFile)
	sets, methods := withNarrowing(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if job.Tasks < 1 || job.Tasks > maxTasks {
			return fmt.Errorf("--tasks is %d, want a number from 1 to %d", job.Tasks, maxTasks)
		}
		if job.Workers < 1 {
			return fmt.Errorf("--workers is %d, want at least 1", job.Workers)
		}
		p, err := a.planned(cmd.Context(), args[0], *sets, *methods)
		if err != nil {
			return err
		}
		job.Name, job.Spec, job.Format = p.Spec.Name, args[0], a.Format
		job.Datasets, job.Methods = changedFlag(cmd, text.DatasetsFlag), changedFlag(cmd, text.MethodsFlag)
		idle := 0
		for _, share := range cost.Shares(p, a.source, job.Tasks) {
			if len(share) == 0 {
				idle++
			}
			job.Divided = job.Divided || slices.ContainsFunc(share, func(j plan.Job) bool { return j.Part != nil })
		}
		if idle > 0 {
			a.Remark("%s has %s: %d of the %d tasks %s nothing to do",
				p.Spec.Name, text.Counted(len(p.Jobs()), "cell"), idle, job.Tasks, text.Agree(idle, "has", "have"))
		}
		if tasks, workers, ratio := cost.Wider(p, a.source, job.Tasks, job.Workers); tasks < job.Tasks {
			a.Remark("--tasks %d --workers %d takes about %.0f %% of the time on as many cores, since the cores of a task divide its cells",
				tasks, workers, 100*ratio)
		}
		return done(cmd.Context(), job, p, output)
	}
	return cmd
}

// write puts a document into a file, or on standard output when none is named.
func (a *app) write(file, document string) error {
	if file == "" {
		_, err := io.WriteString(a.Out, document)
		return err
	}
	return files.Replace(file, []byte(document))
}

func (a *app) slurmCommand() *cobra.Command {
	var submit bool
	var program string
	cmd := a.arrayCommand("slurm", func(ctx context.Context, job cluster.Job, p plan.Plan, file string) error {
		script, err := a.slurmScript(job, program)
		if err == nil && (file != "" || !submit) {
			err = a.write(file, script)
		}
		if err != nil || !submit {
			return err
		}
		if err := a.checkData(ctx, p.Spec); err != nil {
			return err
		}
		return a.submit(ctx, script, job.Divided)
	})
	a.withResults(cmd)
	cmd.Flags().BoolVar(&submit, "submit", false, "submit the array and its last task, and print their ids")
	cmd.Flags().StringVar(&program, "program", "", "path of r2lmlbench on the nodes (default: this program)")
	cmd.RegisterFlagCompletionFunc("program", anyFile)
	return cmd
}

// slurmScript is the script of a job with all its places made absolute.
func (a *app) slurmScript(job cluster.Job, program string) (string, error) {
	var err error
	if program == "" {
		if program, err = os.Executable(); err != nil {
			return "", err
		}
		if strings.Contains(program, "go-build") {
			return "", errors.New("`go run` deletes its program at the end, so the tasks cannot start it; build one with `go build`, or name one with --program")
		}
	}
	job.Program, job.Results, job.Data = program, a.results, a.data
	paths := []*string{&job.Program, &job.Results, &job.Data}
	if !slices.Contains(experiments.Names(), job.Spec) {
		if files.IsStream(job.Spec) {
			return "", fmt.Errorf("slurm: the tasks cannot read %s, which this command has read; write the spec to a file and name that", job.Spec)
		}
		paths = append(paths, &job.Spec)
	}
	for _, path := range paths {
		if *path, err = filepath.Abs(*path); err != nil {
			return "", err
		}
	}
	return cluster.Slurm(job)
}

// submit hands a script to sbatch, as array and as last task, and where cells are divided
// once more as both. A last task, which is number 0, starts when all tasks before it have
// ended, however they did: the table shows what is missing.
func (a *app) submit(ctx context.Context, script string, divided bool) error {
	jobs := []string{"array", "last"}
	if divided {
		jobs = []string{"array", "merge", "second array", "last"}
	}
	id := ""
	for i, name := range jobs {
		options := []string{"--parsable"}
		if i > 0 {
			options = append(options, "--dependency=afterany:"+id)
		}
		if i%2 == 1 {
			options = append(options, "--array=0")
		}
		cmd := exec.CommandContext(ctx, "sbatch", options...)
		cmd.Stdin = strings.NewReader(script)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("sbatch: %w\n%s", err, strings.TrimSpace(stderr.String()))
			if id != "" {
				err = fmt.Errorf("%w; job %s runs without those after it", err, id)
			}
			return err
		}
		id, _, _ = strings.Cut(strings.TrimSpace(string(out)), ";") // "id;cluster"
		fmt.Fprintf(a.Out, "%s job %s\n", name, id)
	}
	return nil
}

func (a *app) kubernetesCommand() *cobra.Command {
	var in cluster.Pod
	cmd := a.arrayCommand("k8s", func(_ context.Context, job cluster.Job, p plan.Plan, file string) error {
		if !slices.Contains(experiments.Names(), job.Spec) {
			in.Spec = p.Spec.Text // the file may be a pipe, which is read once
		}
		manifest, err := cluster.Kubernetes(job, in)
		if err != nil {
			return err
		}
		return a.write(file, manifest)
	})
	cmd.Flags().StringVar(&in.Image, "image", cluster.Image, "container image")
	cmd.Flags().StringVar(&in.Claim, "claim", "", "existing volume claim")
	return cmd
}
