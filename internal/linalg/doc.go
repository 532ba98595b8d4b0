// Package linalg holds the small pieces of linear algebra that metric learners
// share. A metric is a symmetric positive semi-definite D×D matrix A, or a
// linear map L with A = LᵀL:
//
//	d²(x, z) = (x − z)ᵀ A (x − z) = ‖L (x − z)‖²
//
// Matrices that leave the cone of such A by a step or by rounding are brought
// back through their eigenvalues. Distances between many samples are left to
// package kernel.
package linalg
