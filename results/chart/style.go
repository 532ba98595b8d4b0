package chart

import _ "embed"

// figureRules is the style sheet of every figure, light and dark.
//
//go:embed figures.css
var figureRules string
