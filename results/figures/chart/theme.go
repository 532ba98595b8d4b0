package chart

import (
	_ "embed"
	"fmt"
	"strings"
)

var (
	//go:embed figures.css
	figureRules string
	//go:embed page.css
	pageRules string
	//go:embed figures.js
	script string
)

// themes are the colors by which the rules name them, on light and on dark pages.
var themes = []struct{ name, light, dark string }{
	{"ink", "#1c2126", "#e6e9ec"}, {"paper", "#fff", "#15191d"}, {"soft", "#59626b", "#a7b0b8"},
	{"blue", "#0072b2", "#3d94cf"}, {"vermillion", "#d55e00", "#ee8336"}, {"purple", "#cc79a7", "#e3a5c8"},
	{"r0", "#005a8e", "#7fc4ee"}, {"r6", "#e07b28", "#d8762a"}, {"k6", "#2b1200", "#1f0d00"},
}

// Script is that of a page with figures: values of marks under the pointer and, by the
// arrow keys, of the one in focus.
func Script() string { return script }

// Style is the style sheet of a page with figures, light and dark.
func Style() string {
	var light, dark []string
	for _, t := range themes {
		light, dark = append(light, fmt.Sprintf("--fig-%s: %s;", t.name, t.light)), append(dark, fmt.Sprintf("--fig-%s: %s;", t.name, t.dark))
	}
	day, night := strings.Join(light, " "), strings.Join(dark, " ")
	return fmt.Sprintf(":root { %s }\n@media (prefers-color-scheme: dark) { :root { %s } }\n@media print { :root { %s } }\n", day, night, day) +
		figureRules + pageRules
}

// FileStyle is the style sheet of a file of its own: colors stand where they are used,
// for programs that do not know variables.
func FileStyle(rules string) string {
	var light, dark []string
	for _, t := range themes {
		name := fmt.Sprintf("var(--fig-%s)", t.name)
		light, dark = append(light, name, t.light), append(dark, name, t.dark)
	}
	night := "@media (prefers-color-scheme: dark) {\n"
	for line := range strings.Lines(rules) {
		if strings.HasPrefix(line, ".") && strings.Contains(line, "var(") {
			night += line
		}
	}
	return strings.NewReplacer(light...).Replace(rules) + strings.NewReplacer(dark...).Replace(night) + "}\n"
}
