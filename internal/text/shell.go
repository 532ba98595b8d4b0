package text

import (
	"regexp"
	"strings"
)

// plainWord matches arguments that need no quotes in a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)

// ShellWord formats a text as one argument of a command in a POSIX shell, in
// quotes if needed.
func ShellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// ShellCommand formats a command for a POSIX shell. Different commands have different
// texts. The text is part of the keys of stored cells, so its quoting must not change.
func ShellCommand(command []string) string {
	words := make([]string, len(command))
	for i, arg := range command {
		words[i] = ShellWord(arg)
	}
	return strings.Join(words, " ")
}
