package chart

import (
	"fmt"
	"html"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A canvas writes what is drawn as short SVG: coordinates are tenths, and looks are
// classes of the style sheet. It implements vg.CanvasSizer.
type canvas struct {
	b      strings.Builder
	height vg.Length
	pen
	saved []pen
	lines string // class of a path of thin lines that is open; they share one element
	key   key
}

// A key is the legend of a figure and where its elements are among those of the canvas.
type key struct {
	entries  []Entry
	from, to int
}

// A pen is the state that Push saves.
type pen struct {
	width  vg.Length
	dashes []vg.Length
	color  color.Color
	matrix [6]float64 // a point (x, y) goes to (m0 x + m2 y + m4, m1 x + m3 y + m5)
}

func newCanvas(height vg.Length) *canvas {
	c := &canvas{height: height, pen: pen{matrix: [6]float64{1, 0, 0, 1, 0, 0}}}
	vg.Initialize(c)
	return c
}

// Size implements vg.CanvasSizer.
func (c *canvas) Size() (x, y vg.Length) { return Width, c.height }

// SetLineWidth implements vg.Canvas, as the methods after it do.
func (c *canvas) SetLineWidth(w vg.Length) { c.width = w }

// SetLineDash sets the pattern; no line of ours starts inside one.
func (c *canvas) SetLineDash(pattern []vg.Length, _ vg.Length) { c.dashes = pattern }

// SetColor sets the color of lines and areas.
func (c *canvas) SetColor(to color.Color) {
	if to == nil {
		to = color.Black
	}
	c.color = to
}

// Rotate turns what is drawn from now on.
func (c *canvas) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	c.apply([6]float64{cos, sin, -sin, cos, 0, 0})
}

// Translate moves what is drawn from now on.
func (c *canvas) Translate(by vg.Point) {
	c.apply([6]float64{1, 0, 0, 1, float64(by.X), float64(by.Y)})
}

// Scale stretches what is drawn from now on.
func (c *canvas) Scale(x, y float64) { c.apply([6]float64{x, 0, 0, y, 0, 0}) }

func (c *canvas) apply(n [6]float64) {
	m := c.matrix
	c.matrix = [6]float64{
		m[0]*n[0] + m[2]*n[1], m[1]*n[0] + m[3]*n[1], m[0]*n[2] + m[2]*n[3], m[1]*n[2] + m[3]*n[3],
		m[0]*n[4] + m[2]*n[5] + m[4], m[1]*n[4] + m[3]*n[5] + m[5],
	}
}

// Push saves the state.
func (c *canvas) Push() { c.saved = append(c.saved, c.pen) }

// Pop restores it.
func (c *canvas) Pop() {
	c.pen, c.saved = c.saved[len(c.saved)-1], c.saved[:len(c.saved)-1]
}

// DrawImage draws nothing: no figure has an image.
func (c *canvas) DrawImage(vg.Rectangle, image.Image) {}

// place is a point in tenths of the units of the SVG, whose origin is at the top.
func (c *canvas) place(p vg.Point) (x, y int) {
	m := c.matrix
	px, py := float64(p.X), float64(p.Y)
	return int(math.Round(10 * (m[0]*px + m[2]*py + m[4]))), int(math.Round(10 * (float64(c.height) - m[1]*px - m[3]*py - m[5])))
}

// tenths writes a number of them.
func tenths(n int) string {
	s := strconv.FormatFloat(float64(n)/10, 'f', -1, 64)
	if strings.HasPrefix(s, "0.") || strings.HasPrefix(s, "-0.") {
		return strings.Replace(s, "0.", ".", 1)
	}
	return s
}

// colorClasses are the classes of colors, of which ink has none.
var colorClasses = map[color.NRGBA]string{Ink: "", Blue: "b", Vermillion: "v", Purple: "p"}

// paint is the class of the pen's color, and the attributes that no class has.
func (c *canvas) paint(class string) (classes, attributes string) {
	solid := color.NRGBAModel.Convert(c.color).(color.NRGBA)
	alpha := solid.A
	solid.A = 255
	name, known := colorClasses[solid]
	if !known {
		attributes = fmt.Sprintf(` color="#%02x%02x%02x"`, solid.R, solid.G, solid.B)
	}
	switch {
	case alpha == Faint.A:
		name += " q"
	case alpha < 255:
		attributes += fmt.Sprintf(` opacity="%.2g"`, float64(alpha)/255)
	}
	return strings.Join(strings.Fields(class+" "+name), " "), attributes
}

// Stroke draws lines.
func (c *canvas) Stroke(p vg.Path) {
	if c.width <= 0 || len(p) == 0 {
		return
	}
	class, extra := "w", ""
	switch c.width {
	case LineWidth:
		class = "s"
	case ThinWidth:
		class = "t"
	default:
		extra = fmt.Sprintf(` stroke-width="%s"`, tenths(int(math.Round(10*float64(c.width)))))
	}
	switch {
	case len(c.dashes) == 0:
	case slices.Equal(c.dashes, Dashed):
		class += " d"
	case slices.Equal(c.dashes, Dotted):
		class += " o"
	default:
		var all []string
		for _, d := range c.dashes {
			all = append(all, tenths(int(math.Round(10*float64(d)))))
		}
		extra += fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(all, " "))
	}
	classes, attributes := c.paint(class)
	c.shape(classes, extra+attributes, p)
}

