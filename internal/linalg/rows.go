package linalg

import (
	"context"
	"iter"
)

// rowsAtOnce is the number of rows between two checks of a context. A row of 100,000
// distances of 50 features takes 5 ms.
const rowsAtOnce = 8

// Rows yields 0 to n-1 and stops early when ctx ends. The result of a loop over it is
// complete only if ctx has not ended.
func Rows(ctx context.Context, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if i%rowsAtOnce == 0 && ctx.Err() != nil || !yield(i) {
				return
			}
		}
	}
}

// Until runs a computation that does not check a context, such as a decomposition. If ctx ends
// first, Until returns the error of ctx at once while the computation continues: the caller must
// then neither read what it writes nor write what it reads. If the computation panics, Until
// panics.
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
