package linalg

import (
	"context"
	"iter"
)

// rowsAtOnce are the rows between two looks at a context. A row of 100,000 distances of 50
// features takes 5 ms.
const rowsAtOnce = 8

// Rows counts from 0 to n-1, and stops early when ctx ends. What a loop over it makes is
// whole only if ctx has not ended by then.
func Rows(ctx context.Context, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if i%rowsAtOnce == 0 && ctx.Err() != nil || !yield(i) {
				return
			}
		}
	}
}

// Until runs a computation that cannot look at a context, such as a decomposition, and
// waits for it. When ctx ends first it returns the error of ctx, at once: the computation
// goes on by itself, so that nothing it writes may be read afterwards, and nothing it reads
// be written. A panic of the computation is one of the caller.
func Until(ctx context.Context, compute func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ended := make(chan any, 1)
	go func() {
		defer func() { ended <- recover() }()
		compute()
	}()
	select {
	case fault := <-ended:
		if fault != nil {
			panic(fault)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
