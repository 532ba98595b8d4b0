// Package external runs methods that are programs: it writes their input files, starts and
// limits their processes, and reads the labels or distances that they answer.
package external

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"

	"r2lmlbench/experiments/method"
	"r2lmlbench/internal/strictyaml"
	"r2lmlbench/internal/text"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// External is a program in any language that labels the query samples itself.
// For every fit there is a directory, which holds
//
//	train.csv       label,x1,...,xD   the training samples
//	validation.csv  label,x1,...,xD   the validation samples, see below
//	query.csv       x1,...,xD         the samples to label
//	params.json     phase, seed, neighbors, classes, features and its own params
//
// and the program writes predictions.csv there, see ReadLabels. In the phase "selection"
// the query samples are the validation samples, or a fold of the training samples, for scoring
// a setting: validation.csv then has only its header. In the phase "test" the setting is
// chosen, and validation.csv has the labelled samples.
type External struct {
	Command []string `yaml:"command" jsonschema:"required" jsonschema_description:"program and arguments; ./ and ../ start at the folder of the spec"`
	Timeout float64  `yaml:"timeout" jsonschema:"minimum=0,maximum=2592000" jsonschema_description:"seconds that a fit may take; 0 means 600"`
	// Protocol says how a program receives fits, see service.go. Params does not contain it.
	Protocol string         `yaml:"protocol" jsonschema:"enum=one-shot,enum=stdio,default=one-shot" jsonschema_description:"one-shot starts the program for every fit; stdio keeps one process for each worker, which reads a line for every fit"`
	Own      results.Params `yaml:"-"` // any other parameter: the program's own

	Folder  string   // of the spec
	Env     []string `yaml:"-"` // further environment variables for the program
	Depends []string `yaml:"-"` // further files that it depends on, relative to Folder
	program program
}

// Parameters of a cell that describe a program.
const (
	programKey = results.ProgramParam // names and digests of its files
	envKey     = "env"                // names of variables
	dependsKey = "depends"            // key of the method block; its files are part of programKey
)

// ownName matches names of parameters of a program.
var ownName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// longest is the longest timeout, 30 days; the schema has it, too.
const longest = 30 * 24 * time.Hour

// JSONSchemaExtend allows further parameters: those of the program.
func (External) JSONSchemaExtend(s *jsonschema.Schema) {
	s.AdditionalProperties = &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "number"}, {Type: "string"}, {Type: "boolean"}}}
}

// Params returns the parameters that go into the key of a cell.
//
// They contain the names of environment variables, so the names are in the key of the
// cell. They do not contain the values: values may be secrets, and a digest would
// reveal short ones; and values differ between machines that compute the same. Use
// parameters of the program for anything that changes results.
//
// They do not contain the protocol: under both, a program gets the same files and its answer is the
// cell. So a spec may change the protocol and keep its cells. A program whose answers depend on
// earlier fits is wrong, see Check.
func (e External) Params() map[string]any {
	params := map[string]any{"command": text.ShellCommand(e.Command), "timeout": e.Timeout}
	if digests := e.program.digests(); digests != "" {
		params[programKey] = digests
	}
	if len(e.Env) > 0 {
		params[envKey] = strings.Join(e.Env, " ")
	}
	maps.Copy(params, e.Own)
	return params
}

// Programs is the family of external methods.
type Programs struct {
	variables, files []string // see Given
}

// Decode implements method.Family.
func (p Programs) Decode(d *strictyaml.Decoder, layers []*yaml.Node, besides ...any) any {
	e := External{Own: results.Params{}, Folder: filepath.Dir(d.File), Env: p.variables, Depends: p.files}
	for _, layer := range layers {
		for _, pair := range d.Pairs(layer) {
			key, value := pair.Key.Value, pair.Value
			field := strictyaml.Field(key, besides...)
			switch {
			case field != nil:
				d.Decode(value, field)
			case key == "command" && value.Kind != yaml.SequenceNode:
				d.Errorf(value, "command is no list; write [program, argument, ...]")
			case key == "command":
				d.Decode(value, &e.Command)
			case key == "timeout":
				d.Decode(value, &e.Timeout)
			case key == "protocol":
				d.Decode(value, &e.Protocol)
			case checkOwn(d, pair.Key):
				e.Own[key] = scalar(d, value)
			}
		}
	}
	return e
}

