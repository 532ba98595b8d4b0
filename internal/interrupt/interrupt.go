// Package interrupt knows the signals that end a command with what is finished
// kept: an interrupt from the keyboard, a request to terminate, and the loss of the
// terminal.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
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
	ctx, stop = signal.NotifyContext(parent, signals...)
	current.Store(&ctx)
	return ctx, stop
}

var current atomic.Pointer[context.Context]

// Current is the context of the last Notify: that of the command, for reads that
// may wait and are far from it.
func Current() context.Context {
	if ctx := current.Load(); ctx != nil {
		return *ctx
	}
	return context.Background()
}

// Insist restores what the signals do by themselves, so that a second one ends the
// program at once. A second hangup does not: a terminal that goes may send
// one, and the shell in it another.
func Insist(stop context.CancelFunc) {
	signal.Ignore(syscall.SIGHUP)
	stop()
}
