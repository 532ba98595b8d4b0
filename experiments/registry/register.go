package registry

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"

	"r2lmlbench/experiments/method"
)

// methodID matches ids of methods; they name columns, files and flags.
var methodID = regexp.MustCompile(`^[a-z][a-z0-9-]{0,63}$`)

// Register appends methods to the registry. Call it before anything reads the registry.
// If one of the methods is invalid, it adds none.
func Register(methods ...method.Method) error {
	var faults []error
	seen := map[string]bool{}
	for _, m := range methods {
		if _, known := Find(m.ID); known || seen[m.ID] {
			faults = append(faults, fmt.Errorf("method %q: there is a method of this id already; choose another one", m.ID))
		} else if err := check(m); err != nil {
			faults = append(faults, fmt.Errorf("method %q: %w", m.ID, err))
		}
		seen[m.ID] = true
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	Methods = append(Methods, methods...)
	return nil
}

// check refuses a method that specs cannot name, tables cannot print or stores
// cannot store.
func check(m method.Method) error {
	switch {
	case !methodID.MatchString(m.ID):
		return errors.New("an id is up to 64 small letters, digits and hyphens, a letter first")
	case m.Name == "":
		return errors.New("it has no name; give the one that tables print")
	case m.Family == nil:
		return errors.New("it has no family; make it with method.New")
	case m.Version < 1:
		return errors.New("About.Version is not set; start with 1, and raise it when results change")
	}
	return checkParameters(m.Family.Prototype())
}

// checkParameters refuses a struct of hyper-parameters with a field that specs
// cannot name or set.
func checkParameters(t reflect.Type) error {
	if t.Kind() != reflect.Struct {
		return fmt.Errorf("its hyper-parameters are a %v; want a struct, which may be empty", t.Kind())
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() || method.KeyOf(f) == "" {
			return fmt.Errorf("field %s of %v needs a capital letter and a yaml tag, such as `yaml:\"shrinkage\"`: every field is a parameter", f.Name, t)
		}
		switch f.Type.Kind() {
		case reflect.Int, reflect.Float64, reflect.String, reflect.Bool:
		default:
			return fmt.Errorf("field %s of %v is a %v; a parameter is an int, a float64, a string or a bool", f.Name, t, f.Type)
		}
	}
	return nil
}