// FromFlags returns the program of a command line; params are its parameters as NAME=VALUE.
// Paths in the command are relative to the current folder.
func FromFlags(command []string, protocol string, timeout time.Duration, params []string) (External, error) {
	if timeout < 0 || timeout > longest {
		return External{}, fmt.Errorf("--timeout is %v, want a time up to %v", timeout, longest)
	}
	stanza, err := yaml.Marshal(map[string]any{"command": command, "protocol": protocol, "timeout": timeout.Seconds()})
	if err != nil {
		return External{}, err
	}
	for _, param := range params {
		name, value, ok := strings.Cut(param, "=")
		if !ok {
			return External{}, fmt.Errorf("--param is %q, want NAME=VALUE, such as k=5", param)
		}
		stanza = fmt.Appendf(stanza, "%s: %s\n", name, value)
	}
	root, err := strictyaml.Parse("flags", stanza)
	if err != nil {
		return External{}, err
	}
	d := &strictyaml.Decoder{File: "flags"}
	decoded := Programs{}.Decode(d, []*yaml.Node{root})
	if err := d.Err(); err != nil {
		return External{}, err
	}
	resolved, err := Programs{}.Resolve(decoded)
	if err != nil {
		return External{}, err
	}
	return resolved.(External), nil
}

// checkOwn refuses invalid names of a program's parameters, and names that look like misspelled
// keys of the method block.
func checkOwn(d *strictyaml.Decoder, key *yaml.Node) bool {
	name := key.Value
	near, slip := strictyaml.Nearest(name, []string{"command", "timeout", "protocol"})
	if scaling, ok := strictyaml.Nearest(name, []string{method.FeaturesKey, method.ScaleKey}); ok && max(len(name)-len(scaling), len(scaling)-len(name)) < 2 {
		near, slip = scaling, true // but max_features is a common parameter
	}
	switch {
	case slip:
		d.Errorf(key, "unknown key %q; did you mean %q? If it is a parameter of the program, rename it", name, near)
	case name == dependsKey:
		d.Errorf(key, "depends stands beside params in the stanza: depends: [./helper.py]")
	case name == programKey:
		d.Errorf(key, "%q is taken by the digest of the program; call the parameter something else", name)
	case !ownName.MatchString(name):
		d.Errorf(key, "%q cannot name a parameter of a program; want up to 64 letters, digits, - and _, a letter first", name)
	default:
		return true
	}
	return false
}

// scalar decodes a number, a text or a truth value.
func scalar(d *strictyaml.Decoder, n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!bool":
		var b bool
		d.Decode(n, &b)
		return b
	case "!!int", "!!float":
		var i int
		integer := &strictyaml.Decoder{}
		if integer.Decode(n, &i); integer.Err() == nil {
			return i
		}
		var x float64
		d.Decode(n, &x)
		return x
	case "!!str":
		var s string
		d.Decode(n, &s)
		return s
	}
	d.Errorf(n, "a parameter of a program is a number, a text or true or false")
	return nil
}

// Resolve implements method.Family: it looks up the program and computes the digests of its files.
func (Programs) Resolve(value any) (any, error) {
	e := value.(External)
	if e.Timeout == 0 {
		e.Timeout = 600
	}
	e.Protocol = cmp.Or(e.Protocol, oneShot)
	if len(e.Command) == 0 || e.Command[0] == "" {
		return e, errors.New("command is not set; give the program and its arguments, such as [python3, ./knn.py]")
	}
	if _, shadowed := e.Own[envKey]; shadowed && len(e.Env) > 0 {
		return e, errShadowed
	}
	var err error
	e.program, err = located(e.Command, e.Folder, e.Depends)
	return e, err
}

// Tasks implements method.Family: every setting is a task of its own.
func (Programs) Tasks(p method.Problem, settings []any) []r2lml.Task {
	tasks := make([]r2lml.Task, len(settings))
	for i, s := range settings {
		tasks[i] = r2lml.Task{
			Settings: []int{i},
			Run: func(ctx context.Context, done func(int, r2lml.Fitted, error)) {
				f, err := s.(External).Fit(ctx, p)
				if err != nil {
					err = fmt.Errorf("external: %s: %w", filepath.Base(s.(External).Command[0]), err)
				}
				done(i, f, err)
			},
		}
	}
	return tasks
}

// Prototype implements method.Family.
func (Programs) Prototype() reflect.Type { return reflect.TypeFor[External]() }
