package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"r2lmlbench/experiments"
	"r2lmlbench/internal/strictyaml"
)

// base reads the spec that the key base names, from which the spec takes its reading and
// stanzas take the
// parameters of single data sets. Its faults are reported at its own lines.
func (c *checker) base() {
	name := c.spec.Base
	switch {
	case name == "":
		return
	case c.isBase:
		c.fault("a spec that serves as a base cannot have a base; remove the key, or name this base directly", "base")
		return
	}
	base, err := embeddedBase(name)
	if errors.Is(err, fs.ErrNotExist) {
		file, b, unread := c.readBase(name)
		if unread != nil {
			c.fault(unread.Error(), "base")
			return
		}
		base, err = parse(file, b, checker{isBase: true})
	}
	var faults strictyaml.Errors
	switch {
	case errors.As(err, &faults):
		c.d.Add(faults)
	case err != nil:
		c.fault(fmt.Sprintf("base %s: %v", name, err), "base")
	default:
		c.parent = base
	}
}

// bases are the embedded specs that were read as a base, by name: many specs of
// one command have the same.
var bases sync.Map // of func() (*Spec, error)

// embeddedBase reads an embedded spec as a base. The error is fs.ErrNotExist when
// there is none of that name.
func embeddedBase(name string) (*Spec, error) {
	b, err := experiments.Specs.ReadFile(name + ".yaml")
	if err != nil {
		return nil, fs.ErrNotExist
	}
	read, _ := bases.LoadOrStore(name, sync.OnceValues(func() (*Spec, error) { return parse(name+".yaml", b, checker{isBase: true, embedded: true}) }))
	return read.(func() (*Spec, error))()
}

// readBase reads a file whose path starts at the folder of the spec that names
// it.
func (c *checker) readBase(name string) (file string, b []byte, err error) {
	file = name
	if !filepath.IsAbs(name) {
		file = filepath.Join(filepath.Dir(c.d.File), name)
	}
	b, err = readSpec(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no file %s and no embedded spec %s%s; embedded are %s",
			file, name, suggest(name, experiments.Names()), strings.Join(experiments.Names(), ", "))
	}
	return file, b, err
}

// inherited returns, by data set, the parameters that the first stanza of a
// method has in the base; none without a base or such a stanza.
func (c *checker) inherited(method string) map[string]*yaml.Node {
	params := map[string]*yaml.Node{}
	if c.parent == nil {
		return params
	}
	for _, s := range c.parent.Methods {
		if s.Method != method {
			continue
		}
		for i := 0; i+1 < len(s.Datasets.Content); i += 2 {
			if e, err := c.parent.find(s.Datasets.Content[i].Value); err == nil {
				params[e.ID] = s.Datasets.Content[i+1]
			}
		}
		break
	}
	return params
}
