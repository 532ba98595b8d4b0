package reproduction

import (
	"fmt"

	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/published"
	"r2lmlbench/results/study"
	"r2lmlbench/results/verdict"
)

// letterFile is the note for the paper's readers and authors.
const letterFile = "docs/letter.md"

// letter is a note on two pages: what was found, each claim with its command, and the
// questions that only the authors can answer.
func letter(in Input, sections []document.Section) document.Document {
	v := in.Verdicts
	d := document.Document{Title: "A note on the reproduction of “Reduced-Rank Local Distance Metric Learning for k-NN Classification”"}
	var s document.Section
	s.Say("This note is for readers of the paper and for its authors. It says what an independent program in Go finds when it runs the "+
		"experiments again, with the command behind each number. It says which protocol gives a printed number; it cannot tell which one was used. "+
		"The %s has the tables.", document.Inline{document.Link{Text: "reproduction report", Target: "../" + PageName}})
	d.Opening = s.Blocks
	d.Sections = []document.Section{whatComesBack(in), whichChoice(v), alternativesTried(in), whatElse(sections), questions()}
	return d
}

func whatComesBack(in Input) document.Section {
	s := document.Section{Title: "What comes back"}
	s.Say("Our splits follow the rule measured on the three split files that the authors published.%s %s compares both solvers with the authors' "+
		"programs on generated data. %s judges all printed accuracies.",
		ownPatterns(in), document.Code("go test ./r2lml"), document.Code("r2lmlbench verdict accuracy"))
	s.List(plains(verdict.Answer(in.Verdicts))...)
	s.Say("A protocol gives a number that is within the range of its runs, or outside by no more than the margin. The margin is one point or one test " +
		"sample, whichever is more. To it is added the difference of the row's printed Euclidean accuracy from ours. " +
		"Decoys are printed values moved by some points. A protocol that gives those moved by 4 points at least three quarters as often " +
		"as printed values explains nothing.")
	return s
}

// ownPatterns says which of the authors' files the rule does not give as it stands.
func ownPatterns(in Input) string {
	r, ok := in.Study("split-rule").(study.SplitRule)
	if !ok {
		return ""
	}
	var follow, own []string
	for _, f := range r.Files {
		if f.OwnPattern {
			own = append(own, f.Name)
		} else {
			follow = append(follow, f.Name)
		}
	}
	if len(own) == 0 {
		return fmt.Sprintf(" It gives all of them: %s.", text.Series(follow))
	}
	return fmt.Sprintf(" It gives %s as it stands; a pattern of its own, which the paper does not mention, is needed for %s.",
		text.Series(follow), text.Series(own))
}

// whichChoice compares choice on the validation samples with choice on the test
// samples.
func whichChoice(v verdict.Verdicts) document.Section {
	s := document.Section{Title: "Which choice of parameters gives the columns"}
	s.Say("By the text, parameters are chosen on the validation samples. Every setting of the grids can also be fitted to the test problem, "+
		"which shows what any other choice would give (%s, then %s).", document.Code("r2lmlbench run surfaces"), document.Code("r2lmlbench verdict accuracy"))
	if len(v.Fits.Columns) == 0 {
		s.Say("These cells have not been run.")
		return s
	}
	s.Say("Data sets on which that was done: %s.", text.Series(fitted(v)))
	s.List(plains(v.Fits.Sentences())...)
	s.List(plains(v.Counterfactuals.Sentences())...)
	if all := v.Fits.Alternatives(); len(all) > 0 {
		s.Say("Other ways of choosing were tried on the columns that choice on test fits better.")
		s.List(plains(all)...)
	}
	s.Say("A rung is a protocol of the report's ladder. Decoys show how much a rung explains.")
	s.List(plains(v.Placebo.Sentences())...)
	return s
}

// fitted says on how many of its data sets each method has accuracies at every setting.
func fitted(v verdict.Verdicts) []string {
	var all []string
	for _, c := range v.Fits.Columns {
		of := 0
		for _, one := range v.Verdicts {
			if one.Method == c.Method {
				of++
			}
		}
		all = append(all, fmt.Sprintf("%s %d of %d", published.MethodName(c.Method), len(c.Rows), of))
	}
	return all
}

// alternativesTried lists the other readings of the text that were tried.
func alternativesTried(in Input) document.Section {
	s := document.Section{Title: "Other readings of the text"}
	tied, open := in.Verdicts.Summary.Count(verdict.Tied), in.Verdicts.Summary.Count(verdict.Open)
	items := []document.Inline{
		document.Textf("Settings that tie on the validation samples, one sample apart where few validate: they give %d more numbers. %s",
			tied, document.Code("r2lmlbench verdict accuracy")),
		document.Textf("Other values of parameters on which the text is silent (%s): they give %d more. %s",
			openTried(in.Verdicts), open, document.Code("r2lmlbench verdict accuracy")),
	}
	for _, one := range []struct{ id, says, command string }{
		{"joint", "Validation and test samples unlabelled together in the transductive method", "r2lmlbench run joint"},
		{"scales", "Features times a power of two, where their scale is not known", "r2lmlbench run scales"},
	} {
		if r := in.Study(one.id); r != nil && len(known(r)) > 0 {
			items = append(items, document.Textf("%s. %s %s", one.says, claimsOf(r), document.Code(one.command)))
		}
	}
	s.List(items...)
	return s
}

// openTried names the open parameters of which other values were run.
func openTried(v verdict.Verdicts) string {
	var all []string
	for _, e := range v.Evidence {
		for _, p := range e.Protocols {
			for _, setting := range p.OpenParameters() {
				all = text.AppendNew(all, setting+" of "+published.MethodName(e.Column))
			}
		}
	}
	if len(all) == 0 {
		return "none was run"
	}
	return "run so far: " + text.Series(all)
}

// claimsOf are the first two claims of a study that rest on something.
func claimsOf(r study.Result) document.Inline {
	claims := known(r)
	var all []document.Inline
	for _, c := range claims[:min(2, len(claims))] {
		all = append(all, sentence(c))
	}
	return document.Join(all, " ")
}

// whatElse are findings that do not depend on how parameters were chosen.
func whatElse(sections []document.Section) document.Section {
	s := document.Section{Title: "What does not depend on the choice"}
	var items []document.Inline
	for _, f := range []struct{ title, command string }{
		{splitRuleTitle, "r2lmlbench run accuracy --methods euclidean"},
		{ranksTitle, "r2lmlbench audit"},
		{collapseTitle, "r2lmlbench run variants"},
	} {
		if gist := gistOf(sections, f.title); gist != "" {
			items = append(items, document.Textf("%s. %s %s", document.Inline{document.Strong(f.title)}, gist, document.Code(f.command)))
		}
	}
	s.List(items...)
	return s
}

// questions are those that only the authors can answer.
func questions() document.Section {
	s := document.Section{Title: "Questions that only the authors can answer"}
	var items []document.Inline
	for i, q := range []string{
		"How were K and λ of T-R2LML and E-R2LML chosen for the main table: on the validation samples, or otherwise?",
		"Which features of COIL20 were used, at which size and scale, before the principal components?",
		"How were the class covariances of GLML regularized, and over which values was γ chosen?",
		"Which files of Image Segmentation, Two Norm and Ring Norm were used, and in which order of rows?",
		"Sonar has 208 samples, of which the rule leaves 128 to test. Where does the printed 180 come from?",
	} {
		items = append(items, document.Plain(fmt.Sprintf("%d: %s", i+1, q)))
	}
	s.List(items...)
	return s
}
