package linalg

import (
	"context"
	"errors"
	"testing"
)

// A computation that knows nothing of a context is left behind when that ends; otherwise it
// is waited for, and its panic is the caller's.
func TestUntil(t *testing.T) {
	done := false
	if err := Until(t.Context(), func() { done = true }); err != nil || !done {
		t.Errorf("done %t, %v", done, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	if err := Until(ctx, func() { cancel(); <-release }); !errors.Is(err, context.Canceled) {
		t.Errorf("an endless computation: %v", err)
	}
	if err := Until(ctx, func() { t.Error("begun after the end") }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	defer func() {
		if recover() != "broken" {
			t.Error("the panic is lost")
		}
	}()
	Until(t.Context(), func() { panic("broken") })
}
