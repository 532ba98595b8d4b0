package chart

import (
	"image/color"
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Series stand out from a white and a near-black page, and differ in grey.
func TestColors(t *testing.T) {
	luminance := func(c color.NRGBA) float64 {
		sum := 0.0
		for i, v := range []uint8{c.R, c.G, c.B} {
			x := float64(v) / 255
			if x <= 0.04045 {
				x /= 12.92
			} else {
				x = math.Pow((x+0.055)/1.055, 2.4)
			}
			sum += []float64{0.2126, 0.7152, 0.0722}[i] * x
		}
		return sum
	}
	contrast := func(a, b color.NRGBA) float64 {
		la, lb := luminance(a), luminance(b)
		return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
	}
	named := func(name string) (light, dark color.NRGBA) {
		for _, t := range themes {
			if t.name == name {
				return parsed(t.light), parsed(t.dark)
			}
		}
		t.Fatalf("no color %s", name)
		return light, dark
	}
	onLight, onDark := named("paper")
	var lastLight, lastDark color.NRGBA
	for i, name := range []string{"blue", "vermillion", "purple"} {
		light, dark := named(name)
		if a, b := contrast(light, onLight), contrast(dark, onDark); a < 3 || b < 3 {
			t.Errorf("%s: contrast %.2f in the light, %.2f in the dark", name, a, b)
		}
		if i > 0 && (contrast(lastLight, light) < 1.2 || contrast(lastDark, dark) < 1.2) {
			t.Errorf("%s and the color before it: contrast %.2f, %.2f", name, contrast(lastLight, light), contrast(lastDark, dark))
		}
		lastLight, lastDark = light, dark
	}
}

// parsed is the color of "#fff" or "#ffffff".
func parsed(text string) color.NRGBA {
	text = strings.TrimPrefix(text, "#")
	if len(text) == 3 {
		text = string([]byte{text[0], text[0], text[1], text[1], text[2], text[2]})
	}
	n, err := strconv.ParseUint(text, 16, 32)
	if err != nil {
		panic(err)
	}
	return color.NRGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 255}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0.9, 2e4, "1 10 100 1000 1e4"},
		{0.9, 2e6, "1 100 1e4 1e6"},
		{12, 60, "20 50"},
		{900, 910, "900 905 910"},
	} {
		var labels []string
		for _, tick := range logTicks(c.low, c.high) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%g to %g: %s, want %s", c.low, c.high, got, c.want)
		}
	}
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{13.6, 96.4, "20 40 60 80"}, // a step of 50 would leave one
		{0, 100, "0 50 100"},
		{5, 145, "50 100"}, // a step of 20 has seven
		{-1.1, 1.1, "−1 0 1"},
	} {
		var labels []string
		for _, tick := range PlainTicks(c.low, c.high) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%g to %g: %s, want %s", c.low, c.high, got, c.want)
		}
	}
	for x, want := range map[float64]string{
		math.Copysign(0, -1): "0", 77.5: "77.5", 0.1 + 0.2: "0.3", 1e5: "1e5", 1e-6: "1e-6", 1000: "1000", -0.5: "-0.5", 2.5e-12: "2.5e-12",
	} {
		if got := TickLabel(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"Glass", "Glass"}, {"Breast Tissue", "Breast …"}, {"a\nb\x00\u202ec", "a b  c"}, {"é\xff", "é "},
	} {
		if got := Short(c.name, 8); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}

// A name never takes more room than there is.
func TestFit(t *testing.T) {
	style := HeadingStyle()
	for _, name := range []string{strings.Repeat("W", 300), strings.Repeat("é", 1000), strings.Repeat("<x> ", 40) + "\x00"} {
		if got := Fit(name, style, NarrowRoom); style.Width(got) > NarrowRoom || !strings.HasSuffix(got, "…") || len(got) < 12 {
			t.Errorf("%q: %q is %.0f wide", name, got, style.Width(got))
		}
	}
	if got := Fit("F Image Segmentation", style, NarrowRoom); got != "F Image Segmentation" {
		t.Errorf("%q", got)
	}
}

// The style sheet of pages has all rules, and that of files no variables.
func TestRules(t *testing.T) {
	for _, want := range []string{figureRules, pageRules} {
		if !strings.Contains(Style(), want) {
			t.Errorf("no %.40q", want)
		}
	}
	if strings.Contains(FileStyle(figureRules), "var(") {
		t.Error("a color is missing")
	}
}

