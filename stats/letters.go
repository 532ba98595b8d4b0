package stats

import (
	"slices"
	"strconv"
)

// letters gives each method the letters of the cliques it is in.
func letters(order []int, differ [][]bool) []string {
	return spell(cliques(order, differ), order)
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
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

// spell gives each method the letters of the columns it is in.
func spell(columns [][]int, order []int) []string {
	out := make([]string, len(order))
	for i, column := range columns {
		for _, p := range column {
			out[order[p]] += letter(i)
		}
	}
	return out
}

// letter is a to z for the first 26 columns, then a1 to z1, a2 to z2, ...
func letter(i int) string {
	name := string(rune('a' + i%26))
	if i >= 26 {
		name += strconv.Itoa(i / 26)
	}
	return name
}
