// Package experiments embeds the YAML specs of the repository. A spec names data
// sets, a split and methods with the parameters to search. Package spec reads and
// checks it, plan lists its cells, run computes the cells that a store lacks, and the
// packages below results make tables and verdicts from them.
//
//	name: accuracy
//	datasets: [robot, letter]          # ids, letters or all
//	split: {rule: authors}             # or {rule: random, repeats: 20, seed: 1}
//	seeds: 1                           # fits per stochastic method
//	neighbors: 5
//	methods:
//	  - method: euclidean
//	  - method: e-r2lml
//	    params: {variant: reference}
//	    grid: {metrics: [1, 2, 3], lambda: [0.1, 1]}
//	    datasets: {robot: {step: 1e-5}, letter: {step: 1e-6}}
//	test: {pair: mcnemar-exact, correction: holm, alpha: 0.05}
//
// A grid is the cross product of its lists in file order, the first key
// varying slowest; restarts are innermost. Every setting is fitted to the
// training samples with the validation samples as queries; the first best one is
// fitted again with the test samples as queries. Package registry has one line
// per method.
package experiments
