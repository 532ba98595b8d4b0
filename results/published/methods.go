package published

import "strings"

// Ids of methods of the paper's table that more than their registry line must
// know.
const (
	Euclidean    = "euclidean"
	Efficient    = "e-r2lml"
	Transductive = "t-r2lml"
)

// MethodName is a method's id as the paper or the method's authors print it: capitals but
// for what is no acronym.
func MethodName(id string) string {
	for _, name := range []string{"Euclidean", "SCML-local", "SCML-global"} {
		if rest, ok := strings.CutPrefix(id, strings.ToLower(name)); ok && (rest == "" || rest[0] == '-') {
			return name + rest
		}
	}
	return strings.ToUpper(id)
}
