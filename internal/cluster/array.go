// Package cluster writes what computes a spec as an array of tasks on a batch system: a script for
// Slurm or a manifest for Kubernetes.
package cluster

import (
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"
)

// A Job is a spec to be computed as an array of tasks. Slurm and Kubernetes have the same contract.
// Task I of N runs
//
//	r2lmlbench run SPEC --shard I/N --results RESULTS/shards/I-of-N
//
// in a directory of its own, since file locks are not to be relied on over
// network file systems. It first takes over the cells that RESULTS holds, so
// that nothing is computed twice, and it may be killed and started again at any
// time: finished cells and grid points are kept. When all tasks have ended, a
// last one merges their directories into RESULTS and prints the table.
//
// A cell that is more than a task's share of the work is divided: every task scores a part of its
// grid. The merge unites the parts, and then the cell is finished: on Slurm by the same array once more
// and another merge, on Kubernetes by the last task.
type Job struct {
	Name     string // of the spec; any text
	Spec     string // what the program is given: the name of an embedded spec or a path
	Program  string // path of the program
	Results  string // directory of stored cells
	Data     string // directory of data files
	Datasets string // value of --datasets; empty: all
	Methods  string // value of --methods; empty: all
	Tasks    int    // of the array, at least 1
	Divided  bool   // whether tasks have parts of cells, which are finished when these are merged
	Workers  int    // fits at once in one task
	Format   string // of the table, as --format takes it
}

// Arguments are what run and table have in common.
func (j Job) Arguments() []string {
	args := []string{j.Spec, "--data", j.Data}
	if j.Datasets != "" {
		args = append(args, "--datasets", j.Datasets)
	}
	if j.Methods != "" {
		args = append(args, "--methods", j.Methods)
	}
	return args
}

// longestName bounds what a name takes over from the spec: Kubernetes wants the
// host names of tasks to stay below 64 characters.
const longestName = 30

// digestDigits is how many hex digits tell names apart that look alike.
const digestDigits = 8

// unnameable is what a name of a job cannot hold.
var unnameable = regexp.MustCompile(`[^a-z0-9]+`)

// ID is the spec's name as the name of a job: lower-case letters, digits and
// inner dashes. One that had to be altered or shortened for that ends in a
// digest of the spec's name, so that other specs have other names.
func (j Job) ID() string {
	plain := strings.Trim(unnameable.ReplaceAllString(strings.ToLower(j.Name), "-"), "-")
	if plain != j.Name || len(plain) > longestName {
		plain = strings.TrimRight(plain[:min(len(plain), longestName-digestDigits-1)], "-")
		plain += fmt.Sprintf("-%x", sha256.Sum256([]byte(j.Name)))[:1+digestDigits]
	}
	return strings.TrimRight("r2lmlbench-"+strings.TrimLeft(plain, "-"), "-")
}

// Table is the file that the table is printed to, below the results.
func (j Job) Table() string {
	ending := map[string]string{"text": "txt", "markdown": "md", "latex": "tex"}[j.Format]
	if ending == "" {
		ending = j.Format
	}
	return j.ID() + "." + ending
}

// Slurm returns a script for sbatch. It runs the tasks 1 to N as an array; with
// --array=0 it is the last task. It fails when a text cannot stand in a script.
func Slurm(j Job) (string, error) { return fillIn("slurm.sh", j) }

//go:embed array
var arrayFiles embed.FS

var arrayTemplates = template.Must(template.New("").
	Funcs(template.FuncMap{"sh": shellWord, "yaml": yamlText, "lines": yamlBlock, "verbatim": verbatim}).
	ParseFS(arrayFiles, "array/*"))

// fillIn fills a template in.
func fillIn(name string, of any) (string, error) {
	var b strings.Builder
	if err := arrayTemplates.ExecuteTemplate(&b, name, of); err != nil {
		return "", fmt.Errorf("cluster: %w", err)
	}
	return b.String(), nil
}

