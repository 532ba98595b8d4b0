package files

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// Interruptible returns a context that ends at the first interrupt from the keyboard, request
// to terminate, or loss of the terminal, like that of signal.NotifyContext. An ignored hangup,
// as under nohup, stays ignored.
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

// Context returns the context of the last Interruptible, the one of the command. Reads that may
// block for ever use it.
func Context() context.Context {
	if ctx := current.Load(); ctx != nil {
		return *ctx
	}
	return context.Background()
}

// RestoreSignals restores the default actions of the signals, so that a second one ends the
// program at once. It ignores hangups from then on: a closing terminal may send one, and its
// shell another.
func RestoreSignals(stop context.CancelFunc) {
	signal.Ignore(syscall.SIGHUP)
	stop()
}
