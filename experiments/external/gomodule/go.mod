module example.org/mybench

go 1.26.0

require (
	gonum.org/v1/gonum v0.17.0
	r2lmlbench v0.0.0
)

replace r2lmlbench => ../../..
