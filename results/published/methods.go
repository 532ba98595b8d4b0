package published

import "strings"

// Ids of methods of the paper's table that more than their registry line must
// know.
const (
	Euclidean    = "euclidean"
	Efficient    = "e-r2lml"
	Transductive = "t-r2lml"
)

// MethodName is a method's id as the paper prints it.
func MethodName(id string) string {
	if id == Euclidean {
		return "Euclidean"
	}
	return strings.ToUpper(id)
}
