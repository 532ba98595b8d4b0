package stats

import (
	"cmp"
	"slices"
)

// Groups are the ranks of the methods of one table row. Methods are named by
// their index in the row, the column; no slice is nil.
type Groups struct {
	// Order lists the methods, most accurate first, ties by column.
	Order []int
	// Rank of each method, by column: 1, 2, 3, ... without gaps.
	Rank []int
	// Leaders holds the leader of rank r at index r-1.
	Leaders []int
	// Inversions lists the pairs {i, j} where i is more accurate than j and
	// yet has the worse rank: i differs from a leader j is comparable with.
	Inversions [][2]int
	// SameRankButSignificant lists the pairs {i, j}, i < j, that share a rank
	// because both are comparable with its leader, but differ from each other.
	SameRankButSignificant [][2]int
	// TieSensitive reports whether exchanging two equally accurate methods in the order would change
	// a rank.
	TieSensitive bool
	// Letters is the compact letter display, by column: two methods have a
	// letter in common if and only if they do not differ significantly. The
	// letters are a to z, then a1 to z1, a2 and so on, a blank between two if there are more
	// than 26; a belongs to the best.
	Letters []string
}

// Group ranks methods from their numbers of correct test samples and the
// significance of their differences. It asks significant(i, j) once for every
// i < j; the usual answer is that the pair's Holm-adjusted p-value is at most
// alpha.
//
// "Comparable" is not transitive, so the ranks need a rule, the leader rule: the
// most accurate method without a rank leads the next rank, and every method
// without a rank that does not differ significantly from the leader joins.
// Rank 1 is therefore the best method and those comparable with it. What the
// rule hides is in Inversions, SameRankButSignificant and TieSensitive; the
// Letters hide nothing.
func Group(correct []int, significant func(i, j int) bool) Groups {
	differ := symmetric(len(correct), significant)
	order := byAccuracy(correct)
	rank, leaders := rankByLeaders(order, differ)
	return Groups{
		Order:                  order,
		Rank:                   rank,
		Leaders:                leaders,
		Inversions:             Inversions(correct, rank),
		SameRankButSignificant: differingPeers(rank, differ),
		TieSensitive:           tieSensitive(correct, order, rank, differ),
		Letters:                letters(order, differ),
	}
}

// symmetric evaluates significant for all pairs.
func symmetric(k int, significant func(i, j int) bool) [][]bool {
	differ := make([][]bool, k)
	for i := range differ {
		differ[i] = make([]bool, k)
	}
	for i := range k {
		for j := i + 1; j < k; j++ {
			differ[i][j] = significant(i, j)
			differ[j][i] = differ[i][j]
		}
	}
	return differ
}

// byAccuracy lists the methods by falling number of correct samples, ties by
// column.
func byAccuracy(correct []int) []int {
	order := make([]int, len(correct))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(correct[j], correct[i]) })
	return order
}

// rankByLeaders applies the leader rule to the methods in the given order.
func rankByLeaders(order []int, differ [][]bool) (rank, leaders []int) {
	rank = make([]int, len(order)) // 0: none yet
	leaders = []int{}
	for _, leader := range order {
		if rank[leader] != 0 {
			continue
		}
		leaders = append(leaders, leader)
		for _, i := range order {
			if rank[i] == 0 && !differ[leader][i] {
				rank[i] = len(leaders)
			}
		}
	}
	return rank, leaders
}

// Inversions lists the pairs {i, j} where i is more accurate than j and yet has
// the worse rank, by column, from numbers of correct samples and ranks, which may
// be printed ones.
func Inversions(correct, rank []int) [][2]int {
	pairs := [][2]int{}
	for i := range rank {
		for j := range rank {
			if correct[i] > correct[j] && rank[i] > rank[j] {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}

// differingPeers lists the pairs of one rank that differ significantly.
func differingPeers(rank []int, differ [][]bool) [][2]int {
	pairs := [][2]int{}
	for i := range rank {
		for j := i + 1; j < len(rank); j++ {
			if rank[i] == rank[j] && differ[i][j] {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}

// tieSensitive tries every exchange of two equally accurate methods.
func tieSensitive(correct, order, rank []int, differ [][]bool) bool {
	for p := range order {
		for q := p + 1; q < len(order) && correct[order[p]] == correct[order[q]]; q++ {
			swapped := slices.Clone(order)
			swapped[p], swapped[q] = swapped[q], swapped[p]
			if other, _ := rankByLeaders(swapped, differ); !slices.Equal(other, rank) {
				return true
			}
		}
	}
	return false
}
