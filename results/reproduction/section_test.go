package reproduction

import (
	"slices"
	"strings"
	"testing"

	"r2lmlbench/results"
	"r2lmlbench/results/table"
)

// clone returns a copy of the table whose cells can be replaced.
func clone(t table.Table) table.Table {
	return without(t, func(int, int) bool { return false })
}

// rowOf returns the row of a data set.
func rowOf(t *testing.T, ranked table.Table, dataset string) table.Row {
	t.Helper()
	i := slices.IndexFunc(ranked.Rows, func(r table.Row) bool { return r.Dataset == dataset })
	if i < 0 {
		t.Fatalf("no row %s", dataset)
	}
	return ranked.Rows[i]
}

// check fails unless the text has every fragment.
func check(t *testing.T, text string, fragments ...string) {
	t.Helper()
	for _, f := range fragments {
		if !strings.Contains(text, f) {
			t.Errorf("%q is not in\n%s", f, text)
		}
	}
}

// compare gives E-R2LML with K = 2 and with K = 3 a p-value on a data set.
func compare(t *testing.T, table table.Table, dataset string, p float64) {
	t.Helper()
	compareColumns(t, table, dataset, 4, 5, p)
}

// compareColumns gives two columns a p-value on a data set.
func compareColumns(t *testing.T, ranked table.Table, dataset string, a, b int, p float64) {
	t.Helper()
	for i := range ranked.Rows {
		if ranked.Rows[i].Dataset == dataset {
			ranked.Rows[i].Pairs = []table.Pair{{A: ranked.Columns[a].ID, B: ranked.Columns[b].ID, P: p}}
		}
	}
}

