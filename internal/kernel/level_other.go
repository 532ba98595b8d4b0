//go:build !amd64 && !arm64

package kernel

// available returns the levels this machine can run, the fastest last.
func available() []*level { return []*level{&goLevel} }
