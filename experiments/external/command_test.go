package external

import (
	"testing"

	"r2lmlbench/internal/text"
)

func TestShellText(t *testing.T) {
	for _, c := range []struct {
		command []string
		want    string
	}{
		{[]string{"python3", "./knn.py", "--k=5"}, "python3 ./knn.py --k=5"},
		{[]string{"a b"}, "'a b'"},
		{[]string{"a", "b"}, "a b"},
		{[]string{"a", "", "it's"}, `a '' 'it'\''s'`},
	} {
		if got := text.ShellCommand(c.command); got != c.want {
			t.Errorf("text.ShellCommand(%q) = %s, want %s", c.command, got, c.want)
		}
	}
}