// A cell that is missing leaves a statement open unless another refutes it.
func TestMetricsClaims(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, table table.Table)
		want   []string
	}{
		{"a quarter", func(t *testing.T, table table.Table) {
			for _, id := range []string{"telescope", "winequality", "heart"} { // 11 of 26 cases become 6
				for column := range 6 {
					rowOf(t, table, id).Cells[column] = got(50-column, 100)
				}
			}
		}, []string{"in 6 of 26 cases, a case being a method on a data set, or 23.1 % (15 to 35 % would be roughly a quarter): **holds**."}},
		{"open", func(t *testing.T, table table.Table) {
			rowOf(t, table, "usps").Cells[4] = missing()
		}, []string{
			"in 11 of 25 cases, a case being a method on a data set, or 44.0 % (15 to 35 % would be roughly a quarter): **cannot be told (1 cell without a result)**.",
			"no K is better than 2 on Telescope: **cannot be told (1 cell without a result)**.",
			"E-R2LML outperforms T-R2LML on all data sets except Telescope, Ionosphere, Breast Tissue, Heart and WPBC. Here",
			"as the paper has it on 10 of 12 data sets, and significantly otherwise on none: **cannot be told (1 cell without a result)**.",
			"better in 19 of 25 curves: **holds**.",
			"WPBC (41.00 points), Telescope (39.00 points), Heart (39.00 points) and Ionosphere (31.00 points): **cannot be told (1 cell without a result)**.",
		}},
		{"refuted though open", func(t *testing.T, table table.Table) {
			rowOf(t, table, "usps").Cells[4] = missing()
			rowOf(t, table, "telescope").Cells[5] = got(99, 100)
			compare(t, table, "telescope", 0.04)
		}, []string{"Here another K is significantly better on Telescope (best: 3): **does not hold**."}},
		{"not significantly", func(t *testing.T, table table.Table) {
			rowOf(t, table, "telescope").Cells[5] = got(71, 100)
			compare(t, table, "telescope", 0.06)
			compare(t, table, "ringnorm", 0.06)
		}, []string{
			"no K is better than 2 on USPS; another K is higher, but not significantly, on Telescope (best: 3): **cannot be told**.",
			"that of E-R2LML rises at some K, but nowhere significantly and that of T-R2LML never rises: **cannot be told**.",
		}},
		{"rising", func(t *testing.T, table table.Table) {
			compare(t, table, "ringnorm", 0.05)
		}, []string{"that of E-R2LML rises significantly at some K and that of T-R2LML never rises: **does not hold**."}},
		{"falling", func(t *testing.T, table table.Table) {
			rowOf(t, table, "ringnorm").Cells[5] = got(79, 100)
		}, []string{"Here that of E-R2LML never rises and that of T-R2LML never rises: **holds**."}},
		{"half known", func(t *testing.T, table table.Table) {
			rowOf(t, table, "ringnorm").Cells[5] = failed()
		}, []string{"is not known for every K and that of T-R2LML never rises: **cannot be told (1 cell without a result)**."}},
		{"ahead", func(t *testing.T, table table.Table) {
			rowOf(t, table, "isolet").Cells[3] = got(71, 100)
			rowOf(t, table, "wpbc").Cells[4] = got(70, 100)
		}, []string{"level on WPBC and behind on Telescope, Ionosphere, Breast Tissue and Heart, as the paper has it on 13 of 13 data sets, and significantly otherwise on none: **holds**."}},
		{"ahead where it should not be", func(t *testing.T, table table.Table) {
			compareColumns(t, table, "wpbc", 1, 4, 0.003) // T and E with K = 2, 70 and 71; 13 data sets
		}, []string{"on 11 of 13 data sets, and significantly otherwise on WPBC: **does not hold**."}},
		{"ahead, but one of thirteen", func(t *testing.T, table table.Table) {
			compareColumns(t, table, "wpbc", 1, 4, 0.004)
		}, []string{"on 11 of 13 data sets, and significantly otherwise on none: **cannot be told**."}},
		{"behind where it should not be", func(t *testing.T, table table.Table) {
			rowOf(t, table, "glass").Cells[0] = got(90, 100) // T with K = 1
			compareColumns(t, table, "glass", 5, 0, 0.003)
		}, []string{"on 10 of 13 data sets, and significantly otherwise on Glass: **does not hold**."}},
		{"one metric is best", func(t *testing.T, table table.Table) {
			for _, r := range table.Rows {
				r.Cells[0], r.Cells[3] = got(99, 100), got(99, 100)
			}
		}, []string{"Here it is better in 0 of 52 settings, every K counted by itself, and the best K > 1 is better in 0 of 26 curves: **does not hold**."}},
		{"as many may be worse as are better", func(t *testing.T, table table.Table) {
			for i := range 11 { // 22 curves of two settings each
				table.Rows[i].Cells[1], table.Rows[i].Cells[4] = missing(), missing()
			}
		}, []string{"curves: **cannot be told (22 cells without a result)**."}},
		{"worse whatever is open", func(t *testing.T, table table.Table) {
			for _, r := range table.Rows {
				r.Cells[0], r.Cells[3] = got(99, 100), got(99, 100)
			}
			table.Rows[0].Cells[1] = missing()
		}, []string{"it is better in 0 of 50 settings, every K counted by itself, and the best K > 1 is better in 0 of 25 curves: **does not hold**."}},
		{"four others gain more, one is open", func(t *testing.T, table table.Table) {
			for _, id := range []string{"glass", "isolet", "usps", "pendigits"} {
				rowOf(t, table, id).Cells[0] = got(0, 100)
			}
			rowOf(t, table, "telescope").Cells[0] = failed()
		}, []string{"Isolet (69.00 points) and Glass (65.00 points): **does not hold**."}},
		{"another gains more", func(t *testing.T, table table.Table) {
			rowOf(t, table, "glass").Cells[0] = got(0, 100)
		}, []string{"both methods added up, on Glass (65.00 points), WPBC", "Telescope (39.00 points) and Heart (39.00 points): **does not hold**."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := clone(metricsTable())
			c.change(t, table)
			check(t, withClasses(table).markdown(), c.want...)
		})
	}
}

// A data set that the paper speaks of and the table does not have is missing.
func TestMetricsOfFewDatasets(t *testing.T) {
	table := metricsTable()
	table.Rows = table.Rows[:1] // Pendigits
	text := metrics(table, nil).markdown()
	check(t, text,
		"| Pendigits | E-R2LML | - | 80.00 |",
		"Here the number of classes is among the best K in 0 of 0 cases",
		"**cannot be told**.",
		"Here no K is better than 2 on Pendigits: **cannot be told (18 cells without a result)**.",
		"the accuracy on ringnorm falls monotonically with K. Here that of E-R2LML is not known",
		"as the paper has it on 1 of 1 data set, and significantly otherwise on none: **cannot be told (30 cells without a result)**.",
		"on Pendigits (12.00 points): **cannot be told (24 cells without a result)**.",
	)
	if strings.Contains(text, "leaves out") {
		t.Error("a range without classes")
	}
}

