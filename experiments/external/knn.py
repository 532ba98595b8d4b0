#!/usr/bin/env python3
"""k nearest neighbors as an external method, with the standard library only.

Parameters of the stanza: k, the number of neighbors (default: that of the spec).
"""

import csv
import json


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


def squared_distance(a, b):
    total = 0.0
    for u, v in zip(a, b):
        total += (u - v) * (u - v)
    return total


def vote(labels):
    """Return the most frequent label, the smallest of several."""
    return min(set(labels), key=lambda label: (-labels.count(label), label))


def main():
    with open("params.json") as file:
        given = json.load(file)
    k = given["params"].get("k", given["neighbors"])
    labels, samples = read("train.csv")
    _, queries = read("query.csv")
    with open("predictions.csv", "w") as out:
        print("label", file=out)
        for query in queries:
            distances = [squared_distance(query, sample) for sample in samples]
            order = sorted(range(len(samples)), key=distances.__getitem__)
            print(vote([labels[i] for i in order[:k]]), file=out)


main()
