#!/usr/bin/python3
"""Computes the verdicts on the printed accuracies a second time, from the packs of
accepted cells, with numpy and nothing of the Go program:

    r2lmlbench verdict accuracy --format json > verdicts.json
    .ci/verdicts.py results/accepted/packs results/published/accuracy.yaml verdicts.json

Grids, steps, seeds and the rule of the three words stand here once more, so that a slip
on one side shows. It ends with status 1 if a mean, a standard deviation, a number of runs
or a word is another one, or the shares of moved values are.
"""

import json
import pathlib
import sys

import numpy as np

E_STEPS = dict(robot=-5, letter=-6, pendigits=-9, winequality=-8, telescope=-9, segmentation=-8, twonorm=-6, ringnorm=-6, ionosphere=-5,
               breasttissue=-11, coil20=-8, glass=-3, heart=-8, isolet=-7, optdigits=-6, sonar=-3, usps=-7, wpbc=-9)
T_STEPS = dict(robot=-9, letter=-9, pendigits=-11, winequality=-11, telescope=-11, segmentation=-11, twonorm=-9, ringnorm=-8, ionosphere=-6,
               breasttissue=-13, coil20=-10, glass=-6, heart=-9, isolet=-10, optdigits=-10, sonar=-5, usps=-10, wpbc=-11)
R2LML = dict(variant="reference", epochs=5, iterations=500, c=1)


def r2lml(steps, powers):
    def points(data):
        fixed = dict(R2LML, step=float(f"1e{steps[data]}"))
        return [dict(fixed, metrics=k, **{"lambda": float(f"1e{p}")}) for k in range(1, 8) for p in powers]
    return points


# By method: the settings of the grid in their order, on a data set.
POINTS = {
    "euclidean": lambda d: [{}],
    "itml": lambda d: [dict(gamma=float(f"1e{p}")) for p in range(-4, 5)],
    "lmnn": lambda d: [dict(neighbors=1, iterations=500, step=1e-7, validation=0.3)],
    "lmnn-mm": lambda d: [dict(neighbors=1, iterations=50, step=1e-7)],
    "glml": lambda d: [dict(shrinkage=1e-3, gamma=g) for g in [0, 1e-3, 1e-2, 0.1, 1, 10, 100]],
    "plml": lambda d: [dict(alpha1=a, alpha2=1, anchors=20, lambda1=1, lambda2=100) for a in [0.01, 0.1, 1, 10, 100]],
    "t-r2lml": r2lml(T_STEPS, range(-1, 8)),
    "e-r2lml": r2lml(E_STEPS, range(-2, 3)),
}
T_SEEDS = dict(ionosphere=5, breasttissue=5, coil20=5, glass=5, heart=5, sonar=5, wpbc=5, letter=1, isolet=1, optdigits=1, usps=1)


def planned(method, data):
    return {"e-r2lml": 10, "t-r2lml": T_SEEDS.get(data, 2)}.get(method, 20)


def labels(text):
    """Reads run lengths: "1x3 2" is 1, 1, 1, 2."""
    out = []
    for part in text.split():
        label, _, times = part.partition("x")
        out += [label] * int(times or 1)
    return np.array(out)


def runs(packs, method, data):
    """Accuracies in percent of the cells of the main reading, by seed."""
    path, found = packs / data / f"{method}.jsonl", {}
    for line in path.read_text().splitlines()[1:] if path.exists() else []:
        cell = json.loads(line)
        i = cell["inputs"]
        wanted = dict(ties="random", distances="repeat-first", neighbors=5, unlabeled="joint" if method == "t-r2lml" else None, folds=None, select=None)
        reduced = data in ("coil20", "isolet", "optdigits", "usps")
        if any(i.get(key) != value for key, value in wanted.items()) or "failed" in cell or "predicted" not in cell:
            continue
        if i["split"] != ("authors pca=standardized" if reduced else "authors"):
            continue
        if [p["params"] for p in i["points"]] != POINTS[method](data) or any(p.get("restart") for p in i["points"]):
            continue
        truth = labels(cell["truth"])
        found[i["seed"]] = 100 * np.mean(labels(cell["predicted"]) == truth), len(truth)
    return [found[seed] for seed in sorted(found) if seed <= planned(method, data)]


def word(printed, mean, sd, n, samples, plan):
    if n < plan or 2 * sd > 5 + 1e-9:
        return "cannot tell"
    return "agrees" if abs(printed - mean) <= max(1, 100 / samples, 2 * sd) + 1e-9 else "differs"


def main():
    packs, said = pathlib.Path(sys.argv[1]), json.load(open(sys.argv[3]))
    wrong, moved, agree = [], {2: [0, 0], 4: [0, 0]}, 0
    for v in said["verdicts"]:
        data = DATA[v["letter"]]
        all_runs = runs(packs, v["method"], data)
        accuracies = np.array([a for a, _ in all_runs])
        mean, sd = (accuracies.mean(), accuracies.std(ddof=1) if len(accuracies) > 1 else 0.0) if len(accuracies) else (None, 0.0)
        plan, printed = planned(v["method"], data), float(v["published"])
        samples = all_runs[0][1] if all_runs else v["samples"]
        ours = "cannot tell" if mean is None else word(printed, mean, sd, len(accuracies), samples, plan)
        agree += ours == "agrees"
        same = (v["verdict"] == ours and v["runs"] == len(accuracies) and v["planned"] == plan
                and (mean is None) == (v["mean"] is None) and abs((v["mean"] or 0) - (mean or 0)) < 1e-5 and abs(v["sd"] - sd) < 1e-5)
        if not same:
            wrong.append(f'{v["letter"]}/{v["method"]}: {len(accuracies)} of {plan} runs, {mean} ± {sd}, {ours}; the program has '
                         f'{v["runs"]} of {v["planned"]}, {v["mean"]} ± {v["sd"]}, {v["verdict"]}')
        if ours != "cannot tell":
            for points, count in moved.items():
                for sign in (-1, 1):
                    count[0] += word(printed + sign * points, mean, sd, len(accuracies), samples, plan) == "agrees"
                    count[1] += 1
    for m in said["moved"]:
        if [m["agree"], m["of"]] != moved[m["points"]]:
            wrong.append(f'moved by {m["points"]}: {moved[m["points"]]}, the program has {m["agree"]} of {m["of"]}')
    print("\n".join(wrong))
    print(f'{len(said["verdicts"])} verdicts, {agree} agree; {len(wrong)} differ from the program')
    sys.exit(1 if wrong or len(said["verdicts"]) != 144 else 0)


DATA = dict(zip("ABCDEFGHIJKLMNOPQR", ["robot", "letter", "pendigits", "winequality", "telescope", "segmentation", "twonorm", "ringnorm", "ionosphere",
                                       "breasttissue", "coil20", "glass", "heart", "isolet", "optdigits", "sonar", "usps", "wpbc"]))
main()
