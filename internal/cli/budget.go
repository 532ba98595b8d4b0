package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"r2lmlbench/experiments/method"
)

// budget adds the flags that bound a grid point to cmd.
func budget(cmd *cobra.Command) *method.Budget {
	var b method.Budget
	cmd.Flags().DurationVar(&b.Time, "point-time", 0, "most time a grid point may take, such as 10m; a cell that needs more fails (default none)")
	cmd.Flags().Var((*size)(&b.Memory), "point-memory", "most memory a grid point may take, such as 2GiB; a cell that needs more fails (default none)")
	return &b
}

// size is the value of a flag in bytes.
type size int64

// Type implements pflag.Value.
func (s *size) Type() string { return "SIZE" }

// String implements pflag.Value.
func (s *size) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Set reads a whole number of bytes, or of KiB, MiB, GiB or TiB.
func (s *size) Set(text string) error {
	digits := strings.TrimRight(text, "KMGTiB")
	shift, ok := map[string]int{"": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40, "K": 10, "M": 20, "G": 30, "T": 40}[text[len(digits):]]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !ok || n < 1 || n > math.MaxInt64>>shift {
		return fmt.Errorf("want a size such as 512MiB or 2GiB")
	}
	*s = size(n << shift)
	return nil
}
