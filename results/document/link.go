package document

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"r2lmlbench/internal/text"
)

// Anchor is the name that a heading has in links, as GitHub makes it.
func Anchor(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text.OneLine(title)) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// target spells where a link leads such that it can stand in both formats, and
// reports whether it may be linked: places in the document, files beside it and
// the web.
func target(link string) (string, bool) {
	u, err := url.Parse(link)
	if err != nil || link == "" || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
		return "", false
	}
	return spelled(link), true
}

// imageSource is target, with images that are spelled out in the link itself.
func imageSource(link string) (string, bool) {
	if strings.HasPrefix(link, "data:image/") {
		return spelled(link), true
	}
	return target(link)
}

// spelled writes characters that would end a link, or mean something in it, by
// their numbers.
func spelled(link string) string {
	var b strings.Builder
	for _, r := range link {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.~/#?=&+,;:@%", r) {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
