package batch

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"r2lmlbench/internal/linalg"
)

// classPairs are the similar pairs by equal labels: all pairs within a class.
// Sums over them need moments of the classes only.
type classPairs struct {
	x       *mat.Dense
	members [][]int // samples by class
}

func newClassPairs(x *mat.Dense, y []int) classPairs {
	c := classPairs{x: x}
	for i, label := range y {
		for len(c.members) <= label {
			c.members = append(c.members, nil)
		}
		c.members[label] = append(c.members[label], i)
	}
	return c
}

// scatter implements [similarPairs]. Within a class, for x shifted by any vector,
//
//	Σ_{m<n} g_m g_n (x_m − x_n)(x_m − x_n)ᵀ = (Σ g)(Σ g x xᵀ) − (Σ g x)(Σ g x)ᵀ
func (c classPairs) scatter(dst, g []float64) {
	_, d := c.x.Dims()
	clear(dst)
	second := mat.NewSymDense(d, nil)
	for _, members := range c.members {
		second.Zero()
		z := rowsOf(c.x, members)
		var total float64
		first := mat.NewVecDense(d, nil)
		for i, m := range members {
			row := mat.NewVecDense(d, z.RawRowView(i))
			total += g[m]
			first.AddScaledVec(first, g[m], row)
			second.SymRankOne(second, g[m], row)
		}
		for i := range d {
			for j := range d {
				dst[i*d+j] += total*second.At(i, j) - first.AtVec(i)*first.AtVec(j)
			}
		}
	}
}

// rowsOf returns these rows of x minus the first of them, which keeps squared
// norms small and equal rows equal; nil for no rows.
func rowsOf(x *mat.Dense, rows []int) *mat.Dense {
	if len(rows) == 0 {
		return nil
	}
	_, d := x.Dims()
	z := mat.NewDense(len(rows), d, nil)
	for i, m := range rows {
		floats.SubTo(z.RawRowView(i), x.RawRowView(m), x.RawRowView(rows[0]))
	}
	return z
}

// products implements [similarPairs]. Within a class E has rank D+2: with the
// mapped samples z minus any one of them and r = |z|²,
//
//	(E v)_m = r_m Σ v + Σ r v − 2 z_mᵀ (Σ v z)
func (c classPairs) products(l []*mat.Dense) func(dst, v []float64, k int) {
	var classes [][]mappedClass
	for _, lk := range l {
		z := linalg.MapRows(lk, c.x)
		var of []mappedClass
		for _, members := range c.members {
			of = append(of, newMappedClass(z, members))
		}
		classes = append(classes, of)
	}
	return func(dst, v []float64, k int) {
		clear(dst)
		for _, class := range classes[k] {
			class.addProduct(dst, v)
		}
	}
}

// A mappedClass holds the mapped samples of a class.
type mappedClass struct {
	members []int
	z       []float64 // rows, less the first
	r       []float64 // their squared norms
	moment  []float64 // scratch: Σ v z
}

func newMappedClass(z *mat.Dense, members []int) mappedClass {
	c := mappedClass{members: members, r: make([]float64, len(members))}
	if len(members) == 0 {
		return c
	}
	rows := rowsOf(z, members)
	_, d := rows.Dims()
	c.z, c.moment = rows.RawMatrix().Data, make([]float64, d)
	for i := range members {
		c.r[i] = dot(rows.RawRowView(i), rows.RawRowView(i))
	}
	return c
}

// addProduct adds E v of the class to dst.
func (c mappedClass) addProduct(dst, v []float64) {
	var total, weighted float64
	clear(c.moment)
	d := len(c.moment)
	for i, m := range c.members {
		total += v[m]
		weighted += c.r[i] * v[m]
		for j, z := range c.z[i*d : (i+1)*d] {
			c.moment[j] += v[m] * z
		}
	}
	for i, m := range c.members {
		dst[m] += c.r[i]*total + weighted - 2*dot(c.z[i*d:(i+1)*d], c.moment)
	}
}
