#!/usr/bin/env python3
"""Split samples into training, validation and test samples for r2lmlbench.

    python3 data/split.py data/samples.csv data/samples.mat

The CSV file has a header, the class of a sample in the column label and numbers
in all others. Of every ten samples of a class the first four train, the next two
validate and the last four test. The output is a MAT-file (level 5) with the
matrices train_data, cross_data and test_data, a sample per column, its class
from 1 in the last row.
"""

import csv
import struct
import sys

PARTS = {"train_data": range(0, 4), "cross_data": range(4, 6), "test_data": range(6, 10)}


def read(name):
    """Return the label and the features of every sample."""
    with open(name, newline="") as file:
        return [(row.pop("label"), [float(value) for value in row.values()]) for row in csv.DictReader(file)]


def split(samples):
    """Return the columns of every matrix."""
    codes = {label: code for code, label in enumerate(sorted({label for label, _ in samples}), 1)}
    seen = dict.fromkeys(codes, 0)
    columns = {name: [] for name in PARTS}
    for label, features in samples:
        part = next(name for name, places in PARTS.items() if seen[label] % 10 in places)
        columns[part].append([*features, float(codes[label])])
        seen[label] += 1
    return columns


def element(kind, data):
    """Return a data element of a MAT-file, padded to a multiple of eight bytes."""
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def matrix(name, columns):
    """Return a matrix of doubles with these columns."""
    double, int8, int32, uint32, whole = 9, 1, 5, 6, 14
    values = [value for column in columns for value in column]
    parts = [
        element(uint32, struct.pack("<II", 6, 0)),
        element(int32, struct.pack("<ii", len(columns[0]), len(columns))),
        element(int8, name.encode()),
        element(double, struct.pack(f"<{len(values)}d", *values)),
    ]
    return element(whole, b"".join(parts))


def main(source, target):
    columns = split(read(source))
    with open(target, "wb") as file:
        file.write(b"r2lmlbench".ljust(124) + struct.pack("<HH", 0x0100, 0x4D49))
        for name in PARTS:
            file.write(matrix(name, columns[name]))


if __name__ == "__main__":
    main(*sys.argv[1:])
