#!/usr/bin/env python3
"""Recomputes the verdicts on the printed accuracies from the packs of accepted
cells, with numpy alone and nothing of the Go program, and compares them with what
the program says:

    r2lmlbench verdict accuracy --format json > verdicts.json
    python3 docs/ladder.py results/accepted/packs results/published/accuracy.yaml verdicts.json

It ends with status 0 if every word, range, number of runs and margin is the same.
Protocols, grids, step lengths and words are spelled out here a second time, from
the paper's text and the ladder in README.md, so that a slip on one side shows.
"""

import json
import math
import pathlib
import sys
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np

E_STEPS = dict(robot=1e-5, letter=1e-6, pendigits=1e-9, winequality=1e-8, telescope=1e-9, segmentation=1e-8, twonorm=1e-6, ringnorm=1e-6,
               ionosphere=1e-5, breasttissue=1e-11, coil20=1e-8, glass=1e-3, heart=1e-8, isolet=1e-7, optdigits=1e-6, sonar=1e-3, usps=1e-7, wpbc=1e-9)
T_STEPS = dict(robot=1e-9, letter=1e-9, pendigits=1e-11, winequality=1e-11, telescope=1e-11, segmentation=1e-11, twonorm=1e-9, ringnorm=1e-8,
               ionosphere=1e-6, breasttissue=1e-13, coil20=1e-10, glass=1e-6, heart=1e-9, isolet=1e-10, optdigits=1e-10, sonar=1e-5, usps=1e-10, wpbc=1e-11)
R2LML = dict(variant="reference", epochs=5, iterations=500, c=1)
RESCALED = {"coil20", "isolet", "optdigits", "usps", "ringnorm"}

# By method: what is fixed, what is searched, and what the text leaves open.
METHODS = {
    "euclidean": (lambda d: {}, {}, []),
    "itml": (lambda d: {}, {"gamma": [1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4]}, []),
    "lmnn": (lambda d: dict(neighbors=1, iterations=500, step=1e-7, validation=0.3), {}, ["step"]),
    "lmnn-mm": (lambda d: dict(neighbors=1, iterations=50, step=1e-7), {}, ["iterations"]),
    "glml": (lambda d: dict(shrinkage=1e-3), {"gamma": [0, 1e-3, 1e-2, 0.1, 1, 10, 100]}, ["shrinkage"]),
    "plml": (lambda d: dict(alpha2=1, anchors=20, lambda1=1, lambda2=100), {"alpha1": [0.01, 0.1, 1, 10, 100]}, ["anchors", "lambda1", "lambda2"]),
    "t-r2lml": (lambda d: dict(R2LML, step=T_STEPS[d]), {"metrics": list(range(1, 8)), "lambda": [10.0 ** e for e in range(-1, 8)]},
                ["epochs", "iterations", "feature-scale", "unlabeled"]),
    "e-r2lml": (lambda d: dict(R2LML, step=E_STEPS[d]), {"metrics": list(range(1, 8)), "lambda": [10.0 ** e for e in range(-2, 3)]},
                ["epochs", "iterations", "feature-scale"]),
}
STOCHASTIC = {"itml", "lmnn", "lmnn-mm", "plml", "t-r2lml", "e-r2lml"}
WORDS = ["equal", "reproduced", "reproduced, ties", "reproduced, open setting", "reproduced by choice on test",
         "reproduced by choice on test, open setting"]
EQUAL, STATED, TIED, OPEN, ON_TEST, OPEN_ON_TEST = range(6)


def labels(text):
    """Reads run lengths: "1x3 2" is 1, 1, 1, 2."""
    out = []
    for part in text.split():
        label, _, times = part.partition("x")
        out += [int(label)] * int(times or 1)
    return np.array(out)


def percent(correct, n, decimals=2):
    exact = Decimal(100 * int(correct)) / Decimal(int(n))
    return str(exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-12) if isinstance(a, (int, float)) and isinstance(b, (int, float)) else a == b


