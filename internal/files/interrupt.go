package files

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// Interruptible returns a context that ends at the first SIGINT, SIGTERM or SIGHUP, as that of
// signal.NotifyContext does. A SIGHUP that is ignored, as under nohup, stays ignored.
func Interruptible(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, end := signal.NotifyContext(parent, signals...)
	current.Store(&ctx)
	return ctx, func() {
		if ctx.Err() == nil { // the end of a command is no signal
			current.CompareAndSwap(&ctx, nil)
		}
		end()
	}
}

var current atomic.Pointer[context.Context]

// Context returns the context of the last Interruptible that was not stopped before a signal, for reads that may block for ever.
func Context() context.Context {
	if ctx := current.Load(); ctx != nil {
		return *ctx
	}
	return context.Background()
}

// RestoreSignals restores the default actions of the signals, so that a second one ends the program
// at once. It ignores SIGHUP from then on: a closing terminal and its shell may both send one.
func RestoreSignals(stop context.CancelFunc) {
	signal.Ignore(syscall.SIGHUP)
	stop()
}
