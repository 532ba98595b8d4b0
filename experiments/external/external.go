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
// and leaves predictions.csv there, see ReadLabels. In the phase "selection"
// the query samples are the validation samples, or a fold of the training samples, which
// a point of the grid is scored on: validation.csv then holds its header only. In the phase "test"
// the setting is chosen, and validation.csv holds the labelled samples.
type External struct {
	Command []string `yaml:"command" jsonschema:"required" jsonschema_description:"program and arguments; ./ and ../ start at the folder of the spec"`
	Timeout float64  `yaml:"timeout" jsonschema:"minimum=0,maximum=2592000" jsonschema_description:"seconds that a fit may take; 0 means 600"`
	// Protocol says how the program is asked for fits. It is no part of Params: see there.
	Protocol string         `yaml:"protocol" jsonschema:"enum=one-shot,enum=stdio,default=one-shot" jsonschema_description:"one-shot starts the program for every fit; stdio keeps one process for each worker, which reads a line for every fit"`
	Own      results.Params `yaml:"-"` // any other parameter: the program's own

	Folder  string   // of the spec
	Env     []string `yaml:"-"` // variables of the environment that it is given beside those that all are
	Depends []string `yaml:"-"` // files beside those of the command, from the folder
	program program
}

// Parameters that tell in a cell what a program consists of and is given.
const (
	programKey = results.ProgramParam // names and digests of its files
	envKey     = "env"                // names of variables
	dependsKey = "depends"            // a key of the stanza, whose files are part of program
)

// ownName is what a program may call its parameters.
var ownName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// longest is the longest timeout, 30 days; the schema has it, too.
const longest = 30 * 24 * time.Hour

// JSONSchemaExtend admits parameters of the program's own.
func (External) JSONSchemaExtend(s *jsonschema.Schema) {
	s.AdditionalProperties = &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "number"}, {Type: "string"}, {Type: "boolean"}}}
}

// Params implements lister.
//
// The names of variables are among them, and so in the key of the cell: a stanza
// that hands over more asks for another computation. Their values are not. They
// may be secrets, of which a cell must not even hold a digest, since short ones can
// be guessed from it; and they differ between machines that compute the same. What
// changes results belongs into the program's own parameters.
//
// The protocol is not among them. It says how a program is called, as the number of
// workers does, and not what is computed: a program is given the same files under
// both, and its answer to them is the cell. So a stanza may change its protocol and
// keep its cells, and one that keeps something from one fit to the next is at fault.
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

// FromFlags is the program of a command line, with parameters of its own as NAME=VALUE.
// Paths in the command start at the current folder.
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

// checkOwn refuses names that a program's parameter cannot have, and those
// that look like a slip in one of ours.
func checkOwn(d *strictyaml.Decoder, key *yaml.Node) bool {
	name := key.Value
	near, slip := strictyaml.Nearest(name, []string{"command", "timeout", "protocol"})
	if scaling, ok := strictyaml.Nearest(name, []string{method.FeaturesKey, method.ScaleKey}); ok && max(len(name)-len(scaling), len(scaling)-len(name)) < 2 {
		near, slip = scaling, true // max_features is a key of its own
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

// Resolve implements method.Family: it looks up the program and takes the digests of its files.
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
