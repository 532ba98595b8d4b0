package stats

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// letters gives each method the letters of the cliques it is in: a to z for the first 26,
// then a1 to z1, a2 to z2, ... With more than 26 a blank stands between two letters.
func letters(order []int, differ [][]bool) []string {
	sets, of := cliques(order, differ), make([][]string, len(order))
	for i, clique := range sets {
		letter := string(rune('a' + i%26))
		if i >= 26 {
			letter += strconv.Itoa(i / 26)
		}
		for _, p := range clique {
			of[order[p]] = append(of[order[p]], letter)
		}
	}
	between := ""
	if len(sets) > 26 {
		between = " "
	}
	out := make([]string, len(order))
	for i, all := range of {
		out[i] = strings.Join(all, between)
	}
	return out
}

// cliques finds the sets of methods that shall share a letter by
// insert-and-absorb (Piepho 2004). A column is such a set, kept as rising
// positions in order. It begins with one column of all methods and, for each
// pair that differs, splits the columns that hold both. In the end the columns
// are all the largest sets without a differing pair; there can be many of them
// for dozens of methods, at most 18 for eight.
func cliques(order []int, differ [][]bool) [][]int {
	all := make([]int, len(order))
	for p := range all {
		all[p] = p
	}
	columns := [][]int{all}
	for p := range order {
		for q := p + 1; q < len(order); q++ {
			if differ[order[p]][order[q]] {
				columns = absorb(insert(columns, p, q))
			}
		}
	}
	slices.SortFunc(columns, slices.Compare)
	return columns
}

// insert replaces each column holding both p and q by two, each lacking one.
func insert(columns [][]int, p, q int) [][]int {
	var out [][]int
	for _, column := range columns {
		if slices.Contains(column, p) && slices.Contains(column, q) {
			out = append(out, without(column, p), without(column, q))
		} else {
			out = append(out, column)
		}
	}
	return out
}

func without(column []int, p int) []int {
	return slices.DeleteFunc(slices.Clone(column), func(x int) bool { return x == p })
}

// absorb drops every column that is part of another one. No two columns are
// equal: none is part of another before insert, and insert splits two different
// columns into different halves.
func absorb(columns [][]int) [][]int {
	return slices.DeleteFunc(slices.Clone(columns), func(column []int) bool {
		return slices.ContainsFunc(columns, func(other []int) bool {
			return len(column) < len(other) && subset(column, other)
		})
	})
}

func subset(a, b []int) bool {
	return !slices.ContainsFunc(a, func(x int) bool { return !slices.Contains(b, x) })
}

// Cliques groups methods for a critical-difference diagram: it returns the
// largest sets without a significantly different pair. order lists the methods,
// numbered from 0, best first, and significant(i, j) is asked once for every
// i < j. Members of a set are in that order, and the sets in order of their
// members.
//
// A set need not be a run: with pairwise tests the first and the third method can
// be comparable and the second differ from both, and a bar over all three would
// be wrong. Every method is in some set; one alone in its set differs from all
// others, and needs no bar.
func Cliques(order []int, significant func(i, j int) bool) [][]int {
	sets := cliques(order, symmetric(len(order), significant))
	for _, set := range sets {
		for k, position := range set {
			set[k] = order[position]
		}
	}
	return sets
}

// CDGroups returns the [Cliques] of methods by their average ranks, where two
// differ if their ranks are at least the critical difference apart. These sets
// are the longest runs of neighboring methods within it.
func CDGroups(averageRanks []float64, criticalDifference float64) [][]int {
	order := make([]int, len(averageRanks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(averageRanks[i], averageRanks[j]) })
	return Cliques(order, func(i, j int) bool {
		return math.Abs(averageRanks[i]-averageRanks[j]) >= criticalDifference
	})
}
