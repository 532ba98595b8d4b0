package figures

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"unicode"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// fontFamily has the font the text was measured in and others of its widths.
// Where there is none of them, textLength keeps text to the width it has here.
const fontFamily = "Liberation Sans,Arial,Helvetica,sans-serif"

// newFigure makes a figure of what paint draws on a canvas of a height.
func newFigure(name, title, alt string, csv []byte, height vg.Length, paint func(draw.Canvas)) (Figure, error) {
	f := Figure{Name: name, Title: clean(title), Alt: clean(alt), CSV: csv}
	canvas := measuring{Canvas: vgsvg.New(width, height)}
	paint(draw.New(&canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return f, fmt.Errorf("figures: %s: %w", name, err)
	}
	f.SVG = adapt(canvas.fixWidths(b.String()), f.Title, f.Alt, height)
	return f, nil
}

// measuring notes how wide each text is.
type measuring struct {
	*vgsvg.Canvas
	widths []vg.Length
}

func (m *measuring) FillString(face font.Face, at vg.Point, text string) {
	m.widths = append(m.widths, face.Width(text))
	m.Canvas.FillString(face, at, text)
}

// fixWidths adds the widths to the texts of svg, which are in the same order. A
// text holds no markup, hence no "<text ".
func (m *measuring) fixWidths(svg string) string {
	parts := strings.Split(svg, "<text ")
	for i, w := range m.widths {
		if w > 0 {
			parts[i+1] = fmt.Sprintf(`textLength="%.2f" lengthAdjust="spacingAndGlyphs" %s`, w.Points(), parts[i+1])
		}
	}
	return strings.Join(parts, "<text ")
}

// adapt turns what vgsvg writes into an element that a page can hold: without
// the XML declaration, with a title and a description, and with black replaced
// by the color of the page's text. vgsvg leaves fill:#000000 out, as it is the
// default, so that the fill of the root takes its place, and so does its font where
// text says nothing but the usual. Escaped text has no
// quotation mark, hence these replacements reach attributes only.
func adapt(svg, title, alt string, height vg.Length) []byte {
	_, body, _ := strings.Cut(svg, "<g ")
	body = strings.ReplaceAll(body, `style="fill:none;stroke:#000000`, `style="fill:none;stroke:currentColor`)
	body = strings.ReplaceAll(body, `style="font-family:Liberation Sans;font-variant:normal;`, `style="`)
	body = strings.ReplaceAll(body, `style="font-weight:normal;font-style:normal;`, `style="`)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%g" height="%g" viewBox="0 0 %[1]g %[2]g" `+
		`fill="currentColor" font-family="%[3]s">`+"\n", width.Points(), height.Points(), fontFamily)
	fmt.Fprintf(&b, "<title>%s</title>\n<desc>%s</desc>\n<g %s", html.EscapeString(title), html.EscapeString(alt), body)
	return b.Bytes()
}

// OnWhite is the SVG with a white ground, for pages whose color it does not take.
func (f Figure) OnWhite() []byte {
	return bytes.Replace(f.SVG, []byte("<title>"), []byte(`<rect width="100%" height="100%" fill="#fff"/>`+"\n<title>"), 1)
}

// clean replaces what XML cannot hold, control characters and those that change
// the direction of text by spaces.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, name)
}

// short is a clean name of at most that many characters.
func short(name string, most int) string {
	runes := []rune(clean(name))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}
