// Command release makes the archives of a release, and the table of licences.
//
//	go run ./internal/release -o DIR            archives of all targets, SHA256SUMS
//	go run ./internal/release -o DIR -targets linux/amd64,windows/arm64
//	go run ./internal/release -licences FILE    the table of licences alone
//	go run ./internal/release -texts FILE       the texts of the licences alone
//
// It runs at the root of the repository. An archive is r2lmlbench-VERSION-OS-ARCH.tar.gz,
// .zip for Windows, and holds one folder of that name: the program, the
// documents of the repository, the licence texts of all modules in the program
// and a software bill of materials (CycloneDX) that lists them. The version and
// the date of all files are those of CITATION.cff.
//
// The same sources give the same bytes in any directory: programs are built
// without cgo, paths (-trimpath) and revision (-buildvcs=false), for the lowest
// level of each architecture; archives have sorted names, one date and no owner.
// The Go version is part of the bytes, and the bill of materials names it.
package main
