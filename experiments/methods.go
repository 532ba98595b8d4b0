package experiments

import (
	"r2lmlbench/baselines"
	"r2lmlbench/r2lml"
)

// Methods is the registry, in the paper's column order. A new method is one
// line here, one file in baselines/ and a stanza in a spec.
var Methods = []Method{
	method("euclidean", "Euclidean", r2lml.Singly[baselines.Euclidean],
		About{Source: "5-NN on the features as they are", Complexity: "no fit; O(ND) a query", Version: 1}),
	planned[itml]("itml", "ITML",
		About{Source: "Davis et al., ICML 2007", Complexity: "O(D²) a projection", Stochastic: true, Version: 1}),
	planned[lmnn]("lmnn", "LMNN",
		About{Source: "Weinberger and Saul, JMLR 10 (2009)", Complexity: "O(N²D) an iteration", Stochastic: true, Version: 1}),
	planned[lmnn]("lmnn-mm", "LMNN-MM",
		About{Source: "Weinberger and Saul, ICML 2008", Complexity: "O(N²D + CD³) an iteration", Stochastic: true, Version: 1}),
	planned[glml]("glml", "GLML",
		About{Source: "Noh, Zhang and Lee, NIPS 2010", Complexity: "O(CD³) a fit; O(C²D² + D³ + ND²) a query", Version: 1}),
	planned[plml]("plml", "PLML",
		About{Source: "Wang, Woznica and Kalousis, NIPS 2012", Complexity: "O(m(13ND² + D³)) an iteration", Stochastic: true, Version: 1}),
	method("t-r2lml", "T-R2LML", r2lml.FitTransductive,
		About{Source: "the paper, Eq. 3; yinjiehuang/R2LMTL", Complexity: "O(K(N+M)²D) an iteration", Stochastic: true, Version: 1}),
	method("e-r2lml", "E-R2LML", r2lml.FitEfficient,
		About{Source: "the paper, Eq. 4; yinjiehuang/R2LML", Complexity: "O(KN²D) an iteration", Stochastic: true, Version: 1}),
}
