package chart

import _ "embed"

var (
	//go:embed figures.css
	figureRules string
	//go:embed page.css
	pageRules string
	//go:embed figures.js
	script string
)

// Script is that of a page with figures: values of marks under the pointer and, by the
// arrow keys, of the one in focus.
func Script() string { return script }

// Style is the style sheet of a page with figures, light and dark. Its colors have names
// that other rules of the page can use, such as var(--fig-ink).
func Style() string { return figureRules + pageRules }
