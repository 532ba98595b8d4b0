package results

// An Outcome is what one point of a grid got in a phase: on the validation
// samples, or, for a Surface, on the test samples.
type Outcome struct {
	Phase   string    // "", the selection, or PhaseTest
	Point   int       // index in Inputs.Points
	Correct int       // validation samples it got right
	Score   string    // the metric of Inputs.Select on them as a fraction; empty for accuracy, and where it is not defined
	Test    TestCount // test samples it got right; of PhaseTest
	Failed  string    // why it has no score; empty when it has
	Log     string    // what the fit had to say
	Build   Build     // of the program that made the fit
}

// PhaseTest marks the outcome of a point on the test samples.
const PhaseTest = "test"

// A TestCount is what one point of a grid got on the test samples.
type TestCount struct {
	ByClass []int `json:"by_class"` // right ones by class, in ascending order of the labels
	Largest int   `json:"largest"`  // samples that were given the most frequent label
}

// CountTest compares predicted labels with the true ones.
func CountTest(truth, predicted []int) TestCount {
	classes := CountClasses(truth)
	count := TestCount{ByClass: make([]int, len(classes))}
	given := map[int]int{}
	for i, label := range predicted {
		given[label]++
		count.Largest = max(count.Largest, given[label])
		if k, _ := findClass(classes, label); label == truth[i] {
			count.ByClass[k]++
		}
	}
	return count
}

// Correct is the number of right answers.
func (t TestCount) Correct() int {
	sum := 0
	for _, n := range t.ByClass {
		sum += n
	}
	return sum
}
