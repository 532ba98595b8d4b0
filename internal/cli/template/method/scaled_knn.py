#!/usr/bin/env python3
"""k nearest neighbors after every feature is divided by its standard deviation.

r2lmlbench runs this program in a directory with train.csv, query.csv and
params.json, and reads predictions.csv. Parameters of the stanza: k, the number
of neighbors (default: that of the spec).
"""

import csv
import json
import statistics


def read(name):
    """Return the labels, if there are any, and the features of a file."""
    with open(name, newline="") as file:
        rows = csv.reader(file)
        labelled = next(rows)[0] == "label"
        labels, samples = [], []
        for row in rows:
            if labelled:
                labels.append(int(row.pop(0)))
            samples.append([float(value) for value in row])
    return labels, samples


def scales(samples):
    """Return the factor of every feature; a constant one keeps its scale."""
    return [1 / (statistics.pstdev(feature) or 1) for feature in zip(*samples)]


def distance(factors, a, b):
    return sum((f * (u - v)) ** 2 for f, u, v in zip(factors, a, b))


def vote(labels):
    """Return the most frequent label, the smallest of several."""
    return min(set(labels), key=lambda label: (-labels.count(label), label))


def main():
    with open("params.json") as file:
        given = json.load(file)
    k = given["params"].get("k", given["neighbors"])
    labels, samples = read("train.csv")
    _, queries = read("query.csv")
    factors = scales(samples)
    with open("predictions.csv", "w") as out:
        print("label", file=out)
        for query in queries:
            distances = [distance(factors, query, sample) for sample in samples]
            order = sorted(range(len(samples)), key=distances.__getitem__)
            print(vote([labels[i] for i in order[:k]]), file=out)


main()