// Fill draws an area.
func (c *canvas) Fill(p vg.Path) {
	if len(p) == 0 {
		return
	}
	classes, attributes := c.paint("")
	c.shape(classes, attributes, p)
}

// shape writes an element. Thin lines of one look that follow each other are one path.
func (c *canvas) shape(classes, attributes string, p vg.Path) {
	if classes != "" {
		attributes = ` class="` + classes + `"` + attributes
	}
	if len(p) <= 3 && p[len(p)-1].Type == vg.CloseComp && slices.ContainsFunc(p, isArc) {
		c.close()
		c.circle(attributes, p)
		return
	}
	if c.lines != attributes || !strings.HasPrefix(classes, "t") {
		c.close()
		fmt.Fprintf(&c.b, `<path%s d="`, attributes)
	}
	c.path(p)
	c.lines = attributes
	if !strings.HasPrefix(classes, "t") {
		c.b.WriteString("\"/>\n")
		c.lines = ""
	}
}

// close ends a path of thin lines.
func (c *canvas) close() {
	if c.lines != "" {
		c.b.WriteString("\"/>\n")
		c.lines = ""
	}
}

func isArc(one vg.PathComp) bool { return one.Type == vg.ArcComp }

// circle writes the only arc of a path, which is whole.
func (c *canvas) circle(attributes string, p vg.Path) {
	arc := p[slices.IndexFunc(p, isArc)]
	x, y := c.place(arc.Pos)
	fmt.Fprintf(&c.b, `<circle%s cx="%s" cy="%s" r="%s"/>`+"\n", attributes, tenths(x), tenths(y), tenths(int(math.Round(10*float64(arc.Radius)))))
}

// path writes the data of one: the first point as it is, the others from the one before.
func (c *canvas) path(p vg.Path) {
	var atX, atY int
	lined := false // the letter l is in force
	for _, one := range p {
		x, y := c.place(one.Pos)
		switch one.Type {
		case vg.MoveComp:
			c.b.WriteString("M" + pair(x, y))
			lined = false
		case vg.LineComp:
			switch dx, dy := x-atX, y-atY; {
			case dy == 0:
				c.b.WriteString("h" + tenths(dx))
				lined = false
			case dx == 0:
				c.b.WriteString("v" + tenths(dy))
				lined = false
			case lined && dx >= 0:
				c.b.WriteString(" " + pair(dx, dy))
			case lined:
				c.b.WriteString(pair(dx, dy))
			default:
				c.b.WriteString("l" + pair(dx, dy))
				lined = true
			}
		case vg.CloseComp:
			c.b.WriteString("z")
			lined = false
			continue
		}
		atX, atY = x, y
	}
}

// pair is two numbers with as little between them as there must be.
func pair(x, y int) string {
	if y < 0 {
		return tenths(x) + tenths(y)
	}
	return tenths(x) + " " + tenths(y)
}

// ShortText is how many characters need no width: other fonts differ by a few units there, and
// would have capitals spaced out.
const ShortText = 8

// sink is how far below its place text would look to be, as half of it stands above
// the height of a small letter.
const sink = 1

// FillString writes text with its width, to which a page without our font keeps it.
// Blank text, which keeps a place in a layout, leaves nothing in the file.
func (c *canvas) FillString(face font.Face, at vg.Point, s string) {
	w := face.Width(s)
	if face.Font.Size <= 0 || w <= 0 || strings.TrimSpace(s) == "" {
		return
	}
	c.close()
	at.Y += sink
	x, y := c.place(at)
	class := ""
	if face.Font.Weight == boldWeight {
		class = "h"
	}
	classes, attributes := c.paint(class)
	if classes != "" {
		attributes = ` class="` + classes + `"` + attributes
	}
	if face.Font.Size != TextSize {
		attributes += fmt.Sprintf(` font-size="%s"`, tenths(int(math.Round(10*float64(face.Font.Size)))))
	}
	place := fmt.Sprintf(`x="%s" y="%s"`, tenths(x), tenths(y))
	if m := c.matrix; m[0] < 0.5 { // turned to the left, as labels of upright axes are
		place = fmt.Sprintf(`transform="translate(%s %s)rotate(%.3g)"`, tenths(x), tenths(y), -math.Atan2(m[1], m[0])*180/math.Pi)
	}
	if utf8.RuneCountInString(s) > ShortText {
		place += fmt.Sprintf(` textLength="%s"`, tenths(int(math.Round(10*float64(w)))))
	}
	fmt.Fprintf(&c.b, "<text%s %s>%s</text>\n", attributes, place, html.EscapeString(s))
}

// Titled draws something with a title, which is shown where a pointer or the focus is.
// Nothing is said of what has no words.
func Titled(c draw.Canvas, words string, paint func()) {
	svg := innermost(c)
	if svg == nil || words == "" {
		paint()
		return
	}
	svg.close()
	fmt.Fprintf(&svg.b, `<g class="m"><title>%s</title>`, html.EscapeString(Clean(words)))
	paint()
	svg.close()
	svg.b.WriteString("</g>\n")
}

// innermost is the canvas under those that package plot puts around it to crop it.
func innermost(c vg.Canvas) *canvas {
	switch c := c.(type) {
	case *canvas:
		return c
	case draw.Canvas:
		return innermost(c.Canvas)
	case *draw.Canvas:
		return innermost(c.Canvas)
	}
	return nil
}
