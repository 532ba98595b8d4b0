package report

import (
	"bytes"
	"html/template"
	"net/url"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// Section is the title of the section of the text on the reproduction that answers
// whether the published numbers come back. The main package embeds the text,
// REPRODUCTION.md, and hands it down: it stands once, where people edit it.
const Section = "Does it reproduce?"

// comments of HTML mark numbers. A line that begins with one would be HTML altogether.
var comments = regexp.MustCompile(`(?s)<!--.*?-->`)

// sectionHTML renders the section of a Markdown text below a heading, without the
// heading, up to the next one. What a page by itself cannot have is left out: pictures,
// links to files, and HTML. It is empty where there is no such heading.
func sectionHTML(markdown, title string) (template.HTML, error) {
	source := comments.ReplaceAll([]byte(markdown), nil)
	renderer := goldmark.New(goldmark.WithExtensions(extension.Table))
	root := renderer.Parser().Parse(text.NewReader(source))
	node := root.FirstChild()
	for node != nil && !(node.Kind() == ast.KindHeading && string(node.Lines().Value(source)) == title) {
		node = node.NextSibling()
	}
	var b bytes.Buffer
	for node != nil {
		node = node.NextSibling()
		if node == nil || node.Kind() == ast.KindHeading {
			break
		}
		clean(node)
		if node.Kind() == ast.KindHTMLBlock || node.Kind() == ast.KindParagraph && !node.HasChildren() {
			continue
		}
		if err := renderer.Renderer().Render(&b, source, node); err != nil {
			return "", err
		}
	}
	return template.HTML(b.String()), nil
}

// clean removes from below a node what a page by itself cannot have. The texts of links
// to files stay.
func clean(node ast.Node) {
	for child := node.FirstChild(); child != nil; {
		next := child.NextSibling()
		switch of := child.(type) {
		case *ast.Image, *ast.RawHTML, *ast.HTMLBlock:
			node.RemoveChild(node, child)
		case *ast.Link:
			clean(of)
			if target, err := url.Parse(string(of.Destination)); err != nil || !strings.HasPrefix(target.Scheme, "http") {
				for of.HasChildren() {
					node.InsertBefore(node, of, of.FirstChild())
				}
				node.RemoveChild(node, of)
			}
		default:
			clean(of)
		}
		child = next
	}
}
