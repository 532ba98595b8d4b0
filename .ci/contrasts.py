#!/usr/bin/python3
"""Computes the contrasts of two columns a second time, from the predictions of all cells,
with numpy, scipy and nothing of the Go program:

    r2lmlbench table pays --format long > long.csv
    r2lmlbench table pays --format json > table.json
    .ci/contrasts.py long.csv table.json

Contrasts with a list of columns are left out: they need the validation samples, which the
long form does not have. It ends with status 1 if a mean, an interval, a count, a p-value
or a probability is another one. The posterior is drawn anew, so that its probabilities
may differ by 0.02.
"""

import collections
import json
import sys

import numpy as np
from scipy import stats

ROPE = 1  # points


def accuracies(path):
    """Return {data set: {method: {split: percent}}}, of one fit a split."""
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


def signed_rank(d, draws=20000):
    """Return the probabilities that a is better, equivalent and worse (Benavoli et al.
    2017): Dirichlet weights over the differences and one 0 of prior weight 0.5."""
    z = np.append(0.0, d)
    sums = z[:, None] + z[None, :]
    w = np.random.default_rng(7).dirichlet([0.5] + [1] * len(d), draws)
    mass = [np.einsum("ti,ij,tj->t", w, part.astype(float), w) for part in (sums > 2 * ROPE, abs(sums) <= 2 * ROPE, sums < -2 * ROPE)]
    best = np.argmax(mass, axis=0)
    return [np.mean(best == i) for i in range(3)]


def contrast(found, a, b):
    """Return the numbers of a contrast by their names."""
    d = []
    for methods in found.values():
        splits = [s for s in methods[a] if s in methods[b]]
        if splits:
            d.append(round(np.mean([round(methods[a][s] - methods[b][s], 9) for s in splits]), 9))
    d = np.array(d)
    half = stats.t.ppf(0.975, len(d) - 1) * d.std(ddof=1) / np.sqrt(len(d))
    better, equivalent, less = signed_rank(d)
    return dict(sets=len(d), mean=d.mean(), low=d.mean() - half, high=d.mean() + half, detectable=half, median=np.median(d),
                wins=(d > 0).sum(), ties=(d == 0).sum(), losses=(d < 0).sum(),
                above=(d > ROPE).sum(), within=(abs(d) <= ROPE).sum(), below=(d < -ROPE).sum(),
                p=stats.wilcoxon(d[d != 0], method="exact").pvalue, better=better, equivalent=equivalent, less=less)


def main(long, table):
    found, compared, wrong = accuracies(long), 0, 0
    with open(table) as file:
        contrasts = json.load(file)["contrasts"]
    for c in contrasts:
        if len(c["a"]) > 1 or len(c["b"]) > 1:
            continue
        for name, ours in contrast(found, c["a"][0], c["b"][0]).items():
            theirs = float(c["numbers"][name])
            # Two decimals are printed, of a small p two digits.
            slack = 0.02 if name in ("better", "equivalent", "less") else 0.06 * ours if name == "p" else 0.00501
            compared += 1
            if abs(ours - theirs) > slack:
                wrong += 1
                print(f"{c['name']}: {name} is {theirs}, want {ours:.4f}")
    print(f"{compared} numbers of contrasts compared, {wrong} differ")
    return wrong > 0 or compared == 0


sys.exit(main(*sys.argv[1:]))
