#!/usr/bin/env python3
"""Metrics of the package metric-learn (0.7), each with k nearest neighbors, k that of
the spec. The parameter recipe names one, the others are its own:

    itml   ITML_Supervised      lmnn   LMNN      mmc    MMC_Supervised
    sdml   SDML_Supervised      lfda   LFDA      lsml   LSML_Supervised
"""

import sys

from r2lmlbench import serve

try:
    from metric_learn import LFDA, LMNN, ITML_Supervised, LSML_Supervised, MMC_Supervised, SDML_Supervised
    from sklearn.neighbors import KNeighborsClassifier
except ImportError as error:
    sys.exit(f"{error}; install metric-learn for {sys.executable}")

RECIPES = {
    "itml": ITML_Supervised,
    "lmnn": LMNN,
    "lfda": LFDA,
    "mmc": MMC_Supervised,
    "sdml": SDML_Supervised,
    "lsml": LSML_Supervised,
}


def fit(problem):
    own = dict(problem.params)
    recipe = own.pop("recipe", None)
    if recipe not in RECIPES:
        sys.exit(f"recipe {recipe!r} is unknown; known are {', '.join(RECIPES)}")
    known = RECIPES[recipe]().get_params()
    for name in own:
        if name not in known:
            sys.exit(f"{recipe} has no parameter {name!r}; it has {', '.join(known)}")
    if "random_state" in known:
        own.setdefault("random_state", problem.seed % 2**32)
    metric = RECIPES[recipe](**own).fit(problem.x, problem.y)
    neighbors = KNeighborsClassifier(problem.neighbors).fit(metric.transform(problem.x), problem.y)
    return neighbors.predict(metric.transform(problem.query))


serve(fit)
