package strictyaml

import (
	"fmt"
	"strings"
)

// Unknown formats the message that name is unknown. It suggests the nearest known
// name or else lists all. what is the kind of the name:
//
//	unknown method "lmn"; did you mean "lmnn"?
//	unknown method "svm"; known: euclidean, itml
func Unknown(what, name string, known []string) string {
	msg := fmt.Sprintf("unknown %s %s", what, quote(name))
	if near, ok := Nearest(name, known); ok {
		return fmt.Sprintf("%s; did you mean %q?", msg, near)
	}
	if len(known) == 0 {
		return msg + "; none is known here"
	}
	return msg + "; known: " + strings.Join(known, ", ")
}

// Nearest returns the known name that needs the fewest edits to become name,
// the first of them in a tie. An edit inserts, deletes or replaces a character
// or swaps two adjacent ones (Damerau-Levenshtein distance, no part edited
// twice); case does not count. It returns false if more than a third of the
// longer name, but at least one character, would have to be edited.
func Nearest(name string, known []string) (string, bool) {
	a := []rune(strings.ToLower(name))
	best, least := "", -1
	for _, k := range known {
		b := []rune(strings.ToLower(k))
		longer, shorter := max(len(a), len(b)), min(len(a), len(b))
		bound := max(1, longer/3)
		if longer-shorter > bound {
			continue
		}
		e := edits(a, b)
		if e <= bound && (e < longer || e == 0) && (least < 0 || e < least) {
			best, least = k, e
		}
	}
	return best, least >= 0
}

// edits returns the distance of a and b. With D[i][j] that of a[:i] and b[:j],
//
//	D[i][j] = min(D[i-1][j] + 1, D[i][j-1] + 1, D[i-1][j-1] + [a_i != b_j],
//	              D[i-2][j-2] + 1 if the last two characters are swapped)
func edits(a, b []rune) int {
	dist := make([][]int, len(a)+1)
	for i := range dist {
		dist[i] = make([]int, len(b)+1)
		dist[i][0] = i
	}
	for j := range dist[0] {
		dist[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			dist[i][j] = min(dist[i-1][j]+1, dist[i][j-1]+1, dist[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				dist[i][j] = min(dist[i][j], dist[i-2][j-2]+1)
			}
		}
	}
	return dist[len(a)][len(b)]
}
