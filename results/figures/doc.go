// Package figures draws the figures of the reproduction report: each as SVG,
// as the numbers it was drawn from, and in words.
//
// A constructor takes the result of a study, or plain results, and returns the
// figures that they suffice for, none if no cell has what the figure shows; a cell
// that is missing leaves a gap and is counted in the text. Equal input gives equal
// bytes. [Drawings] has their names, by which a spec asks for them.
//
//	metrics              study metrics      accuracy against K, nine data sets a page
//	lambda               study lambda       accuracy and zero columns against λ, a family each
//	toy                  study toy          the paper's Figure 1
//	collapse             study collapse     reference against published
//	convergence          study convergence  the objective over the iterations
//	critical-difference  ranked table       average ranks, after Demšar 2006, and a matrix of all pairs of methods
//	verdicts             verdicts           published values against ours
//	ladder               verdicts           counts of verdicts by method
//	placebo              verdicts           printed values and decoys that protocols reach
//	surfaces             cells              accuracy of every setting on validation and test samples
//	pays                 study pays         accuracy and time by method and family
//	costs                times and memory   of every method and data set, and accuracy against time with its front
//
// All have one style. Series differ by color, by mark and by dashes at once,
// and the colors of a figure (of Okabe and Ito) differ in grey too and stand
// out from a white and from a dark page. Whatever is not a series is drawn in
// currentColor on no background, so that an SVG placed inside a page takes the
// color of its text; on its own it is black. Names are made harmless on their
// way: SVG has them as escaped text, and CSV has no field that a spreadsheet
// takes for a formula.
//
// References:
//
//	J. Demšar, Statistical comparisons of classifiers over multiple data sets,
//	  Journal of Machine Learning Research 7, 2006.
//	M. Okabe, K. Ito, Color universal design, 2008.
package figures

// A Figure is one picture with its data.
type Figure struct {
	Name  string // stem of its file names, of a-z, 0-9 and "-"
	Title string // one line
	Alt   string // what is seen, in sentences, computed from the data
	See   string // what to look at, in a sentence or two
	SVG   []byte // a file, with Title and Alt as its title and description
	CSV   []byte // the numbers drawn, under a heading

	// Inline is the element for a page that has [Style] and [Script].
	Inline string
	Height float64 // of Inline, as a multiple of its width
}
