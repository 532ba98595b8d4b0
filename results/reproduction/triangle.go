package reproduction

import (
	"r2lmlbench/internal/text"
	"r2lmlbench/results/document"
	"r2lmlbench/results/study"
)

// triangle is the section on the triangle inequality.
func triangle(t study.Triangle) document.Section {
	s := document.Section{Title: "The triangle inequality"}
	s.Say("A combination of local metrics need not keep the triangle inequality. The paper reports that it held in all of over a million triples tried "+
		"on Pendigits. "+
		"%s tries all triples of the training samples, with the distance √(Σ g_m g_n ‖L(x_m − x_n)‖²).", run(t.Coverage))
	if absent(&s, t.Coverage) {
		return s
	}
	list(&s, 3, t.Listings()[0])
	var claims []document.Claim
	var gist []document.Inline
	for _, variant := range study.Variants {
		k := t.Kept(variant)
		said := kept(k)
		gist = append(gist, document.Textf("%s.", said))
		if k.Fits > 0 {
			said = document.Textf("%s. The paper's statement", said)
			claims = append(claims, document.Claim{ID: k.ID, Text: said, Verdict: k.Verdict, Note: lacking(k.Claim)})
		} else {
			claims = append(claims, document.Claim{ID: k.ID, Text: said})
		}
	}
	s.Claim(claims...)
	s.Gist = document.Join(gist, " ")
	return s
}

// kept is a sentence on a variant, without its stop.
func kept(k study.Kept) document.Inline {
	switch {
	case k.Fits == 0:
		return document.Textf("Nothing is known of the %s variant, of which %s missing", k.Variant, text.IsAre(k.Missing))
	case k.Violated > 0:
		return document.Textf("With the %s variant %d of %d triples in all violate the inequality, in %d of %s; the most are %s in one fit",
			k.Variant, k.Triples.Count, k.Triples.Of, k.Violated, text.Counted(k.Fits, "fit"), ratio(&k.Worst))
	}
	return document.Textf("With the %s variant none of %d triples violates the inequality in %s", k.Variant, k.Triples.Of, text.Counted(k.Fits, "fit"))
}
