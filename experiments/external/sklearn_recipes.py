#!/usr/bin/env python3
"""Methods of scikit-learn. The parameter recipe names one, the others are its own:

    knn             KNeighborsClassifier, with the k of the spec
    nca             the same after NeighborhoodComponentsAnalysis
    lda             LinearDiscriminantAnalysis
    logistic        LogisticRegression
    svm             SVC, which has a radial kernel
    random-forest   RandomForestClassifier
"""

import sys

from r2lmlbench import serve

try:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier, NeighborhoodComponentsAnalysis
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC
except ImportError as error:
    sys.exit(f"{error}; install scikit-learn (Debian: python3-sklearn) for {sys.executable}")

RECIPES = {
    "knn": KNeighborsClassifier,
    "nca": NeighborhoodComponentsAnalysis,
    "lda": LinearDiscriminantAnalysis,
    "logistic": LogisticRegression,
    "svm": SVC,
    "random-forest": RandomForestClassifier,
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
    if recipe == "knn":
        own.setdefault("n_neighbors", problem.neighbors)
    if "random_state" in known:
        own.setdefault("random_state", problem.seed % 2**32)
    model = RECIPES[recipe](**own)
    if recipe == "nca":
        model = make_pipeline(model, KNeighborsClassifier(problem.neighbors))
    return model.fit(problem.x, problem.y).predict(problem.query)


serve(fit)
