package published

import "testing"

func TestMethodName(t *testing.T) {
	for id, want := range map[string]string{
		"euclidean": "Euclidean", "euclidean-raw": "Euclidean-raw", "t-r2lml": "T-R2LML", "lmnn-mm": "LMNN-MM",
		"scml-local": "SCML-local", "scml-global-2": "SCML-global-2", "euclideans": "euclideans", "itml-raw": "ITML-raw", "my-knn": "my-knn",
	} {
		if got := MethodName(id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}