func TestCollapseCounts(t *testing.T) {
	table := clone(variantsTable())
	for _, r := range table.Rows {
		for j := range r.Cells {
			if table.Columns[j].Swept["variant"] == "published" {
				r.Cells[j] = got(r.N, r.N)
			}
		}
	}
	text := collapse(table).markdown()
	check(t, text,
		"less accurate than the reference in 0 of 8 settings, as accurate in 0 and more accurate in 8.",
		"| Heart | E-R2LML | 100.00 | 100.00 | - | yes |",
		"less accurate in 0 of 4 settings and more accurate in 4.",
	)
	for _, absent := range []string{"Where it is less accurate", "In the published variant"} {
		if strings.Contains(text, absent) {
			t.Errorf("%q is in\n%s", absent, text)
		}
	}
}

func TestLambdaOutside(t *testing.T) {
	table := clone(lambdaTable())
	for _, id := range []string{"overlap30", "overlap30:2"} {
		rowOf(t, table, id).Cells[2] = got(320, 320) // printed: 0.534
		rowOf(t, table, id).Cells[3] = missing()
	}
	rowOf(t, table, "overlap60").Cells[2] = got(300, 320) // no facts
	rowOf(t, table, "overlap60:2").Cells[3] = got(290, 320, zeroFactsOf(0, 29, 60)...)
	check(t, lambda(table).markdown(),
		"| 1000 | 2 | 1.000 | 0.000 | 1.000 | 1.000 | 0.534 |",
		"Of 2 printed values at λ > 0 that stand beside two draws or more, 1 is outside the 95 % interval for one more draw: 0.534 at λ = 1000 (ours 1.000, sd 0.000).",
		"Of this family, 2 cells of 8 have no result; means are over the draws that have one.",
		"| 1000 | 29.0 |", // of the one draw that has facts
		"at λ = 1000, the zero columns of every metric are just the zeroed features in 1 of 1 draw at 1e-06 (**cannot be told**) and in 1 of 1 draw at 0.001 (**cannot be told**).",
		"at λ = 10000, the zero columns of every metric are just the zeroed features in 1 of 2 draws at 1e-06 (**does not hold**) and in 0 of 2 draws at 0.001 (**does not hold**).",
	)
}

func TestLambdaWithoutAFamily(t *testing.T) {
	table := lambdaTable()
	table.Rows = table.Rows[:2]
	check(t, lambda(table).markdown(), "No draw of this family (overlap60) has a result yet.", "No draw of this family (overlap60-13) has a result yet.")
}

func TestTriangleVerdicts(t *testing.T) {
	table := clone(triangleTable())
	cells := table.Rows[0].Cells
	cells[0] = got(90, 100, results.Fact{Name: triangleFact, Count: 1, Of: 1000000})
	for _, j := range []int{2, 3, 5} {
		cells[j] = missing()
	}
	check(t, triangle(table).markdown(),
		"| Pendigits | E-R2LML | reference | 1 | 1 | 1000000 | 0.0001 |",
		"With the reference variant the inequality is violated by 1 of 3000000 triples in all, in 1 of 3 fits; the most are 1 of 1000000 in one fit. The paper's statement **does not hold**.",
		"Nothing is known of the published variant, of which 3 are missing.",
	)
}

func TestToyVerdicts(t *testing.T) {
	table := clone(toyTable())
	table.Rows[0].Cells[1] = table.Rows[0].Cells[2] // the global metric as good as the local ones
	check(t, toy(table).markdown(),
		"With the published variant the nearest other sample is of the same class for 4 of 4 under the global metric, and under local ones for 4 of 4 with K = 2. The paper's figure says that local metrics may serve the nearest neighbor better: that **is not seen from this start**.",
		"With the reference variant the nearest other sample is of the same class for - under the global metric, and under local ones for - with K = 2.")
}

// Local metrics other than the figure's two count apart from them.
func TestToyWithThree(t *testing.T) {
	table := clone(toyTable())
	third := swept(efficient, "variant", "published", "metrics", "3")
	table.Columns = append(table.Columns, third)
	cells := &table.Rows[0].Cells
	*cells = append(*cells, (*cells)[2])
	(*cells)[2] = (*cells)[1]
	check(t, toy(table).markdown(), "2 of 4 with K = 2 and 4 of 4 with K = 3. The paper's figure says that local metrics may serve the nearest neighbor better: that **is not seen with the two of the figure, but with K = 3**.")
	(*cells)[2] = missing()
	check(t, toy(table).markdown(), "- with K = 2 and 4 of 4 with K = 3. The paper's figure says that local metrics may serve the nearest neighbor better: that **is seen with K = 3**.")
}