def groups(cell, dataset, method):
    """Points of a cell by open setting, where they are those of the stated grid."""
    fixed, grid, opened = METHODS[method][0](dataset), METHODS[method][1], METHODS[method][2]
    opened = [o for o in opened if o != "feature-scale" or dataset in RESCALED]
    joint = cell["inputs"].get("unlabeled", "")
    if joint and "unlabeled" not in opened:
        return
    wanted = {()} if not grid else set(tuple(v) for v in np.array(np.meshgrid(*grid.values(), indexing="ij")).reshape(len(grid), -1).T.tolist())
    found = {}
    for i, point in enumerate(cell["inputs"]["points"]):
        params = point["params"]
        setting = ["unlabeled " + joint] if joint else []
        fits = not point.get("restart", 0)
        for name, value in params.items():
            if name in grid:
                continue
            if name in opened:
                if not close(value, fixed.get(name, 1)):
                    setting.append(name)
            elif name not in fixed or not close(value, fixed[name]):
                fits = False
        where = tuple(float(params[name]) for name in grid) if all(name in params for name in grid) else None
        key = tuple((name, params[name]) for name in opened if name in setting) + ((("unlabeled", joint),) if joint else ())
        found.setdefault(key, []).append((i, where, fits))
    for key, points in found.items():
        have = [where for _, where, _ in points]
        if all(fits for _, _, fits in points) and None not in have and len(have) == len(wanted) and all(
                any(np.allclose(w, h, rtol=1e-12, atol=0) for h in have) for w in wanted):
            yield key, [i for i, _, _ in points]


def runs_of(cells, dataset, method):
    """Runs as {(rung, setting): {seed: [correct, ...]}}."""
    out, ties = {}, False
    for cell in cells:
        seed, surface, profile = cell["inputs"]["seed"], cell.get("surface"), cell.get("validation")
        truth, predicted = labels(cell["truth"]), labels(cell["predicted"])
        right = {cell["chosen"]: int(np.sum(truth == predicted))}
        if surface:
            right.update({i: c for i, c in enumerate(surface["correct"]) if c >= 0})
        for setting, points in groups(cell, dataset, method):
            if profile:
                scores = np.array([profile["correct"][i] for i in points])
                if scores.max() < 0:
                    continue
                chosen = points[int(np.argmax(scores))]
                least = max(scores.max() - (1 if profile["n"] < 60 else 0), 0)
                tied = [i for i, s in zip(points, scores) if s >= least]
            else:
                chosen, tied = points[0], points[:1]
            add = lambda rung, which: out.setdefault((rung, setting), {}).setdefault(seed, [right[i] for i in which if i in right])
            if chosen in right:
                add(OPEN if setting else STATED, [chosen])
            if surface:
                best = max((right[i] for i in points if i in right), default=None)
                if best is not None:
                    out.setdefault((OPEN_ON_TEST if setting else ON_TEST, setting), {}).setdefault(seed, [best])
                if not setting:
                    ties = ties or len(tied) > 1
                    add(TIED, tied)
    if not ties:
        out.pop((TIED, ()), None)
    return out, len(labels(cells[0]["truth"])) if cells else 0


