package published

import "strings"

// MethodName is a method's id as the paper prints it.
func MethodName(id string) string {
	if id == "euclidean" {
		return "Euclidean"
	}
	return strings.ToUpper(id)
}
