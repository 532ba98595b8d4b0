package experiments

import (
	"r2lmlbench/baselines"
	"r2lmlbench/r2lml"
)

// Methods is the registry: the paper's methods in its column order, then those
// beyond it. A new method is one line here, one file in baselines/ and a stanza
// in a spec.
var Methods = []Method{
	method("euclidean", "Euclidean", r2lml.Singly[baselines.Euclidean],
		About{Source: "5-NN on the features as they are", Complexity: "no fit; O(ND) a query", Version: 1, Work: euclideanWork}),
	method("itml", "ITML", baselines.FitITML,
		About{Source: "Davis et al., ICML 2007; the published MATLAB routines", Complexity: "O(D²) a projection", Stochastic: true, Version: 1, Work: itmlWork}),
	method("lmnn", "LMNN", r2lml.Singly[baselines.LMNN],
		About{Source: "Weinberger and Saul, JMLR 10 (2009); toolbox 2.1-2.3", Complexity: "O(N²D) an iteration", Stochastic: true, Version: 1, Work: lmnnWork}),
	method("lmnn-mm", "LMNN-MM", baselines.FitLMNNMM,
		About{Source: "Weinberger and Saul, JMLR 10 (2009); toolbox 2.1-2.3", Complexity: "O(N²D + CND² + CD³) an iteration", Stochastic: true, Version: 1, Work: lmnnMMWork}),
	method("glml", "GLML", baselines.FitGLML,
		About{Source: "Noh, Zhang and Lee, NIPS 2010", Complexity: "O(ND² + CD³) a fit; O(C²D² + D³ + ND²) a query", Version: 1, Metric: QueryMetric, Work: glmlWork}),
	method("plml", "PLML", baselines.FitPLML,
		About{Source: "Wang, Woznica and Kalousis, NIPS 2012", Complexity: "O(m(13ND² + D³)) an iteration with m anchors", Stochastic: true, Version: 1, Work: plmlWork}),
	method("t-r2lml", "T-R2LML", r2lml.FitTransductive,
		About{Source: "the paper, Eq. 3; yinjiehuang/R2LMTL", Complexity: "O(K((N+M)²D + D³)) an iteration", Stochastic: true, Transductive: true, Version: 1, Objective: true, Work: transductiveWork}),
	method("e-r2lml", "E-R2LML", r2lml.FitEfficient,
		About{Source: "the paper, Eq. 4; yinjiehuang/R2LML", Complexity: "O(K(N²D + D³)) an iteration", Stochastic: true, Version: 1, Objective: true, Work: efficientWork}),
	method("nca", "NCA", r2lml.Singly[baselines.NCA],
		About{Source: "Goldberger et al., NIPS 2004", Complexity: "O(N²D) an evaluation", Version: 1, Work: ncaWork}),
	method("rca", "RCA", r2lml.Singly[baselines.RCA],
		About{Source: "Bar-Hillel et al., ICML 2003", Complexity: "O(ND² + D³)", Version: 1, Work: rcaWork}),
	method("dann", "DANN", r2lml.Singly[baselines.DANN],
		About{Source: "Hastie and Tibshirani, IEEE PAMI 18(6), 1996", Complexity: "no fit; O(nD² + D³ + ND²) a query with n neighbors", Version: 1, Metric: QueryMetric, Work: dannWork}),
	method("scml-local", "SCML-local", baselines.FitSCML,
		About{Source: "Shi, Bellet and Sha, AAAI 2014; bellet/SCML", Complexity: "O(1) of N a step of stochastic descent; O(NB) a query with B directions", Stochastic: true, Version: 1, Work: scmlLocalWork}),
	{ID: "euclidean-ties", Name: "Euclidean, other ties", family: ties{},
		About: About{Source: "Euclidean under other rules for ties of distances and votes", Complexity: "no fit; O(ND + N log N) a query", Version: 1, Metric: NoMetric}},
	{ID: "external", Name: "External", family: programs{},
		About: About{Source: "any program, see CONTRIBUTING.md", Complexity: "the program's", Stochastic: true, Version: 1, Metric: NoMetric, OutOfProcess: true}},
	{ID: importedID, Name: "Imported", Imported: true, family: typed[imported]{},
		About: About{Source: "predictions made elsewhere, see `r2lmlbench import`", Complexity: "none", Stochastic: true, Version: 1, Metric: NoMetric}},
}

// FindMethod returns the method with this id.
func FindMethod(id string) (Method, bool) {
	for _, m := range Methods {
		if m.ID == id {
			return m, true
		}
	}
	return Method{}, false
}

// MethodIDs lists the registry in its order.
func MethodIDs() []string {
	ids := make([]string, len(Methods))
	for i, m := range Methods {
		ids[i] = m.ID
	}
	return ids
}
