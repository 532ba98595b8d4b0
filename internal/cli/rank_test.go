package cli

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// TestLevelOfAnswers: within the tolerance a file of answers regresses where its losses are significant at 0.05: with none gained
// their exact p is 2^(1-n).
func TestLevelOfAnswers(t *testing.T) {
	t.Chdir(t.TempDir())
	for lost := range 9 {
		lines := "item,A\n"
		for i := range 20 {
			lines += fmt.Sprintf("%d,%d\n", i, map[bool]int{true: 1}[i >= lost])
		}
		fixture.Write(t, "answers.csv", lines)
		if lost == 0 {
			succeed(t, "gate", "answers.csv", "--accept", "--accepted", "kept")
		}
		code, _, _ := command(t, "gate", "answers.csv", "--accepted", "kept", "--tolerance", "100")
		fixture.Equal(t, fmt.Sprint(lost, " lost: exit code"), code, map[bool]int{true: 1}[lost >= 6])
	}
}

// TestLevelOfFigure: the critical difference of a figure is that of the answer, at every level.
func TestLevelOfFigure(t *testing.T) {
	rows, figure := "dataset,item,A,B,C\n", filepath.Join(t.TempDir(), "cd.tex")
	for i := range 60 {
		rows += fmt.Sprintf("d%d,%d,1,%d,%d\n", i%5, i, i%3/2, i%4/3)
	}
	file := fixture.Write(t, filepath.Join(t.TempDir(), "answers.csv"), rows)
	for _, alpha := range []string{"0.01", "0.05", "0.1"} {
		said := succeed(t, "rank", file, "--alpha", alpha, "--figure", figure, "--format", "json")
		m := regexp.MustCompile(`"critical_difference": "(.*)"`).FindStringSubmatch(said)
		fixture.Has(t, "the figure at "+alpha, fixture.Text(t, figure), "critical difference "+m[1])
	}
}

// TestCopiesOfAFile: rows with the features of an earlier one are counted, and of them those of another class.
func TestCopiesOfAFile(t *testing.T) {
	file := fixture.Write(t, filepath.Join(t.TempDir(), "rows.csv"), "a,y\n1,u\n1,u\n1,v\n2,v\n2,v\n3,u\n")
	said := succeed(t, "data", "show", file, "--label", "y", "--format", "json")
	fixture.Has(t, "copies, and those of another class", said, `"duplicate_rows": 3,`, `"duplicate_rows_of_other": 1,`)
}

// TestParseSize: a size is a whole number of bytes above 0, with a unit or without.
func TestParseSize(t *testing.T) {
	for size, want := range map[string]int64{
		"1": 1, "7B": 7, "3K": 3 << 10, "512MiB": 512 << 20, "2GiB": 2 << 30, "8388607TiB": 8388607 << 40,
		"": 0, "0": 0, "0GiB": 0, "-1": 0, "1.5GiB": 0, "1 MiB": 0, "GiB": 0, "1Gib": 0, "8388608TiB": 0, "1MiBK": 0,
	} {
		got, err := parseSize(size)
		fixture.Equal(t, "size "+size, got, want)
		fixture.Equal(t, "size "+size+" is refused", err != nil, want == 0)
	}
}

// TestLongestCell: a plan with costs adds up its cells, and names the time of the longest.
func TestLongestCell(t *testing.T) {
	spec := fixture.Write(t, filepath.Join(t.TempDir(), "small.yaml"), strings.Replace(small, "epochs: 1, iterations: 1", "epochs: 900, iterations: 3000", 1))
	said := succeed(t, "plan", spec, "--cost", "--results", t.TempDir())
	total, longest := 0.0, 0.0
	for _, m := range regexp.MustCompile(`(?m) miss +([0-9.]+)$`).FindAllStringSubmatch(said, -1) {
		seconds := fixture.Must(strconv.ParseFloat(m[1], 64))(t)
		total, longest = total+seconds, max(longest, seconds)
	}
	fixture.Equal(t, "one cell is not all", longest > 0 && longest < 0.9*total, true)
	m := regexp.MustCompile(`Estimated for 4 missing cells: (\d+) CPU seconds, (\d+) of them for the longest cell`).FindStringSubmatch(said)
	fixture.Near(t, "seconds of all", fixture.Must(strconv.ParseFloat(m[1], 64))(t), total, 1)
	fixture.Near(t, "seconds of the longest", fixture.Must(strconv.ParseFloat(m[2], 64))(t), longest, 1)
}
