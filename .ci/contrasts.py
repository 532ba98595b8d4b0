#!/usr/bin/python3
"""Computes the contrasts of a spec a second time, from the predictions of all cells,
with numpy, scipy and nothing of the Go program:

    r2lmlbench table pays --format long > long.csv
    r2lmlbench table pays --per-split --format json > table.json
    .ci/contrasts.py long.csv table.json

Accuracies are counted from the first file. The second one has our numbers, and the right
validation samples of every cell, from which a side of several columns chooses. It ends
with status 1 if a mean, an interval, a count, a p-value or a probability is another one.
The posterior is drawn anew, so that its probabilities may differ by 0.02.
"""

import collections
import json
import sys

import numpy as np
from scipy import stats

ROPE = 1  # points


def accuracies(path):
    """Return {data set: {method: {split: percent of test samples}}}, of one fit a split."""
    right, rows = collections.Counter(), collections.Counter()
    with open(path) as file:
        head = next(file).rstrip("\n").split(",")
        place = [head.index(name) for name in ("dataset", "split", "method", "seed", "truth", "predicted")]
        for line in file:
            field = line.rstrip("\n").split(",")
            dataset, split, method, seed, truth, predicted = (field[i] for i in place)
            rows[dataset, split, method, seed] += 1
            right[dataset, split, method, seed] += truth == predicted
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    for (dataset, split, method, seed), n in rows.items():
        assert seed == "1", "want one seed"
        found[dataset][method][split] = 100 * right[dataset, split, method, seed] / n
    return found


def validated(rows):
    """Return {(data set, split, method): share of right validation samples}, 0 without a choice."""
    found = {}
    for row in rows:
        for cell in row["cells"]:
            v = cell.get("validation") or {"correct": 0, "of": 1}
            found[row["dataset"], row["split"], cell["method"]] = v["correct"] / v["of"]
    return found


def picked(methods, columns, split, score):
    """Return the accuracy of the column that is best on validation samples, of equal ones the first."""
    return methods[max(columns, key=lambda m: score(split, m))][split]


def signed_rank(d, draws=20000):
    """Return the probabilities that a is better, equivalent and worse (Benavoli et al.
    2017): Dirichlet weights over the differences and one 0 of prior weight 0.5."""
    z = np.append(0.0, d)
    sums = z[:, None] + z[None, :]
    w = np.random.default_rng(7).dirichlet([0.5] + [1] * len(d), draws)
    mass = [np.einsum("ti,ij,tj->t", w, part.astype(float), w) for part in (sums > 2 * ROPE, abs(sums) <= 2 * ROPE, sums < -2 * ROPE)]
    best = np.argmax(mass, axis=0)
    return [np.mean(best == i) for i in range(3)]


def median_interval(d):
    """Return the k-th smallest and the k-th largest, of the largest k that has the median between them in 95 %."""
    n = len(d)
    k = max(k for k in range(n // 2 + 1) if k == 0 or 1 - 2 * stats.binom.cdf(k - 1, n, 0.5) >= 0.95)
    return np.sort(d)[k - 1], np.sort(d)[n - k]


def contrast(found, validation, a, b):
    """Return the numbers of a contrast of two lists of columns by their names."""
    d = []
    for dataset, methods in found.items():
        def score(split, method):
            return validation[dataset, split, method]
        splits = set.intersection(*(set(methods[m]) for m in a + b))
        if splits:
            d.append(round(np.mean([round(picked(methods, a, s, score) - picked(methods, b, s, score), 9) for s in splits]), 9))
    d = np.array(d)
    half = stats.t.ppf(0.975, len(d) - 1) * d.std(ddof=1) / np.sqrt(len(d))
    better, equivalent, less = signed_rank(d)
    median_low, median_high = median_interval(d)
    return dict(sets=len(d), mean=d.mean(), low=d.mean() - half, high=d.mean() + half, detectable=half, median=np.median(d),
                **{"median.low": median_low, "median.high": median_high}, wins=(d > 0).sum(), ties=(d == 0).sum(), losses=(d < 0).sum(),
                above=(d > ROPE).sum(), within=(abs(d) <= ROPE).sum(), below=(d < -ROPE).sum(),
                p=stats.wilcoxon(d[d != 0], method="exact").pvalue, better=better, equivalent=equivalent, less=less)


def holm(p):
    """Return p-values after Holm's correction."""
    order, worst = np.argsort(p), 0
    corrected = np.empty(len(p))
    for rank, i in enumerate(order):
        worst = corrected[i] = max(worst, min(1, (len(p) - rank) * p[i]))
    return corrected


def main(long, table):
    with open(table) as file:
        ours = json.load(file)
    found, validation, compared, wrong = accuracies(long), validated(ours["rows"]), 0, 0
    contrasts = {c["name"]: (c["numbers"], contrast(found, validation, c["a"], c["b"])) for c in ours["contrasts"]}
    corrected = holm([numbers["p"] for _, numbers in contrasts.values()])
    for (name, (printed, numbers)), numbers["holm"] in zip(contrasts.items(), corrected):
        for number, want in numbers.items():
            # Two decimals are printed, of a small p two digits.
            slack = 0.02 if number in ("better", "equivalent", "less") else 0.06 * want if number in ("p", "holm") else 0.00501
            compared += 1
            if abs(want - float(printed[number])) > slack:
                wrong += 1
                print(f"{name}: {number} is {printed[number]}, want {want:.4f}")
    print(f"{compared} numbers of {len(contrasts)} contrasts compared, {wrong} differ")
    return wrong > 0 or compared == 0


sys.exit(main(*sys.argv[1:]))
