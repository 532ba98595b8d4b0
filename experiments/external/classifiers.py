#!/usr/bin/env python3
"""Classifiers of scikit-learn as external methods: context for the metrics.

Parameters of the stanza:

    scikit-learn   its version, such as 1.2.1; another one is refused, since it may
                   predict something else
    classifier     logistic-regression, rbf-svm or random-forest

and those of the classifier, all of which must be given:

    logistic-regression   C: weight of the data against the squared norm of the weights
    rbf-svm               C: the same; gamma: the kernel's, in units of one over the
                          sum of the variances of the features in the training samples
    random-forest         trees: their number; tried: how many features a split tries,
                          as a share of all of them, or sqrt

They learn from the training samples alone, as the methods in Go do. One thread
computes, so that `run --workers` says how many do. Only the forest draws random numbers.
"""

import json
import os
import sys

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[library + "_NUM_THREADS"] = "1"

try:
    import numpy as np
    import sklearn
except ImportError as error:
    sys.exit(f"{error}; install scikit-learn (Debian: python3-sklearn) for {sys.executable}, or put a Python that has it first in PATH")


def logistic_regression(own, samples, seed):
    from sklearn.linear_model import LogisticRegression
    return LogisticRegression(C=own["C"], max_iter=1000)


def rbf_svm(own, samples, seed):
    from sklearn.svm import SVC
    spread = samples.var(axis=0).sum()
    if spread == 0:
        sys.exit("rbf-svm: all training samples are equal")
    return SVC(C=own["C"], gamma=own["gamma"] / spread)


def random_forest(own, samples, seed):
    from sklearn.ensemble import RandomForestClassifier
    features = own["tried"]
    if features != "sqrt":
        features = max(1, round(features * samples.shape[1]))
    return RandomForestClassifier(own["trees"], max_features=features, random_state=seed % 2**32)


# The classifiers, each with its parameters.
CLASSIFIERS = {
    "logistic-regression": (logistic_regression, ["C"]),
    "rbf-svm": (rbf_svm, ["C", "gamma"]),
    "random-forest": (random_forest, ["trees", "tried"]),
}


def fault(key, value):
    """Return what a parameter should be when it is something else."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
    if key == "trees" and not (number and isinstance(value, int)):
        return "a positive whole number"
    if key == "tried" and value != "sqrt" and not (number and value <= 1):
        return "a positive share of at most 1, or sqrt"
    if key in ("C", "gamma") and not number:
        return "a positive number"


def checked(own):
    """Return the classifier that the parameters name, or end with what is wrong."""
    wanted = own.pop("scikit-learn", None)
    if wanted is None:
        sys.exit(f"the parameter scikit-learn is not set; give the version, which here is {sklearn.__version__}")
    if wanted != sklearn.__version__:
        sys.exit(f"scikit-learn is {sklearn.__version__}, the stanza has {wanted}; install that one, or change the stanza")
    name = own.pop("classifier", None)
    if name not in CLASSIFIERS:
        sys.exit(f"unknown classifier {name!r}; known are {', '.join(CLASSIFIERS)}")
    make, keys = CLASSIFIERS[name]
    for key in own:
        if key not in keys:
            sys.exit(f"{name}: unknown parameter {key!r}; known are {', '.join(keys)}")
    for key in keys:
        if key not in own:
            sys.exit(f"{name}: the parameter {key} is not set")
        if wants := fault(key, own[key]):
            sys.exit(f"{name}: {key} is {own[key]!r}, want {wants}")
    return make


def main():
    with open("params.json") as file:
        given = json.load(file)
    own = given["params"]
    make = checked(own)
    train = np.loadtxt("train.csv", delimiter=",", skiprows=1, ndmin=2)
    query = np.loadtxt("query.csv", delimiter=",", skiprows=1, ndmin=2)
    labels, samples = train[:, 0].astype(int), train[:, 1:]
    model = make(own, samples, given["seed"]).fit(samples, labels)
    np.savetxt("predictions.csv", model.predict(query), fmt="%d", header="label", comments="")


main()
