package published

import "strings"

// Ids of methods of the paper's table that more than their registry line must
// know.
const (
	Euclidean    = "euclidean"
	Efficient    = "e-r2lml"
	Transductive = "t-r2lml"
)

// names are those of the methods as the paper or the methods' authors print them.
var names = []string{
	"Euclidean", "ITML", "LMNN-MM", "LMNN", "GLML", "PLML", "T-R2LML", "E-R2LML",
	"NCA", "RCA", "DANN", "SCML-local", "SCML-global", "SCML", "KISSME", "LFDA", "GMML", "DMLMJ", "RFM",
}

// MethodName is a method's id as the paper or the method's authors print it, also at the
// beginning of the id of a column. Others stay as they are.
func MethodName(id string) string {
	for _, name := range names {
		if rest, ok := strings.CutPrefix(id, strings.ToLower(name)); ok && (rest == "" || rest[0] == '-') {
			return name + rest
		}
	}
	return id
}
