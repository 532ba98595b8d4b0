// Package audit checks printed tables of accuracies by arithmetic alone: accuracies
// that no number of right answers gives, ranks that no predictions lead to, shares of
// classes that a constant prediction would have, and claims of the text, which are judged
// by the tables and by runs. A table is a YAML file; see [Parse].
package audit
