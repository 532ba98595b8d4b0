package report

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"r2lmlbench/internal/fixture"
)

// An element is one of an SVG that a reader can point at: what its title says, and where
// its disc is.
type element struct {
	Title  string `xml:"title"`
	Circle struct {
		X float64 `xml:"cx,attr"`
		Y float64 `xml:"cy,attr"`
	} `xml:"circle"`
	Path struct {
		D string `xml:"d,attr"`
	} `xml:"path"`
}

// elementsOf reads an SVG, which must be well-formed.
func elementsOf(t *testing.T, svg []byte) (marks []element) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return marks
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "g" {
			marks = append(marks, element{})
			err = d.DecodeElement(&marks[len(marks)-1], &start)
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
	}
}

func figure(t *testing.T, panels ...Panel) Figure {
	t.Helper()
	f, ok := Chart{Name: "x", Title: "Title", Panels: panels}.Figure()
	if !ok {
		t.Fatal("there is no figure")
	}
	return f
}

func points(xy ...float64) []Point {
	var all []Point
	for i := 0; i+1 < len(xy); i += 2 {
		all = append(all, Point{X: xy[i], Y: xy[i+1]})
	}
	return all
}

func TestChartPlaces(t *testing.T) {
	marks := elementsOf(t, figure(t, Panel{X: Axis{Label: "x"}, Y: Axis{Label: "y"}, Series: []Series{{Points: points(1, 10, 2, 20, 4, 15, math.NaN(), 3)}}}).SVG)
	if len(marks) != 3 {
		t.Fatalf("%d marks of 3 points and one that is missing", len(marks))
	}
	a, b, c := marks[0].Circle, marks[1].Circle, marks[2].Circle
	if !(b.Y < c.Y && c.Y < a.Y) {
		t.Errorf("10, 20 and 15 are at heights %g, %g, %g from the top", a.Y, b.Y, c.Y)
	}
	if near := math.Abs((c.X - b.X) - 2*(b.X-a.X)); !(a.X < b.X) || near > 0.2 {
		t.Errorf("1, 2 and 4 are at %g, %g, %g", a.X, b.X, c.X)
	}
	ends := append(points(1, 10, 1, 20), Point{X: 2, Y: 15, Low: 10, High: 20})
	marks = elementsOf(t, figure(t, Panel{Series: []Series{{Points: ends}}}).SVG)
	if at := fmt.Sprintf("M%g %gL%[1]g %[3]g", marks[2].Circle.X, marks[0].Circle.Y, marks[1].Circle.Y); marks[2].Path.D != at {
		t.Errorf("%v is not %s", marks, at)
	}
	marks = elementsOf(t, figure(t, Panel{X: Axis{Log: true}, Series: []Series{{Points: points(0, 1, 0.1, 1, 1, 1, 10, 1)}}}).SVG)
	for i := 1; i < len(marks); i++ {
		if step := marks[i].Circle.X - marks[i-1].Circle.X; math.Abs(step-(marks[1].Circle.X-marks[0].Circle.X)) > 0.2 || step <= 0 {
			t.Errorf("0 and powers of ten are not at equal steps: %v", marks)
		}
	}
}

// Both axes of a plane have one scale, so that a square is a square.
func TestChartEqual(t *testing.T) {
	p := Panel{Equal: true, Series: []Series{{Points: []Point{{Name: "one", Label: true}, {X: 3, Name: "two", Label: true}, {X: 3, Y: 3}}}}}
	marks := elementsOf(t, figure(t, p).SVG)
	a, b, c := marks[0].Circle, marks[1].Circle, marks[2].Circle
	if wide, high := b.X-a.X, b.Y-c.Y; math.Abs(wide-high) > 0.2 || wide < 50 {
		t.Errorf("a square is %g wide and %g high", wide, high)
	}
	flat := elementsOf(t, figure(t, Panel{Equal: true, Series: []Series{{Points: points(0, 0, 4, 0, 0, 4, 0, 8)}}}).SVG)
	if left, right := flat[0].Circle.X, flat[1].Circle.X; math.Abs((left+right)/2-(a.X+b.X)/2) > 3 {
		t.Errorf("points from %g to %g are not in the middle", left, right)
	}
}

