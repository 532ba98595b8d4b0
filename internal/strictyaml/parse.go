package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Limits of what Parse accepts. The time that yaml.v3 takes grows with the square
// of the size for some texts, such as one key per line: seconds for MaxBytes.
const (
	MaxBytes = 64 << 10 // size of a file
	MaxDepth = 32       // levels of mappings and lists, the root being the first
)

// Parse reads a file that holds one document and returns the mapping at its
// root. Messages quote the name file. The error, if any, is of type [Errors]: either
// the first syntax error, at the start of its line, or every unsupported construct: a
// root that is not a mapping, a second document, anchors and aliases, merge keys,
// explicit tags, text that is not UTF-8, control characters, and more than MaxBytes
// or MaxDepth.
func Parse(file string, b []byte) (*yaml.Node, error) {
	d := &Decoder{File: file}
	root := d.parse(b)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return root, nil
}

func (d *Decoder) parse(b []byte) *yaml.Node {
	b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	if !d.checkText(b) {
		return nil
	}
	docs, err := documents(b)
	switch {
	case err != nil:
		d.syntaxError(b, err)
		return nil
	case len(docs) == 0:
		d.Errorf(nil, "want a mapping, but the file is empty")
		return nil
	case len(docs) > 1:
		d.Errorf(docs[1], "a second document begins; want one document per file")
	}
	root := docs[0].Content[0]
	switch kindOf(root) {
	case mapping:
	case null: // its position may be after the last line
		d.Errorf(docs[0], "want a mapping, but the document is empty")
	default:
		d.wrongType(root, "a mapping at the top of the file")
	}
	d.checkTree(root, 1)
	return root
}

// documents returns the first two documents of b, or fewer. Should yaml.v3
// panic on some input, that is an error like any other.
func documents(b []byte) (docs []*yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(b))
	for len(docs) < 2 {
		doc := new(yaml.Node)
		if err := dec.Decode(doc); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

// checkText records the first position where b is not plain text. Text that passes
// has the same lines for yaml.v3 as for an editor.
func (d *Decoder) checkText(b []byte) bool {
	if len(b) > MaxBytes {
		d.add(1, 0, "the file has %d bytes; want at most %d", len(b), MaxBytes)
		return false
	}
	line, column := 1, 1
	for i, size := 0, 0; i < len(b); i += size {
		var r rune
		r, size = utf8.DecodeRune(b[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			d.add(line, column, "the byte 0x%02x is not UTF-8 text", b[i])
			return false
		case r == '\r' && bytes.HasPrefix(b[i:], []byte("\r\n")):
		case forbidden(r):
			d.add(line, column, "the character %U is not allowed here", r)
			return false
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return true
}

// forbidden reports whether r is a control character, a line break other than
// the usual one, or no character at all.
func forbidden(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case '\u2028', '\u2029', '\uFEFF', '\uFFFE', '\uFFFF':
		return true
	}
	return unicode.IsControl(r)
}

// checkTree records the unsupported constructs in n and below. Aliases are not
// followed, so the work is bounded by the size of the file.
func (d *Decoder) checkTree(n *yaml.Node, depth int) {
	switch {
	case n.Kind == yaml.AliasNode:
		d.Errorf(n, "alias %s: aliases are not supported; write the value out", quote(n.Value))
	case n.Anchor != "":
		d.Errorf(n, "anchor %s: anchors are not supported", quote(n.Anchor))
	case n.Style&yaml.TaggedStyle != 0:
		d.Errorf(n, "tag %s: tags are not supported", quote(n.Tag))
	case n.Kind != yaml.ScalarNode && depth > MaxDepth:
		d.Errorf(n, "nested deeper than %d levels", MaxDepth)
		return
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.ShortTag() == "!!merge" {
			d.Errorf(child, "key <<: merging is not supported; write the keys out, or quote the key")
		}
		d.checkTree(child, depth+1)
	}
}
