package experiments

import "fmt"

// Hyper-parameters of the methods that specs name and that are not built yet,
// so that their stanzas are checked like any other.

// itml holds the parameters of ITML.
type itml struct {
	Gamma float64 `yaml:"gamma" jsonschema:"minimum=0" jsonschema_description:"weight of the slack; 0 means 1"`
}

func (m itml) Resolve() (itml, error) {
	if m.Gamma == 0 {
		m.Gamma = 1
	}
	if !(m.Gamma > 0) {
		return m, fmt.Errorf("gamma is %g, want more than 0", m.Gamma)
	}
	return m, nil
}

// lmnn holds the parameters of LMNN and LMNN-MM: the paper's settings are fixed.
type lmnn struct{}

func (m lmnn) Resolve() (lmnn, error) { return m, nil }

// glml holds the parameters of GLML.
type glml struct {
	Gamma     float64 `yaml:"gamma" jsonschema:"minimum=0" jsonschema_description:"pull of the metric towards the Euclidean one"`
	Shrinkage float64 `yaml:"shrinkage" jsonschema:"minimum=0,maximum=1" jsonschema_description:"pull of each covariance towards a multiple of the identity"`
}

func (m glml) Resolve() (glml, error) {
	if !(m.Gamma >= 0) || !(m.Shrinkage >= 0 && m.Shrinkage <= 1) {
		return m, fmt.Errorf("gamma is %g and shrinkage is %g, want gamma 0 or more and shrinkage in [0, 1]", m.Gamma, m.Shrinkage)
	}
	return m, nil
}

// plml holds the parameters of PLML.
type plml struct {
	Alpha1 float64 `yaml:"alpha1" jsonschema:"minimum=0" jsonschema_description:"weight of the basis metrics' norms; 0 means 1"`
}

func (m plml) Resolve() (plml, error) {
	if m.Alpha1 == 0 {
		m.Alpha1 = 1
	}
	if !(m.Alpha1 > 0) {
		return m, fmt.Errorf("alpha1 is %g, want more than 0", m.Alpha1)
	}
	return m, nil
}