// Without momentum nothing raises the objective and the curve fits everywhere.
func TestConvergenceHolds(t *testing.T) {
	ranked := convergenceTable()
	ranked.Columns = ranked.Columns[:1]
	for i := range ranked.Rows {
		ranked.Rows[i].Cells = []table.Cell{traced(6, false)} // nothing raised, R² = 0.91
	}
	check(t, convergence(ranked).markdown(),
		"No run of the published variant is known. In the reference variant none did in 4 of 4 runs, 2 of 2 of those without momentum; block 1 raised it in 0 of 4, block 2 in 0 of 4 and block 3 in 0 of 0.",
		"- E-R2LML, reference, without momentum: the sequence never rises on Glass and Heart.\n",
		"with R² of 0.9 or more in 4 of 4 runs, and in 28 of 60 (46.67 %) of the single runs",
		"- E-R2LML, reference, with momentum: it does on Glass and Heart.\n",
	)
}

func TestAlternativesNearest(t *testing.T) {
	table := clone(alternativesTable())
	table.Rows[1].Cells[2] = got(550, 640) // 85.94 %, as printed
	table.Rows[3].Cells[0] = got(3251, 4976)
	check(t, alternatives(table).markdown(),
		"| COIL20 | 6 | 0 | 85.94 | 1 | 0.00 | 5 | 85.94 | 87.66 |",
		"An alternative prints the published accuracy on 2 of 2 data sets:",
		"- COIL20: 85.94 is printed by authors codes=alphabet, higher row.",
		"; authors order=reversed, higher row.\n",
		"at most 1 of the 2, the first such being: authors codes=alphabet, higher row.",
		"on Robot (2 of 2) and New (3 of 3).",
	)
}

// Every seed counts: only ranges that do not overlap tell the variants apart.
func TestCollapseSeeds(t *testing.T) {
	ranked := clone(variantsTable())
	heart := rowOf(t, ranked, "heart").Cells
	for column, s := range map[int]table.Spread{
		1: {Runs: 2, Min: "60.00", Max: "80.00"}, 4: {Runs: 2, Min: "50.00", Max: "59.99"}, // K = 2: below
		2: {Runs: 3, Min: "60.00", Max: "80.00"}, 5: {Runs: 3, Min: "9.00", Max: "60.00"}, // K = 3: neither
		0: {Runs: 2, Min: "60.00", Max: "80.00"}, 3: {Runs: 2, Min: "50.00", Max: "59.99"}, // K = 1: not asked
		7: {Runs: 2, Min: "60.00", Max: "80.00"}, 10: {Runs: 1, Min: "90.00", Max: "90.00"}, // one seed
	} {
		heart[column].Spread = &s
	}
	check(t, collapse(ranked).markdown(),
		"Of 2 settings with K of 2 or more that ran with several seeds, every run of the published variant is less accurate than every run of the reference in 1, and more accurate in 0.")
}

// The step explains the fall behind validation only if it helps significantly
// more often than it hurts: 6 of 6 settings have p = 2/64 by the sign test. A p
// of 0.01 is 0.06 after Holm's correction over six settings.
func TestStepsVerdict(t *testing.T) {
	table := stepsTable()
	for i := range table.Rows {
		for _, j := range []int{2, 3} {
			table.Rows[i].Cells[j] = got(99, 100)
		}
		for j := range table.Rows[i].Pairs {
			table.Rows[i].Pairs[j].P = 0.008
		}
	}
	check(t, withChosen(table).markdown(),
		"sets the test behind validation **is supported**: the divided step is significantly more accurate (p of 0.05 or less) in 6 of 6 settings and significantly less in 0 (sign test: p = 0.0312).")
	table.Rows[0].Pairs[1].P = 0.06
	check(t, withChosen(table).markdown(), "**is not supported**: the divided step is significantly more accurate (p of 0.05 or less) in 5 of 6 settings and significantly less in 0 (sign test: p = 0.0625).")
	for i := range table.Rows {
		for j := range table.Rows[i].Pairs {
			table.Rows[i].Pairs[j].P = 0.01
		}
	}
	check(t, withChosen(table).markdown(), "in 0 of 6 settings and significantly less in 0 (sign test: p = 1).")
}

// No pair is left open where no sample is unlabelled.
func TestStepsWithoutPairs(t *testing.T) {
	table := stepsTable()
	table.Rows[0].Cells[0] = got(50, 100, results.Fact{Name: similarFact})
	check(t, withChosen(table).markdown(), "With the paper's step every pair with an unlabelled sample ended as similar in 0 of 5 fits: none.")
}