// shellWord writes a text as a word of a POSIX shell.
func shellWord(text string) (string, error) {
	if strings.ContainsRune(text, 0) {
		return "", errors.New("a path or name holds a zero byte, which no script can hold")
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'", nil
}

// yamlText writes a text in double quotes.
func yamlText(text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", fmt.Errorf("%q is no UTF-8, which a manifest has to be", text)
	}
	return strconv.QuoteToASCII(text), nil
}

// yamlBlock writes lines as they are, indented, or in quotes where YAML would not read
// the same again.
func yamlBlock(indent int, text string) (string, error) {
	odd := func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }
	lines := strings.TrimSuffix(text, "\n")
	if lines == text || lines == "" || strings.HasSuffix(lines, "\n") || strings.ContainsAny(lines[:1], " \t\n") || strings.ContainsFunc(text, odd) {
		return yamlText(text)
	}
	blanks := strings.Repeat(" ", indent)
	return "|\n" + blanks + strings.ReplaceAll(strings.ReplaceAll(lines, "\n", "\n"+blanks), "\n"+blanks+"\n", "\n\n"), nil
}

// A Pod says what a job runs in on Kubernetes.
type Pod struct {
	Image string // with /bin/sh, and with r2lmlbench in its PATH; visible ASCII characters
	Claim string // volume claim for data and results, a DNS subdomain; empty: one is made
	Spec  []byte // content of the spec, mounted as a file; nil: the name of an embedded one is enough
}

// Image is the name of the image that the Dockerfile of the repository makes.
const Image = "r2lmlbench:0.2.0"

// Places inside the containers. The results of a spec go below the volume.
const (
	volumePath = "/r2lmlbench"
	specFolder = "/spec"
)

// Kubernetes returns a manifest: an Indexed Job whose tasks are the shards, and
// a Job for the last task, which is suspended since Kubernetes starts no Job
// after another by itself. Program, Results and Data of j are those inside the
// image and not looked at. It fails when the image or the claim cannot be the
// name of one.
func Kubernetes(j Job, p Pod) (string, error) {
	if err := p.check(); err != nil {
		return "", err
	}
	j.Program, j.Results, j.Data = "r2lmlbench", volumePath+"/results", volumePath+"/data"
	if p.Spec != nil {
		j.Spec = specFolder + "/spec.yaml"
	}
	script, err := fillIn("pod.sh", j)
	if err != nil {
		return "", err
	}
	return fillIn("kubernetes.yaml", struct {
		Job
		Pod                        Pod
		PodScript, Volume, Content string
	}{j, p, verbatim(script), volumePath, string(p.Spec)})
}

// longestClaim bounds the name of a volume claim, in characters.
const longestClaim = 253

// subdomain is what Kubernetes takes as a name (RFC 1123): labels of at most 63
// characters, joined by dots.
var subdomain = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$`)

// check says what is wrong with the names of the image and the claim.
func (p Pod) check() error {
	unseen := func(r rune) bool { return r <= ' ' || r > '~' }
	if p.Image == "" || strings.ContainsFunc(p.Image, unseen) {
		return fmt.Errorf("cluster: %q is no name of an image, which holds no blanks, line ends or other than ASCII characters and is not empty; "+
			"give one such as %s with --image", p.Image, Image)
	}
	if p.Claim != "" && (len(p.Claim) > longestClaim || !subdomain.MatchString(p.Claim)) {
		return fmt.Errorf("cluster: %q is no name of a volume claim, which holds lower-case letters, digits, inner dashes and dots only; give one "+
			"that `kubectl get pvc` lists with --claim, or leave --claim out to have one made", p.Claim)
	}
	return nil
}

// verbatim keeps Kubernetes from putting the values of variables into a text: it
// replaces $(NAME) and turns $$ into $.
func verbatim(s string) string { return strings.ReplaceAll(s, "$", "$$") }
