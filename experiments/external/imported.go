package external

import (
	"errors"
)

// Imported is the method whose predictions come from a file, see the command import.
type Imported struct {
	Name string `yaml:"name" jsonschema:"required" jsonschema_description:"name the predictions were imported under"`
}

// ImportedID is the id of the method imported in the registry.
const ImportedID = "imported"

// Resolve returns an error if Name is empty.
func (m Imported) Resolve() (Imported, error) {
	if m.Name == "" {
		return m, errors.New("name is not set; give the one the predictions were imported under")
	}
	return m, nil
}
