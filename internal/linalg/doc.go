// Package linalg holds the linear algebra that metric learners share. A metric is
// a symmetric positive semi-definite D×D matrix A, or a linear map L with A = LᵀL:
//
//	d²(x, z) = (x − z)ᵀ A (x − z) = ‖L (x − z)‖²
//
// A matrix that leaves the cone of such A by a step or by rounding is projected
// back by its eigenvalues. Package kernel computes distances between many samples.
package linalg
