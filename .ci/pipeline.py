#!/usr/bin/python3
"""Computes the Euclidean accuracies behind `run pipeline` a second time, from the raw
files of six data sets, with numpy and nothing of the Go program:

    r2lmlbench table pipeline --format json > table.json
    .ci/pipeline.py RAW table.json

For each reading of the data pipeline (ties, distances, PCA) it counts the test samples
that one label wins rightly, those tied between 2 to 5 labels with the true one among
them, and those that the smallest tied label gets right. It ends with status 1 if the
table has another count.
"""

import gzip
import json
import pathlib
import sys

import numpy as np

NEIGHBORS = 5

# Letter, folder, files, place of the label, training, validation and test samples of a
# class (None: all that are left), columns to drop, principal components.
SETS = [
    ("B", "letter", ["letter-recognition.data"], 0, 20, 100, 100, [], None),
    ("C", "pendigits", ["pendigits.tra", "pendigits.tes"], -1, 40, 200, 200, [], None),
    ("F", "segmentation", ["segmentation.data", "segmentation.test"], 0, 30, 30, 270, [2], None),
    ("L", "glass", ["glass.data"], -1, 3, 3, None, [0], None),
    ("N", "isolet", ["isolet1+2+3+4.data", "isolet5.data"], -1, 20, 140, None, [], 30),
    ("O", "optdigits", ["optdigits.tra", "optdigits.tes"], -1, 40, 240, None, [], 32),
]


def lines_of(path):
    if path.exists():
        return path.read_text().splitlines()
    return gzip.open(str(path) + ".gz", "rt").read().splitlines()


def read(raw, folder, names, label, drop):
    rows, labels = [], []
    for name in names:
        for line in lines_of(raw / folder / name):
            fields = [f.strip() for f in line.split(",")]
            name = fields.pop(label)
            try:
                values = [float(f) for f in fields]
            except ValueError:
                continue  # a line of the head
            if len(values) < 5:
                continue
            labels.append(name)
            rows.append([v for i, v in enumerate(values) if i not in drop])
    return np.array(rows), labels


def codes_of(folder, labels):
    """Numbers in numeric order, letters by the alphabet, other texts as they appear."""
    distinct = list(dict.fromkeys(labels))
    if folder == "segmentation":
        order = distinct
    elif folder == "letter":
        order = sorted(distinct)
    else:
        order = sorted(distinct, key=float)
    return np.array([order.index(name) for name in labels])


def split(y, train, validation, test):
    """Classes in the order of their codes; within a class, rows in the order of the files."""
    parts = [], []
    for code in range(y.max() + 1):
        rows = np.flatnonzero(y == code)
        rest = rows[train + validation:]
        parts[0].extend(rows[:train])
        parts[1].extend(rest if test is None else rest[:test])
    return np.array(parts[0]), np.array(parts[1])


def components(x, k, standardized):
    x = x - x.mean(axis=0)
    if standardized:
        sd = x.std(axis=0, ddof=1)
        x = x / np.where(sd > 1e-10, sd, 1)
    values, vectors = np.linalg.eigh(x.T @ x)
    return x @ vectors[:, np.argsort(values)[::-1][:k]]


def tally(x, y, train, test, distances):
    """Counts by number of tied labels, and the rights of the smallest label."""
    won, smallest = np.zeros(NEIGHBORS + 1, int), 0
    for q in test:
        d = ((x[train] - x[q]) ** 2).sum(axis=1)
        near = np.argsort(d, kind="stable")[:NEIGHBORS]
        if distances == "repeat-first":
            near = [np.flatnonzero(d == d[n])[0] for n in near]
        votes = np.bincount(y[train][near], minlength=y.max() + 1)
        tied = np.flatnonzero(votes == votes.max())
        won[len(tied)] += y[q] in tied
        smallest += y[q] == tied[0]
    return won, smallest


def main():
    raw, table = pathlib.Path(sys.argv[1]), json.load(open(sys.argv[2]))
    rows = {row["letter"]: {cell["method"]: cell for cell in row["cells"]} for row in table["rows"]}
    checked = wrong = 0
    for letter, folder, names, label, train, validation, test, drop, k in SETS:
        features, labels = read(raw, folder, names, label, drop)
        y = codes_of(folder, labels)
        train, test = split(y, train, validation, test)
        for pca in ["centered", "standardized"]:
            x = features if k is None else components(features, k, pca == "standardized")
            for distances in ["each", "repeat-first"]:
                won, smallest = tally(x, y, train, test, distances)
                for ties in ["smallest", "random"]:
                    cell = rows[letter][f"{ties} {distances} {pca}"]
                    said = [0] * (NEIGHBORS + 1)
                    for fact in cell["facts"]:
                        words = fact["name"].split()
                        said[1 if words[1] == "won" else int(words[3])] = fact["count"]
                    same = said[1:] == won[1:].tolist() and (ties == "random" or cell["correct"] == smallest)
                    checked, wrong = checked + 1, wrong + (not same)
                    mean = won[1] + sum(won[t] / t for t in range(2, NEIGHBORS + 1))
                    print(f"{letter} {ties} {distances} {pca}: {100 * mean / len(test):.2f} over draws, "
                          f"{100 * smallest / len(test):.2f} smallest", "" if same else f"-- the table has {said[1:]}, {cell['correct']}")
    print(f"{checked} counts, {wrong} differ")
    sys.exit(1 if wrong or not checked else 0)


main()
