package datasets

// A tableOneRow is what the paper's Table 1 prints of a set.
type tableOneRow struct {
	letter                  string
	features, classes       int
	train, validation, test int
}

// tableOne is the paper's Table 1, as printed: Sonar's 180 included.
var tableOne = []tableOneRow{
	{"A", 4, 4, 240, 240, 4976},
	{"B", 16, 26, 520, 2600, 2600},
	{"C", 16, 10, 400, 2000, 2000},
	{"D", 12, 2, 150, 150, 2898},
	{"E", 10, 2, 300, 300, 5400},
	{"F", 18, 7, 210, 210, 1890},
	{"G", 20, 2, 250, 250, 3900},
	{"H", 20, 2, 250, 250, 3900},
	{"I", 34, 2, 80, 50, 221},
	{"J", 9, 6, 18, 18, 70},
	{"K", 30, 20, 400, 400, 640},
	{"L", 9, 6, 18, 18, 178},
	{"M", 13, 2, 40, 40, 190},
	{"N", 30, 26, 520, 3640, 3637},
	{"O", 32, 10, 400, 2400, 2820},
	{"P", 60, 2, 40, 40, 180},
	{"Q", 30, 10, 400, 4500, 4398},
	{"R", 33, 2, 20, 20, 158},
}

// What other places of the authors say where they disagree with Table 1.
const (
	releasedWineTest  = 6197 // test samples in the wine quality file they published
	optdigitsTextSize = 30   // features of Optdigits in the section on experiments
)
