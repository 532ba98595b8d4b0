package verdict

// A Rung is a step of the ladder of protocols. Each departs from the text of the
// paper in one more respect than the one before it.
type Rung int

// The rungs. A printed number gets the first that reaches it.
const (
	// Equal: no random number moves ours, and it has as many samples right.
	Equal Rung = iota
	// Stated is the stated protocol: parameters chosen on the validation samples,
	// the first best of the grid; runs over seeds.
	Stated
	// Tied is Stated with any setting that ties on the validation samples, or is one of
	// them behind the best where fewer than 60 validate.
	Tied
	// Open is Stated with another value of an open parameter, on which the text is
	// silent.
	Open
	// OnTest takes the best setting on the test samples.
	OnTest
	// OpenOnTest is Open and OnTest together.
	OpenOnTest
	rungs
)

// Rungs lists them all.
func Rungs() []Rung {
	all := make([]Rung, rungs)
	for i := range all {
		all[i] = Rung(i)
	}
	return all
}

// words are those of the verdicts, by rung.
var words = [rungs]string{
	"equal", "reproduced", "reproduced, ties", "reproduced, open setting", "reproduced by choice on test",
	"reproduced by choice on test, open setting",
}

// Word is that of the verdict on a number that the rung reaches.
func (r Rung) Word() string { return words[r] }

// protocols say what the runs of a rung did.
var protocols = [rungs]string{
	"the stated protocol, with the printed number of samples right in every run",
	"the stated protocol",
	"any setting that ties on the validation samples",
	"another value of an open parameter",
	"the best setting on the test samples",
	"the best setting on the test samples, with another value of an open parameter",
}

// Protocol says in a few words what its runs did.
func (r Rung) Protocol() string { return protocols[r] }

// The words of numbers that no rung reaches.
const (
	Above    = "printed above" // all runs there are, of whatever rung
	Below    = "printed below" // every run of the stated protocol
	Between  = "between"       // neither
	Untested = "untested"      // the stated protocol was not run
)

// Words lists the words of all verdicts, in the order of tables.
func Words() []string {
	return append(append([]string{}, words[:]...), Above, Between, Below, Untested)
}

// WideRange is how many points the runs of a rung may span before the verdict is
// marked wide.
const WideRange = 10.0

// wideMark follows the word of such a verdict.
const wideMark = " wide"
