#!/usr/bin/env python3
"""Recomputes the accuracies of a table from its long export, with pandas.

    r2lmlbench table SPEC --format long > long.csv
    docs/long/accuracy.py long.csv
"""
import sys

import pandas as pd

long = pd.read_csv(sys.argv[1], dtype={"dataset": "category", "split": "category", "method": "category"})
long = long[long.seed == 1]
cells = long.assign(correct=long.truth == long.predicted).groupby(["dataset", "split", "method"], observed=True).correct.agg(["sum", "size"])
# Percent with two decimals, halves rounded up, in whole numbers: 12345 stands for 123.45.
hundredths = (20000 * cells["sum"] + cells["size"]) // (2 * cells["size"])
cells["accuracy"] = [f"{h // 100}.{h % 100:02d}" for h in hundredths]
cells[["accuracy"]].to_csv(sys.stdout)
