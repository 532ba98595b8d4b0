// Package baselines holds the methods that R2LML is compared with, one file
// each. A method is a struct of its hyper-parameters with yaml tags; it
// implements r2lml.Method, and Resolve fills in the defaults of zero fields.
//
// As members of the local metric field of package r2lml,
//
//	d²(q_m, x_n) = Σ_k U_mk V_nk ‖L_k (q_m − x_n)‖²
//
// they are
//
//	method      K   U (query)   V (training)
//	Euclidean   1   1           1, with L the identity
package baselines
