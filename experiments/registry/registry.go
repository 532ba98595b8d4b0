// Package registry lists the methods of the program, with estimates of the work and the memory
// of a fit.
package registry

import (
	"r2lmlbench/baselines"
	"r2lmlbench/experiments/external"
	"r2lmlbench/experiments/method"
	"r2lmlbench/experiments/published"
	"r2lmlbench/r2lml"
)

// Methods is the registry: the paper's methods in its column order, then those
// beyond it. A new method is one line here, one file in baselines/ and a stanza
// in a spec.
var Methods = []method.Method{
	method.New(published.Euclidean, "Euclidean", r2lml.Singly[baselines.Euclidean],
		method.About{Minimizes: "nothing: distances are Euclidean",
			Source: "5-NN on the features as they are", Complexity: "no fit; O(ND) a query", Version: 1, Scope: method.NothingLearned,
			Invariances: bySimilarity, Work: euclideanWork, Memory: euclideanMemory}),
	method.New("itml", "ITML", baselines.FitGrid[baselines.ITML],
		method.About{Minimizes: "tr A − log det A − D + γ Σ_c [ξ_c/b_c − log(ξ_c/b_c) − 1], " +
			"with similar pairs within and dissimilar ones beyond b_c ξ_c",
			Source: "Davis et al., ICML 2007; the published MATLAB routines", Complexity: "O(D²) a projection", Stochastic: true, Version: 1,
			Scope: method.Global, Invariances: fromIdentity, Work: itmlWork, Memory: itmlMemory}),
	method.New("lmnn", "LMNN", r2lml.Singly[baselines.LMNN],
		method.About{Minimizes: "½ Σ d(i, j) + ½ Σ [1 + d(i, j) − d(i, l)]₊ over target neighbors j and samples l of other classes",
			Source: "Weinberger and Saul, JMLR 10 (2009); toolbox 2.1-2.3", Complexity: "O(N²D) an iteration", Stochastic: true, Version: 1,
			Scope: method.Global, Invariances: fromIdentity, Work: lmnnWork, Memory: singly(lmnnMemory)}),
	method.New("lmnn-mm", "LMNN-MM", baselines.FitGrid[baselines.LMNNMM],
		method.About{Minimizes: "LMNN's sum, with a metric for every class, from LMNN's on",
			Source: "Weinberger and Saul, JMLR 10 (2009); toolbox 2.1-2.3", Complexity: "O(N²D + CND² + CD³) an iteration", Stochastic: true,
			Version: 1, Scope: method.ClassWise, Invariances: fromIdentity, Work: lmnnMMWork, Memory: lmnnMMMemory}),
	method.New("glml", "GLML", baselines.FitGrid[baselines.GLML],
		method.About{Minimizes: "(tr A⁻¹B)² at every query, with |A| = 1: the bias of the nearest-neighbor error that comes from few samples",
			Source: "Noh, Zhang and Lee, NIPS 2010", Complexity: "O(ND² + CD³) a fit; O(C²D² + D³ + ND²) a query", Version: 1, Scope: method.Local,
			Metric: method.QueryMetric, Invariances: bySimilarity, Work: glmlWork, Memory: glmlMemory}),
	method.New("plml", "PLML", baselines.FitGrid[baselines.PLML],
		method.About{Minimizes: "hinge losses of triplets under Σ_b W_ib M_b, with weights W that vary smoothly between neighbors",
			Source: "Wang, Woznica and Kalousis, NIPS 2012", Complexity: "O(m(13ND² + D³)) an iteration with m anchors", Stochastic: true,
			Version: 1, Scope: method.Local, Invariances: standardizedInvariances, Work: plmlWork, Memory: singly(plmlMemory)}),
	method.New(published.Transductive, "T-R2LML", r2lml.FitTransductive,
		method.About{Minimizes: "E-R2LML's sum over training and query samples together, with the unknown s_mn as variables",
			Source: "the paper, Eq. 3; yinjiehuang/R2LMTL", Complexity: "O(K((N+M)²D + D³)) an iteration", Stochastic: true, Transductive: true,
			Version: 1, Scope: method.Local, Proposed: true, Objective: true,
			Invariances: r2lmlInvariances, Work: transductiveWork, Memory: transductiveMemory}),
	method.New(published.Efficient, "E-R2LML", r2lml.FitEfficient,
		method.About{Minimizes: "Σ_k Σ_mn [s_mn g_m g_n E_mn + C (1 − s_mn) [1 − E_mn]₊] + λ Σ_k ‖L_k‖_*, with E_mn = ‖L_k (x_m − x_n)‖²",
			Source: "the paper, Eq. 4; yinjiehuang/R2LML", Complexity: "O(K(N²D + D³)) an iteration", Stochastic: true, Version: 1,
			Scope:    method.Local,
			Proposed: true, Objective: true, Invariances: r2lmlInvariances, Work: efficientWork, Memory: efficientMemory}),
	method.New("nca", "NCA", r2lml.Singly[baselines.NCA],
		method.About{Minimizes: "−Σ_i p_i: the chance that sample i picks a neighbor of its class, which falls with the distance, is made large",
			Source: "Goldberger et al., NIPS 2004", Complexity: "O(N²D) an evaluation", Version: 2, Scope: method.Global,
			Invariances: ncaInvariances, Work: ncaWork, Memory: ncaMemory}),
	method.New("rca", "RCA", r2lml.Singly[baselines.RCA],
		method.About{Minimizes: "in closed form: the inverse of the pooled covariance within the classes",
			Source: "Bar-Hillel et al., ICML 2003", Complexity: "O(ND² + D³)", Version: 2, Scope: method.Global,
			Invariances: rcaInvariances, Work: rcaWork, Memory: scatterMemory}),
	method.New("dann", "DANN", r2lml.Singly[baselines.DANN],
		method.About{Minimizes: "in closed form, around each query: W^-½ (W^-½ B W^-½ + ε I) W^-½ of covariances within and between classes",
			Source: "Hastie and Tibshirani, IEEE PAMI 18(6), 1996", Complexity: "no fit; O(nD² + D³ + ND²) a query with n neighbors", Version: 1,
			Scope:  method.Local,
			Metric: method.QueryMetric, Invariances: bySimilarity, Work: dannWork, Memory: dannMemory}),
	method.New("scml-local", "SCML-local", baselines.FitGrid[baselines.SCML],
		method.About{Minimizes: "hinge losses of triplets and β ‖A‖₂₁, with metric Σ_b w_b(x) b bᵀ whose weights vary with the sample",
			Source:     "Shi, Bellet and Sha, AAAI 2014; bellet/SCML",
			Complexity: "O(1) of N a step of stochastic descent; O(NB) a query with B directions", Stochastic: true, Version: 1,
			Scope: method.Local, Invariances: standardizedInvariances, Work: scmlLocalWork, Memory: singly(scmlLocalMemory)}),
	method.New("kissme", "KISSME", baselines.FitGrid[baselines.KISSME],
		method.About{Minimizes: "in closed form: S⁻¹ − λ D⁻¹ of similar and dissimilar pairs, without its negative part",
			Source: "Köstinger et al., CVPR 2012; all pairs", Complexity: "O(ND² + D³)", Version: 1, Scope: method.Global,
			Discriminant: true, Invariances: bySimilarity, Work: kissmeWork, Memory: scatterMemory}),
	method.New("lfda", "LFDA", baselines.FitGrid[baselines.LFDA],
		method.About{Minimizes: "the scatter within classes against that between them, where far pairs of one class count less",
			Source: "Sugiyama, JMLR 8 (2007)", Complexity: "O(Σn_c²D + ND² + D³)", Version: 1, Scope: method.Global,
			Invariances: bySimilarity, Work: lfdaWork, Memory: lfdaMemory}),
	method.New("gmml", "GMML", baselines.FitGrid[baselines.GMML],
		method.About{Minimizes: "tr(M S) + tr(M⁻¹ D) of similar and dissimilar pairs, for t = 1/2",
			Source: "Zadeh, Hosseini and Sra, ICML 2016; all pairs", Complexity: "O(ND² + D³)", Version: 1, Scope: method.Global,
			Invariances: bySimilarity, Work: gmmlWork, Memory: scatterMemory}),
	method.New("dmlmj", "DMLMJ", baselines.FitGrid[baselines.DMLMJ],
		method.About{Minimizes: "minus the Jeffrey divergence between differences to near samples of the same and of other classes",
			Source: "Nguyen, Morell and De Baets, Pattern Recognition 64 (2017)", Complexity: "O(N²D + D³)", Version: 1,
			Scope: method.Global, Invariances: bySimilarity, Work: dmlmjWork, Memory: singly(dmlmjMemory)}),
	method.New("rfm", "RFM", baselines.FitGrid[baselines.RFM],
		method.About{Minimizes: "the error of kernel ridge regression; the metric is the mean outer product of its gradients, again and again",
			Source: "Radhakrishnan et al., Science 383 (2024); its metric", Complexity: "O(N³ + N²(D + C) + NCD²) an iteration", Version: 1,
			Scope: method.Global, Invariances: bySimilarity, Work: rfmWork, Memory: rfmMemory}),
	method.New("scml-global", "SCML-global", baselines.FitGrid[baselines.SCMLGlobal],
		method.About{Minimizes: "β Σ_b w_b + the mean over triplets of [1 + Σ_b w_b δ_b]₊, with metric Σ_b w_b b bᵀ and w ≥ 0",
			Source: "Shi, Bellet and Sha, AAAI 2014; bellet/SCML", Complexity: "O(B) a step of dual averaging with B directions",
			Stochastic: true, Version: 1, Scope: method.Global, Rescales: true, Invariances: standardizedInvariances, Work: scmlGlobalWork,
			Memory: singly(scmlGlobalMemory)}),
	method.New("manhattan", "Manhattan", r2lml.Singly[baselines.Manhattan],
		method.About{Minimizes: "nothing: distances are sums of absolute differences",
			Source: "5-NN on the features as they are", Complexity: "no fit; O(ND) a query", Version: 1, Scope: method.NothingLearned,
			Metric: method.QueryMetric, Invariances: manhattanInvariances, Work: manhattanWork, Memory: manhattanMemory}),
	method.New("cosine", "Cosine", r2lml.Singly[baselines.Cosine],
		method.About{Minimizes: "nothing: distances grow with the angle at the origin",
			Source: "5-NN on the features scaled to length 1", Complexity: "no fit; O(ND) a query", Version: 1, Scope: method.NothingLearned,
			Rescales: true, Invariances: cosineInvariances, Work: euclideanWork, Memory: cosineMemory}),
	method.New("weighted", "Weighted", r2lml.Singly[baselines.Euclidean],
		method.About{Minimizes: "nothing: distances are Euclidean, and a neighbor's vote counts 1/distance",
			Source: "5-NN, votes of 1/distance as in scikit-learn", Complexity: "no fit; O(ND) a query", Version: 1,
			Scope: method.NothingLearned, Weights: r2lml.DistanceWeights, Invariances: bySimilarity, Work: euclideanWork, Memory: euclideanMemory}),
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
