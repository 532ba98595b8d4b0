package method

// An Outside is a family whose fits are made by programs outside of this one. They
// see a few variables of the environment only.
type Outside interface {
	Family
	// CheckVariable refuses what is not the name of a further variable.
	CheckVariable(name string) error
	// Given is the family of programs that are given further variables.
	Given(names []string) Family
}

// VariablePattern is what the name of a variable of the environment looks like.
const VariablePattern = `^[A-Za-z_][A-Za-z0-9_]{0,127}$`
