package files

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// Interruptible returns a context that ends, as that of signal.NotifyContext, at the first
// interrupt from the keyboard, request to terminate, or loss of the terminal. A hangup that
// is ignored, as under nohup, stays ignored.
func Interruptible(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop = signal.NotifyContext(parent, signals...)
	current.Store(&ctx)
	return ctx, stop
}

var current atomic.Pointer[context.Context]

// Context is the context of the last Interruptible, which is that of the command. Reads that
// may wait for ever use it.
func Context() context.Context {
	if ctx := current.Load(); ctx != nil {
		return *ctx
	}
	return context.Background()
}

// RestoreSignals restores what the signals do by themselves, so that a second one ends the
// program at once. Hangups are ignored from then on: a terminal that closes may send one, and
// its shell another.
func RestoreSignals(stop context.CancelFunc) {
	signal.Ignore(syscall.SIGHUP)
	stop()
}
