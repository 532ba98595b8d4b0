package spec

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"r2lmlbench/experiments"
	"r2lmlbench/experiments/registry"
	"r2lmlbench/internal/strictyaml"
)

// base reads the spec named by the key base. The spec takes its protocol from it, and its
// method blocks the parameters of single data sets. Faults of the base have its own lines.
func (c *checker) base() {
	name := c.spec.Base
	switch {
	case name == "":
		return
	case c.isBase:
		c.fault("a spec that serves as a base cannot have a base; remove the key, or name this base directly", "base")
		return
	}
	base, err := other(c.d.File, name, checker{isBase: true})
	switch {
	case c.foreign(err, "base", "base "+name):
	case base.Base != "": // an embedded spec, which is cached without isBase
		c.fault(fmt.Sprintf("%s has a base itself; name that, which is %s, or remove it there", name, base.Base), "base")
	default:
		c.parent = base
	}
}

// foreign reports an error about another file that a key of the spec names, with the lines of
// that file. It returns false without an error.
func (c *checker) foreign(err error, key, what string) bool {
	var faults strictyaml.Errors
	if errors.As(err, &faults) {
		c.d.Add(faults)
	} else if err != nil {
		c.fault(fmt.Sprintf("%s: %v", what, err), key)
	}
	return err != nil
}

// others caches embedded specs that other specs name.
var others sync.Map // of func() (*Spec, error)

// other reads the spec that a file names: an embedded one, or a file relative to the folder of
// the file that names it. as is the checker for a file; an embedded spec is read once, without
// its printed numbers.
func other(from, name string, as checker) (*Spec, error) {
	if b, err := experiments.Specs.ReadFile(name + ".yaml"); err == nil {
		read, _ := others.LoadOrStore(name, sync.OnceValues(func() (*Spec, error) {
			return parse(name+".yaml", b, checker{embedded: true, isOrigin: true})
		}))
		return read.(func() (*Spec, error))()
	}
	file := beside(from, name)
	b, err := readSpec(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no file %s and no embedded spec %s%s; embedded are %s",
			file, name, suggest(name, experiments.Names()), strings.Join(experiments.Names(), ", "))
	}
	if err != nil {
		return nil, err
	}
	return parse(file, b, as)
}

// beside returns a path relative to the folder of a file.
func beside(from, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(from), name)
}

// ofBase returns the first block of a method in the base; nil without one.
func (c *checker) ofBase(method string) *MethodBlock {
	if c.parent == nil {
		return nil
	}
	for i := range c.parent.Methods {
		if c.parent.Methods[i].Method == method {
			return &c.parent.Methods[i]
		}
	}
	return nil
}

// paramsOfBase returns, by data set, the parameters that a method has in the base.
func (c *checker) paramsOfBase(method string) map[string]*yaml.Node {
	params := map[string]*yaml.Node{}
	if s := c.ofBase(method); s != nil {
		for i := 0; i+1 < len(s.Datasets.Content); i += 2 {
			if e, err := c.parent.find(s.Datasets.Content[i].Value); err == nil {
				params[e.ID] = s.Datasets.Content[i+1]
			}
		}
	}
	return params
}

// Words with a meaning in specs: `methods: all`, `grid: default`.
const (
	allMethods  = "all"
	defaultGrid = "default"
)

// expand replaces `methods: all` by method blocks and `grid: default` by grids, as if they were
// written out. Faults keep the lines of the words.
func (c *checker) expand(root *yaml.Node) {
	list := strictyaml.Child(root, "methods")
	if list == nil {
		return
	}
	grids, err := Grids()
	if list.Kind == yaml.ScalarNode && list.Value == allMethods {
		if err != nil {
			c.d.Errorf(list, "%v", err)
			return
		}
		var all strings.Builder
		for _, m := range registry.Methods {
			if m.Imported || m.OutOfProcess {
				continue
			}
			fmt.Fprintf(&all, "- method: %s\n", m.ID)
			if m.Proposed && strictyaml.Child(root, "base") == nil { // R2LML has no default step; a base has steps
				all.WriteString("  params: {step: auto}\n")
			}
			if grids[m.ID] != nil {
				fmt.Fprintf(&all, "  grid: %s\n", defaultGrid)
			}
		}
		c.write(list, []byte(all.String()))
	}
	for _, stanza := range list.Content {
		grid := strictyaml.Child(stanza, "grid")
		if grid == nil || grid.Kind != yaml.ScalarNode || grid.Value != defaultGrid {
			continue
		}
		id := strictyaml.At(stanza, "method").Value
		if _, known := registry.Find(id); err == nil && known && grids[id] == nil {
			c.d.Errorf(grid, "%s has no default grid; remove `grid`, or list values", id)
		}
		axes, unwritten := json.Marshal(grids[id])
		if err := cmp.Or(err, unwritten); err != nil {
			c.d.Errorf(grid, "%v", err)
			return
		}
		c.write(grid, axes)
	}
}

// write replaces a word by YAML, all of it at the line of the word.
func (c *checker) write(word *yaml.Node, text []byte) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		c.d.Errorf(word, "%v", err)
		return
	}
	var place func(n *yaml.Node)
	place = func(n *yaml.Node) {
		n.Line, n.Column = word.Line, word.Column
		for _, child := range n.Content {
			place(child)
		}
	}
	place(&document)
	*word = *document.Content[0]
}
