package results_test

import (
	"fmt"
	"testing"

	. "r2lmlbench/results"
	"r2lmlbench/results/resultstest"
)

func BenchmarkDecodeCell(b *testing.B) {
	for _, points := range []int{1, 35} {
		b.Run(fmt.Sprintf("points=%d", points), func(b *testing.B) {
			data := resultstest.MustEncode(b, resultstest.SizedCell(points, 2000))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := DecodeCell(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkKey(b *testing.B) {
	for _, points := range []int{1, 35} {
		b.Run(fmt.Sprintf("points=%d", points), func(b *testing.B) {
			in := resultstest.SizedCell(points, 10).Inputs
			b.ReportAllocs()
			for b.Loop() {
				in.Key()
			}
		})
	}
}
