// Package baselines holds the methods that R2LML is compared with, one file each; a longer method
// has several files that begin with its name. A method is a struct of its hyper-parameters with
// yaml tags. It implements r2lml.Method; Resolve fills in the defaults of zero fields and refuses
// values that the bounds in the tags exclude, in Go as in specs.
//
// Written as local metrics of package r2lml, r2lml.LocalMetric,
//
//	d²(q_m, x_n) = Σ_k U_mk V_nk ‖L_k (q_m − x_n)‖²
//
// they are
//
//	method      K           U (query)                              V (training)
//	Euclidean   1           1                                      1, with L the identity
//	ITML        1           1                                      1
//	LMNN        1           1                                      1
//	LMNN-MM     C           1                                      V_nk = [y_n = k]
//	PLML        anchors     weights of the nearest training sample 1
//	NCA         1           1                                      1
//	RCA         1           1                                      1
//	KISSME      1           1                                      1
//	LFDA        1           1                                      1
//	GMML        1           1                                      1
//	DMLMJ       1           1                                      1
//	RFM         1           1                                      1
//	SCML-global 1           1                                      1
//	SCML-local  directions  weights by kernel PCA scores           1, with L_k one row
//
// GLML and DANN compute a metric for every query and are no such combinations.
package baselines