def verdict(row, runs, n, slack):
    """The word, its open setting, range, number of runs and margin of a printed number."""
    printed, decimals = float(row["accuracy"]), len(row["accuracy"].partition(".")[2])
    half = 0.5 * 10.0 ** -decimals
    margin = max(1.0, 100.0 / n if n else 0) + slack

    def spread(seeds):
        counts = [c for correct in seeds.values() for c in correct]
        return min(counts), max(counts), len(counts)

    def gap(seeds):
        low, high, _ = spread(seeds)
        distance = max(100 * low / n - printed, printed - 100 * high / n) - half
        return distance if distance > 1e-9 else 0.0

    stated = runs.get((STATED, ()))
    if not stated:
        return "untested", "", None, 0, margin
    low, high, count = spread(stated)
    if low == high and percent(low, n, decimals) == row["accuracy"] and (row["method"] not in STOCHASTIC or len(stated) > 1):
        return WORDS[EQUAL], "", (percent(low, n), percent(high, n)), count, margin
    def width(seeds):
        low, high, _ = spread(seeds)
        return high - low

    # The first rung; of several open settings the nearest, then the narrowest, then the one with the smallest value.
    reached = sorted((rung, gap(seeds), width(seeds), setting) for (rung, setting), seeds in runs.items() if gap(seeds) <= margin + 1e-9)
    if reached:
        rung, _, _, setting = reached[0]
        low, high, count = spread(runs[(rung, setting)])
        wide = " wide" if Fraction(100 * (high - low), n) > 10 else ""
        return WORDS[rung] + wide, setting, (percent(low, n), percent(high, n)), count, margin
    if all(printed > 100 * spread(seeds)[1] / n + half for seeds in runs.values()):
        word = "printed above"
    elif printed < 100 * low / n - half:
        word = "printed below"
    else:
        word = "between"
    return word, "", (percent(low, n), percent(high, n)), count, margin


def printed(path):
    """The printed numbers of the paper's table, whose lists are one line each."""
    columns, letter, dataset = [], "", ""
    for line in open(path, encoding="utf-8"):
        key, _, value = line.strip().removeprefix("- ").partition(": ")
        if key == "row":
            letter = value
        elif key == "name":
            dataset = value
        elif key in ("columns", "printed"):
            items = value.strip("[]").split(", ")
            columns = items if key == "columns" else columns
            if key == "printed":
                yield from ({"letter": letter, "dataset": dataset, "method": m, "accuracy": a} for m, a in zip(columns, items))


def main(packs, published, program):
    rows = list(printed(published))
    said = {(v["letter"], v["method"]): v for v in json.load(open(program))["verdicts"]}
    cells = {}
    for row in rows:
        path = pathlib.Path(packs, row["dataset"], row["method"] + ".jsonl")
        lines = path.read_text().splitlines()[1:] if path.exists() else []
        cells[row["letter"], row["method"]] = [
            c for c in map(json.loads, lines) if c["inputs"]["split"] == "authors" and c["inputs"]["neighbors"] == 5
            and not c["inputs"].get("select") and not c.get("failure")]
    wrong, counts = 0, {}
    slacks = {}
    for row in rows:
        at = row["letter"], row["method"]
        runs, n = runs_of(cells[at], row["dataset"], row["method"])
        if row["method"] == "euclidean":
            ours = next(iter(runs[STATED, ()].values()))[0] if runs else None
            slacks[row["letter"]] = abs(float(row["accuracy"]) - 100 * ours / n) if runs else 0.0
        slack = 0.0 if row["method"] == "euclidean" else slacks[row["letter"]]
        word, setting, span, count, margin = verdict(row, runs, n, slack)
        theirs = said[at]
        named = bool(setting) == bool(theirs.get("setting"))
        same = (word == theirs["verdict"] and count == theirs["runs"] and (list(span) if span else None) == theirs["range"]
                and abs(margin - float(theirs["margin"])) <= 0.005 + 1e-9 and named)
        if not same:
            wrong += 1
            print(f"{at[0]}/{at[1]}: here {word} {span} {count} runs margin {margin:.2f} {setting}; the program says "
                  f"{theirs['verdict']} {theirs['range']} {theirs['runs']} runs margin {theirs['margin']} {theirs.get('setting', '')}")
        counts[word.removesuffix(" wide")] = counts.get(word.removesuffix(" wide"), 0) + 1
    if len(said) != len(rows):
        wrong += 1
        print(f"{len(rows)} printed numbers, the program judges {len(said)}")
    print(f"{len(rows)} printed numbers: " + "; ".join(f"{w} {c}" for w, c in counts.items()) + f". {wrong} differ from the program.")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
