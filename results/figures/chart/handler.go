package chart

import (
	"sync"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// A remembering handler of text measures each text once. Measuring makes kilobytes of garbage,
// and lining panels up asks for the same labels again and again.
type remembering struct {
	text.Handler

	mu    sync.Mutex
	boxes map[label]box
}

type label struct {
	text string
	font font.Font
}

type box struct{ width, height, depth vg.Length }

// handler is that of all text of figures.
var handler = &remembering{Handler: plot.DefaultTextHandler, boxes: map[label]box{}}

// Box is the size of one line of text, see text.Handler.
func (r *remembering) Box(txt string, f font.Font) (width, height, depth vg.Length) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b, ok := r.boxes[label{txt, f}]
	if !ok {
		b.width, b.height, b.depth = r.Handler.Box(txt, f)
		r.boxes[label{txt, f}] = b
	}
	return b.width, b.height, b.depth
}
