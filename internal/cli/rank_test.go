package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
	"r2lmlbench/internal/text"
)

// TestLevelOfAnswers: within the tolerance a file of answers regresses where its losses are significant at 0.05: with none gained
// their exact p is 2^(1-n).
func TestLevelOfAnswers(t *testing.T) {
	t.Chdir(t.TempDir())
	matrix := func(wrong int) {
		lines := "item,A\n"
		for i := range 20 {
			lines += fmt.Sprintf("%d,%d\n", i, map[bool]int{true: 1}[i >= wrong])
		}
		fixture.Write(t, "answers.csv", lines)
	}
	matrix(0)
	succeed(t, "gate", "answers.csv", "--accept", "--accepted", "kept")
	for lost := range 9 {
		matrix(lost)
		code, said, _ := command(t, "gate", "answers.csv", "--accepted", "kept", "--tolerance", "100")
		fixture.Equal(t, fmt.Sprint(lost, " lost: exit code"), code, map[bool]int{true: 1}[lost >= 6])
		fixture.Equal(t, fmt.Sprint(lost, " lost: said to be regressed"), strings.Contains(said, "regressed. "), lost >= 6)
	}
}

// TestLevelOfFigure: the critical difference of a figure is that of the answer, at every level.
func TestLevelOfFigure(t *testing.T) {
	dir := t.TempDir()
	answers, figure := "dataset,item,A,B,C\n", filepath.Join(dir, "cd.tex")
	for i := range 60 {
		answers += fmt.Sprintf("d%d,%d,1,%d,%d\n", i%5, i, i%3/2, i%4/3)
	}
	for name, rows := range map[string]string{"answers.csv": answers, "scores.csv": "dataset,A,B,C\na,3.5,2.5,1.5\nb,3.5,1.5,2.5\nc,9.5,8.5,7.5\n"} {
		file := fixture.Write(t, filepath.Join(dir, name), rows)
		for _, alpha := range []string{"0.01", "0.05", "0.1"} {
			var scores struct {
				Critical float64 `json:"critical_difference"`
				Across   struct {
					Critical string `json:"critical_difference"`
				}
			}
			fixture.Check(t, json.Unmarshal([]byte(succeed(t, "rank", file, "--alpha", alpha, "--figure", figure, "--format", "json")), &scores))
			want := scores.Across.Critical
			if want == "" {
				want = text.TwoDecimals(scores.Critical)
			}
			fixture.Has(t, "the figure of "+name+" at "+alpha, fixture.Text(t, figure), "critical difference "+want)
		}
	}
}

// TestCopiesOfAFile: rows with the features of an earlier one are counted, and of them those of another class.
func TestCopiesOfAFile(t *testing.T) {
	file := fixture.Write(t, filepath.Join(t.TempDir(), "rows.csv"), "a,y\n1,u\n1,u\n1,v\n2,v\n2,v\n3,u\n")
	var shown struct {
		Files []struct {
			Rows      int `json:"duplicate_rows"`
			Conflicts int `json:"duplicate_rows_of_other"`
		}
	}
	fixture.Check(t, json.Unmarshal([]byte(succeed(t, "data", "show", file, "--label", "y", "--format", "json")), &shown))
	fixture.Equal(t, "copies, and those of another class", [2]int{shown.Files[0].Rows, shown.Files[0].Conflicts}, [2]int{3, 1})
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