// A single panel has the whole width, however many would stand in a row.
func TestFewPanels(t *testing.T) {
	drawn := func(columns int) string {
		p := NewPanel("A Robot")
		AddCurve(p, Curve{Look: Look{Color: Blue, Mark: Disc}, Points: []Point{{X: 1, Y: 2}, {X: 3, Y: 5}}})
		f, err := Sheet{Columns: columns, Height: 150, Lines: 1, Panels: []*plot.Plot{p}}.Figure("one", "One", "One panel.", nil)
		if err != nil {
			t.Fatal(err)
		}
		return f.Inline
	}
	if drawn(3) != drawn(1) {
		t.Error("a panel leaves room for two others")
	}
}

// Where a sheet says so, a unit is as long on one axis as on the other, whatever the labels.
func TestEqualScales(t *testing.T) {
	var panels []*plot.Plot
	for _, span := range []float64{1, 250, 4e-7} {
		p := NewPanel("")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -span, span, 3*span, 4*span
		panels = append(panels, p)
	}
	var all [][2]float64
	for _, p := range panels {
		p.Add(probe(func(x, y float64) { all = append(all, [2]float64{x, y}) }))
	}
	if _, err := (Sheet{Columns: 3, Height: 205, Lines: 1, Panels: panels, Equal: true}).Figure("one", "One", "Panels.", nil); err != nil {
		t.Fatal(err)
	}
	if len(all) != len(panels) {
		t.Fatalf("%d panels drawn", len(all))
	}
	for i, unit := range all {
		if math.Abs(unit[0]/unit[1]-1) > 0.002 {
			t.Errorf("panel %d: a unit is %g across and %g up", i, unit[0], unit[1])
		}
	}
}

// A probe is told how long a unit of each axis is.
type probe func(x, y float64)

func (tell probe) Plot(on draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&on)
	tell(float64(x(p.X.Max)-x(p.X.Min))/(p.X.Max-p.X.Min), float64(y(p.Y.Max)-y(p.Y.Min))/(p.Y.Max-p.Y.Min))
}

// Rows of panels stand at one distance, whatever their labels are.
func TestEvenRows(t *testing.T) {
	var at []vg.Length
	var panels []*plot.Plot
	for i := range 8 {
		p := NewPanel("")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, []float64{1, 1.02, 99, 1}[i/2]
		p.Add(placed(func(low, high vg.Length) { at = append(at, low, high) }))
		if i >= 6 {
			p.X.Label.Text = "x"
		}
		panels = append(panels, p)
	}
	if _, err := (Sheet{Columns: 2, Height: 150, Lines: 1, Panels: panels}).Figure("one", "One", "Panels.", nil); err != nil {
		t.Fatal(err)
	}
	for i := 8; i < len(at); i += 4 {
		if step, first := at[i]-at[i-4], at[4]-at[0]; math.Abs(float64(step-first)) > 0.1 {
			t.Errorf("row %d is %g below the one before, the second %g", i/4+1, -step, -first)
		}
	}
}

// A placed plotter is told where its panel is.
type placed func(low, high vg.Length)

func (tell placed) Plot(on draw.Canvas, _ *plot.Plot) { tell(on.Min.Y, on.Max.Y) }

// Sizes that are remembered are those of the text handler of plots, by text and font.
func TestRememberedSizes(t *testing.T) {
	for range 2 {
		for _, txt := range []string{"", "A", "Æ–1", strings.Repeat("W", 300)} {
			for _, size := range []vg.Length{7, 12} {
				style := Writing(size, text.XLeft, text.YTop)
				for _, f := range []font.Font{style.Font, Bold(style).Font} {
					var got, want box
					got.width, got.height, got.depth = handler.Box(txt, f)
					want.width, want.height, want.depth = plot.DefaultTextHandler.Box(txt, f)
					if got != want {
						t.Errorf("%q at %v: %v, want %v", txt, f, got, want)
					}
				}
			}
		}
	}
}

// Columns of several k are cut before what tells them apart.
func TestFitKeepsK(t *testing.T) {
	style := Writing(TextSize, text.XLeft, text.YTop)
	room := style.Width("eucl…:k=13")
	if got := Fit("euclidean:k=13", style, room); got != "eucl…:k=13" || Fit("euclidean:k=1", style, 2*room) != "euclidean:k=1" {
		t.Errorf("%q", got)
	}
}
