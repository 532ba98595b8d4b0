//go:build !unix

package cli

func becomeOrdinary() {}
