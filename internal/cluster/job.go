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

// A Job is a spec to be computed as an array of tasks.
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
func Slurm(j Job) (string, error) { return execute("slurm.sh", j) }

//go:embed templates
var files embed.FS

var templates = template.Must(template.New("").
	Funcs(template.FuncMap{"sh": shellWord, "yaml": yamlText, "lines": yamlBlock, "verbatim": verbatim}).
	ParseFS(files, "templates/*"))

// execute fills a template in.
func execute(name string, of any) (string, error) {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, of); err != nil {
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
