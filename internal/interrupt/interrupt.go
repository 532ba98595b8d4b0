// Package interrupt knows the signals that end a command with what is finished
// kept: an interrupt from the keyboard, a request to terminate, and the loss of the
// terminal.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Notify returns a context that ends at the first such signal, as
// signal.NotifyContext does. A hangup that is ignored, as under nohup, stays
// ignored.
func Notify(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(parent, signals...)
}

// Insist restores what the signals do by themselves, so that a second one ends the
// program at once. A second hangup does not: a terminal that goes may send
// one, and the shell in it another.
func Insist(stop context.CancelFunc) {
	signal.Ignore(syscall.SIGHUP)
	stop()
}
