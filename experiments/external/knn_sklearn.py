#!/usr/bin/python3
"""scikit-learn's k nearest neighbors as an external method.

Parameters of the stanza: k, the number of neighbors (default: that of the
spec), and weights, "uniform" (default) or "distance".
"""

import json
import platform

import numpy as np
import sklearn
from sklearn.neighbors import KNeighborsClassifier

with open("params.json") as file:
    given = json.load(file)
own = given["params"]
train = np.loadtxt("train.csv", delimiter=",", skiprows=1, ndmin=2)
query = np.loadtxt("query.csv", delimiter=",", skiprows=1, ndmin=2)
model = KNeighborsClassifier(own.get("k", given["neighbors"]), weights=own.get("weights", "uniform"))
model.fit(train[:, 1:], train[:, 0].astype(int))
np.savetxt("predictions.csv", model.predict(query), fmt="%d", header="label", comments="")
with open("environment.json", "w") as file:  # what made the labels, for `explain`
    json.dump([f"{platform.python_implementation()} {platform.python_version()}", f"scikit-learn {sklearn.__version__}", f"numpy {np.__version__}"], file)