func TestChartRows(t *testing.T) {
	p := Panel{
		X: Axis{Label: "rank"}, Names: []string{"first", "second", "third"}, Bars: [][2]int{{0, 1}},
		Series: []Series{{Points: []Point{{X: 1, Y: 0}, {X: 2, Y: 1, Low: 1.5, High: 3}, {X: 3, Y: 2}, {X: 3, Y: 2}}}},
	}
	f := figure(t, p)
	marks := elementsOf(t, f.SVG)
	if a, b, c := marks[0].Circle, marks[1].Circle, marks[2].Circle; !(a.X < b.X && b.X < c.X && a.Y < b.Y && b.Y < c.Y) {
		t.Errorf("rows with growing values are at %v, %v, %v", a, b, c)
	}
	fixture.Equal(t, "two dots are at one place", marks[2].Circle == marks[3].Circle, false)
	var low, high, y float64
	if n, _ := fmt.Sscanf(marks[1].Path.D, "M%f %fL%f", &low, &y, &high); n != 3 ||
		!(marks[0].Circle.X < low && low < marks[1].Circle.X && high > marks[1].Circle.X) ||
		math.Abs(high-marks[2].Circle.X) > 0.2 {
		t.Errorf("the interval from 1.5 to 3 goes from %g to %g", low, high)
	}
	fixture.Has(t, "the words", f.Alt, "a bar joins first to second")
}

// everyKind has panels of each kind with these names and numbers.
func everyKind(name string, x ...float64) [][]Panel {
	var onRows, inPlane []Point
	names := make([]string, len(x))
	for i, v := range x {
		onRows = append(onRows, Point{X: v, Y: float64(i), Low: v - 1, High: v + 1, Name: name})
		inPlane = append(inPlane, Point{X: v, Y: x[len(x)-1-i], Name: name, Label: i%2 == 0})
		names[i] = name
	}
	var all [][]Panel
	for _, log := range []bool{false, true} {
		a := Axis{Label: name, Log: log}
		series := []Series{{Name: name, Line: true, Points: inPlane}, {Name: "other", Look: Square, Points: inPlane}}
		all = append(all, []Panel{{Title: name, X: a, Y: a, Series: series}, {X: a, Y: a, Series: series, Wide: true, Equal: true}},
			[]Panel{{Title: name, X: a, Names: names, Series: []Series{{Name: name, Points: onRows}}, Bars: [][2]int{{0, 1}}}})
	}
	return all
}

func TestChartCSVHasEveryNumber(t *testing.T) {
	numbers, ranges := []float64{0.5, 1234.5, 17}, map[bool]bool{} // of lines and of points
	for _, panels := range everyKind("=name", numbers...) {
		panels[0].Lines = []Reference{{X: 0.5, To: 17}, {X: 17}}
		records := fixture.Must(csv.NewReader(bytes.NewReader(figure(t, panels...).CSV)).ReadAll())(t)
		all := slices.Concat(records...)
		for _, x := range numbers {
			fixture.Equal(t, fmt.Sprintf("%v has %g", panels[0].Names, x), slices.Contains(all, strconv.FormatFloat(x, 'g', 6, 64)), true)
		}
		for _, r := range records[1:] { // the end of a range is not below its begin
			low, high := 0.0, 0.0
			fmt.Sscan(r[7]+" "+r[8], &low, &high)
			if ranges[r[1] == "line"] = ranges[r[1] == "line"] || low < high; low > high {
				t.Errorf("from %v to %v", low, high)
			}
		}
		fixture.Equal(t, "a field is a formula", slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, "=") }), false)
	}
	fixture.Equal(t, "kinds of ranges", fmt.Sprint(ranges), "map[false:true true:true]")
}

// Names and numbers of any kind leave a file well-formed, its coordinates numbers.
func TestChartHostile(t *testing.T) {
	wild := []float64{0, -1, 1e308, -1e308, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1), 3}
	for _, name := range []string{"<script>&\"'", "a\x00b\u202ec\ufffe", strings.Repeat("名前", 300), "", "ITML:15"} {
		for _, numbers := range [][]float64{wild, {1e-9, 1e-9}, {7, 7}, {0, 1e300}, {1, 2, 3}} {
			for _, panels := range everyKind(name, numbers...) {
				f := figure(t, panels...)
				elementsOf(t, f.SVG)
				if again := figure(t, panels...); !bytes.Equal(f.SVG, again.SVG) || !bytes.Equal(f.CSV, again.CSV) {
					t.Fatalf("%v: equal charts have other bytes", panels)
				}
				fixture.Lacks(t, "the SVG", string(f.SVG), `="NaN`, `="-Inf`, `="+Inf`, "MNaN", "LNaN", "e+", "<script")
			}
		}
	}
}

func TestChartNothing(t *testing.T) {
	for _, panels := range [][]Panel{nil, {{}}, {{Names: []string{"a"}}}, {{Series: []Series{{Points: points(1, math.NaN())}}}}} {
		if f, ok := (Chart{Panels: panels}).Figure(); ok {
			t.Errorf("%v has a figure: %s", panels, f.SVG)
		}
	}
}

