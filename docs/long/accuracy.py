#!/usr/bin/env python3
"""Recomputes the accuracies of a table from its long export, with pandas.

    r2lmlbench table SPEC --format long > long.csv
    docs/long/accuracy.py long.csv
"""
import math
import re
import sys
from fractions import Fraction

try:
    import pandas as pd
except ImportError as error:
    sys.exit(f"{error}; install pandas (Debian: python3-pandas) for {sys.executable}")
if len(sys.argv) != 2:
    sys.exit("usage: accuracy.py LONG.CSV")

keys = ["dataset", "split", "method"]
long = pd.read_csv(sys.argv[1], usecols=keys + ["seed", "truth", "predicted"], dtype=dict.fromkeys(keys, "category"))
long = long[long.seed == 1]
cells = long.assign(correct=long.truth == long.predicted).groupby(keys, observed=True).correct.agg(["sum", "size"]).reset_index()
# One row for all splits of a rule, as in the table: its name is that without repeat and fold. Its
# accuracy is the mean of the splits' accuracies.
cells["split"] = [re.sub(" (repeat|fold)=[0-9]+", "", name) for name in cells.split]
cells["accuracy"] = [Fraction(int(right), int(n)) for right, n in zip(cells["sum"], cells["size"])]
means = cells.groupby(keys, observed=True).accuracy.apply(lambda shares: sum(shares) / len(shares))
# Percent with two decimals, halves rounded up, in whole numbers: 12345 stands for 123.45.
hundredths = [math.floor(10000 * mean + Fraction(1, 2)) for mean in means]
means[:] = [f"{h // 100}.{h % 100:02d}" for h in hundredths]
means.to_csv(sys.stdout)
