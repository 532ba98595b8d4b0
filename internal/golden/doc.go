// Package golden compares what a test produced with a file kept under testdata.
//
//	func TestTable(t *testing.T) {
//		golden.Equal(t, "testdata/table.golden", render(table))
//	}
//
// When the two differ the test fails and prints a diff. Run the tests of the
// package with -update to rewrite its golden files, then review the change as
// part of the commit:
//
//	go test ./results -update
//
// The flag exists only in the test binaries of packages that import golden;
// the others reject it as undefined, so name the packages to rewrite.
package golden
