package registry

import (
	"r2lmlbench/baselines"
	"r2lmlbench/experiments/method"
	"r2lmlbench/r2lml"
	"r2lmlbench/results"
)

// The promises below count the live memory term by term, and garbage that is not collected
// yet: for a fit with much garbage, as much again.

// word is the bytes of a number.
const word = 8

// singly is the promise of a method whose settings are fitted one by one: the largest of a setting.
func singly(of func(s method.Size, p results.Params) float64) method.Memory {
	return func(s method.Size, settings []results.Params) float64 {
		most := 0.0
		for _, p := range settings {
			most = max(most, of(s, p))
		}
		return most
	}
}

// labelMemory is the memory of a metric with this number of maps: the mapped samples, the mapped
// training samples in panels, coefficients, and the distances of a query sample.
func labelMemory(s method.Size, metrics float64) float64 {
	return times(word, metrics, s.D, 2*s.N+s.M) + times(word, metrics, s.N+s.M) + times(3*word, s.N)
}

// metricMemory is the memory of a method that computes a global map from sums over samples, with
// this number of copies of the training samples.
func metricMemory(s method.Size, copies float64) float64 {
	return labelMemory(s, 1) + times(word*copies, s.N, s.D) + times(20*word, s.D, s.D)
}

func euclideanMemory(s method.Size, _ []results.Params) float64 {
	return times(word, s.N, s.D) + times(3*word, s.N)
}

func manhattanMemory(s method.Size, _ []results.Params) float64 { return times(2*word, s.N) }

// cosineMemory has the samples scaled to length 1 beside themselves.
func cosineMemory(s method.Size, _ []results.Params) float64 {
	return times(word, s.N+s.M, s.D) + times(3*word, s.N)
}

func itmlMemory(s method.Size, _ []results.Params) float64 {
	return metricMemory(s, 0) + times(40*word, s.C, s.C, s.D+8)
}

// scatterMemory is the memory of RCA, KISSME and GMML.
func scatterMemory(s method.Size, _ []results.Params) float64 { return metricMemory(s, 2) }

func dmlmjMemory(s method.Size, p results.Params) float64 {
	return metricMemory(s, 0) + times(word, s.N, 10+times(8, number(p, "neighbors")))
}

// Lists of up to a sixteenth of the pairs of training samples, which grow by copying, and the
// distances of some rows.
func lmnnMemory(s method.Size, p results.Params) float64 {
	n := times(s.N, 1-number(p, "validation"))
	return min(times(0.6, n, n), 2<<27) + times(64*word, n) + metricMemory(s, 8)
}

// The memory of LMNN, and the samples and their weights under the metric of each class.
func lmnnMMMemory(s method.Size, _ []results.Params) float64 {
	return min(times(0.6, s.N, s.N), 2<<27) + times(64*word, s.N) + times(3*word, s.C, s.N, s.D) + labelMemory(s, float64(s.C)) + metricMemory(s, 8)
}

func glmlMemory(s method.Size, _ []results.Params) float64 { return queryMemory(s) }
func dannMemory(s method.Size, _ []results.Params) float64 {
	return queryMemory(s) + times(1.5*word, s.M, s.D, s.D) + times(10*word, s.N)
}

// A matrix for every query sample, and the matrices for computing it.
func queryMemory(s method.Size) float64 {
	return times(2*word, s.M, s.D, s.D) + times(2*word, s.N, s.D) + times(10*word, s.C, s.D, s.D) + times(word, s.M, s.D+8)
}

// All weights of pairs, or some rows of them.
func ncaMemory(s method.Size, _ []results.Params) float64 {
	rows := s.N
	if rows > baselines.NCAWhole {
		rows = 24
	}
	return times(word, rows, s.N) + times(word, s.C, s.N) + metricMemory(s, 7)
}

// The samples of a class, centered, mapped and in columns.
func lfdaMemory(s method.Size, _ []results.Params) float64 {
	return metricMemory(s, 4) + times(4*word, s.N)
}

// Distances, the kernel, its factor, and the weights of the gradients.
func rfmMemory(s method.Size, _ []results.Params) float64 {
	return times(5*word, s.N, s.N) + times(2*word, s.N, s.C) + metricMemory(s, 6)
}

// Weights of the anchors, triplets with their variables, and a map for each anchor.
func plmlMemory(s method.Size, p results.Params) float64 {
	anchors := number(p, "anchors")
	return labelMemory(s, anchors+1) + times(10*word, s.N, anchors) + times(400*word, s.N) + times(6*word, s.N+s.M, s.D) +
		times(10*word, anchors, s.D, s.D)
}

// compositionMemory is that of triplets, and of the samples on directions.
func compositionMemory(s method.Size, bases float64) float64 {
	return times(300*word, s.N) + times(3*word, s.N, bases) + times(6*word, s.N+s.M, s.D)
}

func scmlGlobalMemory(s method.Size, p results.Params) float64 {
	return labelMemory(s, 1) + compositionMemory(s, min(number(p, "bases"), float64(2*(s.C-1)*s.N)))
}

// Two matrices of the kernel beside the distances of all samples; a map of one direction
// for each that is used.
func scmlLocalMemory(s method.Size, p results.Params) float64 {
	bases := min(number(p, "bases"), float64(s.N))
	return times(3*word, s.N, s.N) + times(80*word, s.N+s.M) + compositionMemory(s, 2*bases) + times(word, bases, 3*s.N+2*s.M)
}

// Bits for all pairs of samples: the similarities, shared by all fits, and for each metric
// learned at the same time the near pairs and margins.
func efficientMemory(s method.Size, settings []results.Params) float64 {
	return 0.3*pairs(s.N) + blockDescentMemory(s, s.N, settings, 0)
}

// The same, with similarities for each fit, and the next similarities.
func transductiveMemory(s method.Size, settings []results.Params) float64 {
	return 0.15*pairs(s.N+s.M) + blockDescentMemory(s, s.N+s.M, settings, 0.7)
}

func pairs(n int) float64 { return times(n, n) }

// lanes is the number of metrics learned at the same time, unless one setting has more.
const lanes = 8

// blockDescentMemory is the memory of fits side by side on n samples: eachFit bytes per pair of
// samples for each fit, and the memory of each metric, with scratch for a core of its own.
func blockDescentMemory(s method.Size, n int, settings []results.Params, eachFit float64) float64 {
	all, most, least := 0.0, 0.0, float64(lanes)
	for _, p := range settings {
		k := number(p, "metrics")
		all, most, least = all+k, max(most, k), min(least, k)
	}
	metrics, d := min(all, max(most, lanes)), r2lml.LearnedDimensions(n, s.D)
	fits := min(float64(len(settings)), max(1, lanes/least))
	inSpan := 0.0
	if d < s.D { // the decomposition of the samples, and maps as they are drawn
		inSpan = times(4*word, s.D, n+s.D)
	}
	return inSpan + (eachFit*fits+0.25*metrics)*pairs(n) + times(word, n, d+8, 16+7*metrics) + labelMemory(s, most) + times(100*word, lanes, d, d)
}