// A legend names each look of each name once, if it has two entries or more.
func TestChartLegend(t *testing.T) {
	for _, c := range []struct {
		names string
		looks []int
		want  string
	}{{"a", []int{0}, ""}, {"aa", []int{0, 0}, ""}, {"ab", []int{0, 0}, "ab"}, {"aa", []int{0, 1}, "aa"}, {"aba", []int{0, 1, 0}, "ab"}} {
		var p Panel
		for i, look := range c.looks {
			p.Series = append(p.Series, Series{Name: c.names[i : i+1], Look: look, Points: points(1, float64(i))})
		}
		var named strings.Builder
		for _, one := range regexp.MustCompile(`>([ab])</text>`).FindAllSubmatch(figure(t, p).SVG, -1) {
			named.Write(one[1])
		}
		fixture.Equal(t, fmt.Sprint(c.names, c.looks), named.String(), c.want)
	}
}

// Series are told apart without color: no two looks have one mark.
func TestChartLooks(t *testing.T) {
	seen := map[string]bool{}
	for i, l := range looks {
		if key := fmt.Sprint(l.mark, l.open); seen[key] {
			t.Errorf("look %d has the mark of another", i)
		} else {
			seen[key] = true
		}
	}
}

func TestChartTicks(t *testing.T) {
	for power := -12; power < 12; power++ {
		for _, factor := range []float64{1, 1.3, 4.7, 9.99} {
			for _, log := range []bool{false, true} {
				low := math.Pow10(power)
				s := newScale(Axis{Log: log}, []float64{low, low * (1 + factor)}, 0, 100)
				if n := len(s.ticks); n < 2 || n > 8 || !slices.IsSorted(s.ticks) || s.at(s.ticks[0]) < 0 || s.at(s.ticks[n-1]) > 100 {
					t.Errorf("ticks from %g to %g (logarithmic: %t) are %v", low, low*(1+factor), log, s.ticks)
				}
			}
		}
	}
}

func TestChartNumbers(t *testing.T) {
	for x, want := range map[float64]string{0: "0", -20: "−20", 0.01: "0.01", 1e-4: "1e-4", 10000: "10000", 1e6: "1e6", 61.2349: "61.23", -0.00004: "−4e-5"} {
		fixture.Equal(t, fmt.Sprint(x), short(x), want)
	}
}

// A name that is cut says so, and keeps what is behind its colon.
func TestNamesAreCut(t *testing.T) {
	for _, tail := range []string{"", ": 15"} {
		cut := fit("a name of many letters"+tail, 80)
		if !strings.HasSuffix(cut, "…"+tail) || width(cut) > 80 || len(cut) < 8 {
			t.Errorf("%q", cut)
		}
	}
}

// Names of points that crowd do not stand on each other.
func TestChartLabels(t *testing.T) {
	var all []Point
	for i := range 18 {
		all = append(all, Point{X: float64(i % 5), Y: float64(i * i % 7), Name: fmt.Sprint("method ", i), Label: true})
	}
	var d drawing
	Panel{Series: []Series{{Points: all}}, Wide: true}.drawPlane(&d)
	var taken []box
	for _, line := range strings.Split(d.b.String(), "\n") {
		var x, y float64
		at, name, found := strings.Cut(line, `">method`)
		if n, _ := fmt.Sscanf(at, `<text class="am" x="%f" y="%f`, &x, &y); n != 2 || !found {
			continue
		}
		half := width("method"+strings.TrimSuffix(name, "</text>"))/2 - 0.2
		b := box{x - half, y - 9.8, x + half, y + 1.8}
		if slices.ContainsFunc(taken, b.meets) {
			t.Errorf("%s stands on another name", line)
		}
		taken = append(taken, b)
	}
	if len(taken) < 9 {
		t.Errorf("%d of 18 names are there", len(taken))
	}
}

// Numbers below an axis do not stand on each other.
func TestChartTickLabels(t *testing.T) {
	label := regexp.MustCompile(`<text [^>]*x="([0-9.]+)"[^>]*>([^<]+)</text>`)
	crowded := false
	for power := -6; power < 7; power++ {
		var d drawing
		s := newScale(Axis{}, []float64{math.Pow10(power), 1.5 * math.Pow10(power)}, 0, 60)
		s.draw(&d, "", 0, 100, false)
		end, texts := math.Inf(-1), label.FindAllStringSubmatch(d.b.String(), -1)
		for _, one := range texts {
			at, half := fixture.Must(strconv.ParseFloat(one[1], 64))(t), width(one[2])/2
			if at-half < end {
				t.Errorf("%q stands on the number before it", one[0])
			}
			end = at + half
		}
		crowded = crowded || len(texts) < len(s.ticks)
	}
	if !crowded {
		t.Error("there is room for every number")
	}
}
