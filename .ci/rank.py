#!/usr/bin/python3
"""Ranks four files of answers by the program and by base R (rank.R beside this file), and
ends with status 1 if a number differs:

    .ci/rank.py PROGRAM

They are labels that scikit-learn's classifiers gave on two data sets, a leaderboard of 30
systems on 500 items with five pairs of equal systems, one with gaps (refused, and then on
common items), and eight data sets of five systems.
"""

import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier


def classifiers():
    for name, load in dict(iris=load_iris, cancer=load_breast_cancer).items():
        x, y = load(return_X_y=True)
        for system, model in dict(knn=KNeighborsClassifier(5), tree=DecisionTreeClassifier(random_state=1), bayes=GaussianNB(),
                                  logistic=LogisticRegression(max_iter=5000)).items():
            for i, label in enumerate(cross_val_predict(model, x, y, cv=5)):
                yield name, i, system, label, y[i]


def leaderboard(draw):
    for i in range(500):
        right = [int(draw.random() < 0.5 + 0.01 * s) for s in range(25)]
        for s in range(30):
            yield "all", i, f"s{s:02d}", right[s % 25]


def sets(draw):
    for d in range(8):
        for i in range(60):
            for s in range(5):
                yield f"d{d}", i, f"s{s}", int(draw.random() < 0.4 + 0.06 * s)


def close(a, b):
    """b has six significant digits."""
    return abs(float(a) - float(b)) <= 1e-5 * max(abs(float(a)), 1e-300)


def write(path, head, rows):
    with open(path, "w", newline="") as f:
        csv.writer(f).writerows([("dataset", "item", "system", *head), *rows])


def compare(program, folder, name, answers, gaps=False):
    """Answers end in right or wrong, or in label and truth, of which R gets the equality."""
    answers, path, plain = list(answers), pathlib.Path(folder, name + ".csv"), pathlib.Path(folder, "plain.csv")
    labels = len(answers[0]) == 5
    write(path, ("label", "truth") if labels else ("correct",), answers)
    write(plain, ("correct",), [(*a[:3], int(a[3] == a[4])) for a in answers] if labels else answers)
    rank = [program, "rank", str(path), "--format", "json", "--quiet"]
    if gaps:
        if subprocess.run(rank, capture_output=True).returncode != 3:
            sys.exit(f"{name}: answers that lack some are not refused")
        rank.append("--common")
    ours = json.loads(subprocess.run(rank, check=True, capture_output=True).stdout)
    table = {r["dataset"]: r for r in ours["rows"]}
    pairs = {(d, p["a"], p["b"]): p for d, r in table.items() for p in r["pairs"]}
    cells = {(d, c["method"]): c for d, r in table.items() for c in r["cells"]}
    over = ours.get("across", {})
    ranks = {r["column"]: r["rank"] for r in over.get("average_ranks", [])}
    across = {(p["a"], p["b"]): p for p in over.get("pairs", [])}
    r = subprocess.run(["Rscript", str(pathlib.Path(__file__).with_name("rank.R")), str(plain)], check=True, capture_output=True, text=True)
    n = bad = 0
    lines = len(pairs) + len(cells) + len(ranks) + len(across) + 2 * bool(over)
    if lines != len(r.stdout.splitlines()):
        sys.exit(f"{name}: R has {len(r.stdout.splitlines())} lines, the program {lines}")
    for kind, *fields in csv.reader(r.stdout.splitlines()):
        match kind, fields:
            case "pair", [d, a, b, only_a, only_b, p, holm]:
                q = pairs[d, a, b]
                checks = [q["b_count"] == int(only_a), q["c_count"] == int(only_b), close(p, q["p"]), close(holm, q["p_holm"])]
            case "system", [d, a, correct, place]:
                checks = [cells[d, a]["correct"] == int(correct), cells[d, a]["rank"] == int(place)]
            case "average", [a, value]:
                checks = [abs(float(ranks[a]) - float(value)) < 0.005001]
            case "friedman", [p]:
                checks = [close(p, over["friedman_p"])]
            case "critical", [value]:
                checks = [over["critical_difference"] == value]
            case "across", [a, b, difference, p, holm]:
                q = across[a, b]
                checks = [abs(float(q["difference"]) - float(difference)) < 0.011, close(p, q["p"]), close(holm, q["p_holm"])]
        n, bad = n + len(checks), bad + checks.count(False)
        if not all(checks):
            print(f"{name}: {kind} {fields}: {checks}")
    print(f"{name}: {n} numbers compared, {bad} differ")
    return bad


def main():
    program, draw = sys.argv[1], random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        board = list(leaderboard(draw))
        bad = compare(program, folder, "classifiers", classifiers())
        bad += compare(program, folder, "leaderboard", board)
        bad += compare(program, folder, "gaps", [a for a in board if draw.random() < 0.999], gaps=True)
        bad += compare(program, folder, "sets", sets(draw))
    sys.exit(bad > 0)


main()
