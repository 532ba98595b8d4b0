package text

import (
	"regexp"
	"strings"
)

// plainWord is an argument that a shell takes as it stands.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)

// ShellWord writes a text as one argument of a command in a POSIX shell, in
// quotes where it needs them.
func ShellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// ShellCommand writes a command as one would type it in a POSIX shell: different
// commands have different texts. The text is part of the keys of stored cells,
// so what it quotes never changes.
func ShellCommand(command []string) string {
	words := make([]string, len(command))
	for i, arg := range command {
		words[i] = ShellWord(arg)
	}
	return strings.Join(words, " ")
}
