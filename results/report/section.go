package report

import (
	"bytes"
	"html/template"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// Section is the title of the section of the text on the reproduction that answers
// whether the published numbers come back. The main package embeds the text,
// REPRODUCTION.md, and hands it down: it stands once, where people edit it.
const Section = "Does it reproduce?"

var (
	heading  = regexp.MustCompile(`(?m)^#+ +(.*?)\s*$`)
	tables   = regexp.MustCompile(`(?s)<!-- table .*?<!-- / -->`) // pages have them from results
	comments = regexp.MustCompile(`(?s)<!--.*?-->`)               // they mark numbers
	pictures = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)
	links    = regexp.MustCompile(`\[([^\]]*)\]\(([^)]*)\)`)
)

// sectionHTML renders the section of a Markdown text below a heading, without the
// heading, up to the next one. What a page by itself cannot have is left out: pictures,
// marked tables, links to files, of which the texts stay, and HTML. It is empty where there is no such
// heading.
func sectionHTML(markdown, title string) (template.HTML, error) {
	found := heading.FindAllStringSubmatchIndex(markdown, -1)
	for i, at := range found {
		if markdown[at[2]:at[3]] != title {
			continue
		}
		end := len(markdown)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		source := pictures.ReplaceAllString(comments.ReplaceAllString(tables.ReplaceAllString(markdown[at[1]:end], ""), ""), "")
		source = links.ReplaceAllStringFunc(source, func(link string) string {
			if m := links.FindStringSubmatch(link); !strings.HasPrefix(m[2], "http") {
				return m[1]
			}
			return link
		})
		var b bytes.Buffer
		err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert([]byte(source), &b) // which leaves HTML out
		return template.HTML(b.String()), err
	}
	return "", nil
}
