package external

import "testing"

// TestIdentity: two settings share a process when their program, arguments, files and
// environment are the same, and never because texts look alike once they are joined.
func TestIdentity(t *testing.T) {
	of := func(digest string, env []string, argv ...string) string {
		p := program{argv: argv, path: argv[0], files: []file{{name: "./a", path: "/x/a", digest: digest}}}
		return External{Env: env, program: p}.identity()
	}
	all := map[string]string{}
	for name, id := range map[string]string{
		"two arguments":     of("1", nil, "sh", "a", "b"),
		"one, with a blank": of("1", nil, "sh", "a b"),
		"one, with a zero":  of("1", nil, "sh", "a\x00b"),
		"one, with quotes":  of("1", nil, "sh", `a" "b`),
		"an empty one":      of("1", nil, "sh", "a", "b", ""),
		"another file":      of("2", nil, "sh", "a", "b"),
		"a variable":        of("1", []string{"A"}, "sh", "a", "b"),
		"two variables":     of("1", []string{"A", "B"}, "sh", "a", "b"),
		"one for two":       of("1", []string{"A B"}, "sh", "a", "b"),
	} {
		if other, there := all[id]; there {
			t.Errorf("%s and %s have one identity: %s", name, other, id)
		}
		all[id] = name
	}
	if again := of("1", []string{"A"}, "sh", "a", "b"); all[again] != "a variable" {
		t.Error("one setting has two identities")
	}
}
