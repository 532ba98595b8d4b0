package registry

import (
	"r2lmlbench/baselines"
	"r2lmlbench/experiments/external"
	"r2lmlbench/experiments/method"
	"r2lmlbench/r2lml"
	"r2lmlbench/results/published"
)

// Methods is the registry: the paper's methods in its column order, then those
// beyond it. A new method is one line here, one file in baselines/ and a stanza
// in a spec.
var Methods = []method.Method{
	method.New(published.Euclidean, "Euclidean", r2lml.Singly[baselines.Euclidean],
		method.About{Source: "5-NN on the features as they are", Complexity: "no fit; O(ND) a query", Version: 1, Scope: method.NothingLearned,
			Work: euclideanWork, Memory: euclideanMemory}),
	method.New("itml", "ITML", baselines.FitITML,
		method.About{Source: "Davis et al., ICML 2007; the published MATLAB routines", Complexity: "O(D²) a projection", Stochastic: true, Version: 1,
			Scope: method.Global, Work: itmlWork, Memory: itmlMemory}),
	method.New("lmnn", "LMNN", r2lml.Singly[baselines.LMNN],
		method.About{Source: "Weinberger and Saul, JMLR 10 (2009); toolbox 2.1-2.3", Complexity: "O(N²D) an iteration", Stochastic: true, Version: 1,
			Scope: method.Global, Work: lmnnWork, Memory: lmnnMemory}),
	method.New("lmnn-mm", "LMNN-MM", baselines.FitLMNNMM,
		method.About{Source: "Weinberger and Saul, JMLR 10 (2009); toolbox 2.1-2.3", Complexity: "O(N²D + CND² + CD³) an iteration", Stochastic: true,
			Version: 1, Scope: method.ClassWise, Work: lmnnMMWork, Memory: lmnnMMMemory}),
	method.New("glml", "GLML", baselines.FitGLML,
		method.About{Source: "Noh, Zhang and Lee, NIPS 2010", Complexity: "O(ND² + CD³) a fit; O(C²D² + D³ + ND²) a query", Version: 1, Scope: method.Local,
			Metric: method.QueryMetric, Work: glmlWork, Memory: glmlMemory}),
	method.New("plml", "PLML", baselines.FitPLML,
		method.About{Source: "Wang, Woznica and Kalousis, NIPS 2012", Complexity: "O(m(13ND² + D³)) an iteration with m anchors", Stochastic: true,
			Version: 1, Scope: method.Local, Work: plmlWork, Memory: plmlMemory}),
	method.New(published.Transductive, "T-R2LML", r2lml.FitTransductive,
		method.About{Source: "the paper, Eq. 3; yinjiehuang/R2LMTL", Complexity: "O(K((N+M)²D + D³)) an iteration", Stochastic: true, Transductive: true,
			Version: 1, Scope: method.Local, Proposed: true, Objective: true, Work: transductiveWork, Memory: transductiveMemory}),
	method.New(published.Efficient, "E-R2LML", r2lml.FitEfficient,
		method.About{Source: "the paper, Eq. 4; yinjiehuang/R2LML", Complexity: "O(K(N²D + D³)) an iteration", Stochastic: true, Version: 1,
			Scope:    method.Local,
			Proposed: true, Objective: true, Work: efficientWork, Memory: efficientMemory}),
	method.New("nca", "NCA", r2lml.Singly[baselines.NCA],
		method.About{Source: "Goldberger et al., NIPS 2004", Complexity: "O(N²D) an evaluation", Version: 1, Scope: method.Global, Work: ncaWork, Memory: ncaMemory}),
	method.New("rca", "RCA", r2lml.Singly[baselines.RCA],
		method.About{Source: "Bar-Hillel et al., ICML 2003", Complexity: "O(ND² + D³)", Version: 1, Scope: method.Global, Work: rcaWork, Memory: rcaMemory}),
	method.New("dann", "DANN", r2lml.Singly[baselines.DANN],
		method.About{Source: "Hastie and Tibshirani, IEEE PAMI 18(6), 1996", Complexity: "no fit; O(nD² + D³ + ND²) a query with n neighbors", Version: 1,
			Scope:  method.Local,
			Metric: method.QueryMetric, Work: dannWork, Memory: dannMemory}),
	method.New("scml-local", "SCML-local", baselines.FitSCML,
		method.About{Source: "Shi, Bellet and Sha, AAAI 2014; bellet/SCML",
			Complexity: "O(1) of N a step of stochastic descent; O(NB) a query with B directions", Stochastic: true, Version: 1,
			Scope: method.Local, Work: scmlLocalWork, Memory: scmlLocalMemory}),
	method.New("kissme", "KISSME", baselines.FitKISSME,
		method.About{Source: "Köstinger et al., CVPR 2012; all pairs", Complexity: "O(ND² + D³)", Version: 1, Scope: method.Global,
			Work: kissmeWork, Memory: kissmeMemory}),
	method.New("lfda", "LFDA", baselines.FitLFDA,
		method.About{Source: "Sugiyama, JMLR 8 (2007)", Complexity: "O(Σn_c²D + ND² + D³)", Version: 1, Scope: method.Global, Work: lfdaWork, Memory: lfdaMemory}),
	method.New("gmml", "GMML", baselines.FitGMML,
		method.About{Source: "Zadeh, Hosseini and Sra, ICML 2016; all pairs", Complexity: "O(ND² + D³)", Version: 1, Scope: method.Global,
			Work: gmmlWork, Memory: gmmlMemory}),
	method.New("dmlmj", "DMLMJ", baselines.FitDMLMJ,
		method.About{Source: "Nguyen, Morell and De Baets, Pattern Recognition 64 (2017)", Complexity: "O(N²D + D³)", Version: 1,
			Scope: method.Global, Work: dmlmjWork, Memory: dmlmjMemory}),
	method.New("rfm", "RFM", baselines.FitRFM,
		method.About{Source: "Radhakrishnan et al., Science 383 (2024); its metric", Complexity: "O(N³ + N²(D + C) + NCD²) an iteration", Version: 1,
			Scope: method.Global, Work: rfmWork, Memory: rfmMemory}),
	method.New("scml-global", "SCML-global", baselines.FitSCMLGlobal,
		method.About{Source: "Shi, Bellet and Sha, AAAI 2014; bellet/SCML", Complexity: "O(B) a step of dual averaging with B directions",
			Stochastic: true, Version: 1, Scope: method.Global, Work: scmlGlobalWork, Memory: scmlGlobalMemory}),
	{ID: "external", Name: "External", Family: external.Programs{},
		About: method.About{Source: "any program, see docs/methods.md", Complexity: "the program's", Stochastic: true, Version: 1, Metric: method.NoMetric,
			OutOfProcess: true}},
	{ID: external.ImportedID, Name: "Imported", Imported: true, Family: method.Typed[external.Imported]{},
		About: method.About{Source: "predictions made elsewhere, see `r2lmlbench import`", Complexity: "none", Stochastic: true, Version: 1,
			Metric: method.NoMetric}},
}

// Find returns the method with this id.
func Find(id string) (method.Method, bool) {
	for _, m := range Methods {
		if m.ID == id {
			return m, true
		}
	}
	return method.Method{}, false
}

// IDs lists the registry in its order.
func IDs() []string {
	ids := make([]string, len(Methods))
	for i, m := range Methods {
		ids[i] = m.ID
	}
	return ids
}
