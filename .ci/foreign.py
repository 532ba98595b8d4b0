#!/usr/bin/python3
"""Writes 200 tables with pandas, numpy, scipy, scikit-learn and pyarrow if it is there, and reads
each twice: the program finds out by itself how a file is laid out, and `fit` keeps its cells in a
model; a library is told how the file was written. Cells and labels must be the same.

    .ci/foreign.py PROGRAM [FOLDER]       the files stay in the folder

Then a cell and a label of the program are changed in one file of each kind, which must be noticed.
Tables of scores and files of predictions follow, which `rank` and `import` read.
At last the same tables are written in all formats, and `compare` must give the same labels for each.
It ends with status 1 if a cell differs, or a change is not noticed.
"""

import bz2
import concurrent.futures
import csv
import gzip
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings
import zipfile

import numpy as np
import pandas
import scipy.io
import scipy.io.arff
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

warnings.simplefilter("ignore")  # of arguments that other versions of pandas call otherwise
MISSING = ["", "?", "NA", "N/A", "NaN", "nan", "null", "na", "NULL", "<NA>"]
AMONG_NUMBERS = MISSING + ["none", "None", ".", "-", "#N/A"]
WORDS = ["red", "dark lime", "it's", "none", "a,b", "x;y", "10 %", "Zürich", "µ", "A", "-", "p|q", "5more", "say \"so\"", "first\nsecond", "back\\slash"]


class Drawn:
    """A table drawn with a seed: numbers, whole numbers, texts and truth values, with gaps, and a label."""

    def __init__(self, seed, texts=True, gaps=True):
        self.draw = draw = random.Random(seed)
        self.n = draw.randint(30, 70)
        self.kinds = ["decimal"] + [draw.choice(["decimal", "whole"] + ["text", "truth"] * texts) for _ in range(draw.randint(1, 5))]
        self.label = draw.choice(["class", "the label", "y", "Ziel"])
        share = draw.choice([0, 0, 0.1]) * gaps
        columns = {}
        for j, kind in enumerate(self.kinds):
            name = draw.choice(["v", "width of it", "größe", "Petal.Length", "q(x)"]) + str(j)
            columns[name] = [None if i > 4 and draw.random() < share else self.value(kind, j) for i in range(self.n)]
        classes = draw.choice([["yes", "no"], ["1", "2", "3"], ["-1", "1"], ["setosa", "virginica", "NA"], ["a b", "c"]])
        labels = [classes[i % len(classes)] for i in range(self.n)]
        draw.shuffle(labels)
        self.frame = pandas.DataFrame(columns)
        self.frame[self.label] = labels
        self.numbers = [kind in ("decimal", "whole") for kind in self.kinds]

    def value(self, kind, j):
        if kind == "decimal":
            return round(self.draw.gauss(0, 1) * 10 ** self.draw.randint(-4, 5), 6) + 0.5 * (j % 2)
        if kind == "whole":
            return self.draw.randint(-3, 40)
        return self.draw.choice(WORDS[j % 5::5] if kind == "text" else [True, False])

    def matrix(self):
        """The numbers alone, and codes of the classes."""
        x = self.frame.iloc[:, :-1].to_numpy(dtype=float)
        return x, self.frame[self.label].astype("category").cat.codes.to_numpy()


class File:
    """A file: how it is called, its bytes, the label to name, and what a library reads:
    for each column numbers (NaN: missing) or texts (None: missing), and the labels."""

    def __init__(self, suffix, content, label, columns, labels):
        self.suffix, self.content, self.label = suffix, content, label
        self.columns, self.labels = columns, [str(v) for v in labels]


def of_frame(d, label, numbers):
    columns = {}
    for (name, c), number in zip(d.drop(columns=label).items(), numbers):
        columns[str(name)] = list(c.astype(float)) if number else [None if pandas.isna(v) else str(v).strip() for v in c]
    return columns, list(d[label])


def packed(draw, content, suffix):
    how = draw.choice(["", "", "", "gz", "bz2", "zip"])
    if how == "gz":
        return gzip.compress(content, mtime=0), suffix + ".gz"
    if how == "bz2":
        return bz2.compress(content), suffix + ".bz2"
    if how == "zip":
        b = io.BytesIO()
        with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("folder/table" + suffix, content)
        return b.getvalue(), suffix + ".zip"
    return content, suffix


def delimited(seed):
    """pandas.to_csv, read by pandas.read_csv."""
    t = Drawn(seed)
    draw, d = t.draw, t.frame
    sep = draw.choice([",", ",", ";", "\t", "|"])
    decimal = "," if sep in ";\t" and draw.random() < 0.3 else "."
    if "," in decimal:
        d = d.drop(columns=[name for name, kind in zip(d, t.kinds) if kind == "whole"])
        t.numbers = [number for number, kind in zip(t.numbers, t.kinds) if kind != "whole"]
    mark = draw.choice(["", "", "NA", "?", "nan", "-", "none"])
    index, quoting = draw.random() < 0.2, draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
    encoding = draw.choice(["utf-8", "utf-8", "utf-8-sig"])
    content = d.to_csv(sep=sep, decimal=decimal, na_rep=mark, index=index, quoting=quoting, line_terminator=draw.choice(["\n", "\r\n"])).encode(encoding)
    marks = {name: AMONG_NUMBERS if number else MISSING for name, number in zip(d, t.numbers)}
    read = pandas.read_csv(io.BytesIO(content), sep=sep, decimal=decimal, index_col=0 if index else None, encoding=encoding,
                           keep_default_na=False, na_values=marks, dtype={name: str for name in d if name not in marks or marks[name] is MISSING})
    read = read[~read[t.label].isin(MISSING)]  # rows without a label are left out
    content, suffix = packed(draw, content, draw.choice([".csv", ".tsv", ".txt", ".data", ""]))
    return File(suffix, content, t.label, *of_frame(read, t.label, t.numbers))


def framed(seed):
    """A table of pandas between titles, comments and a column with units, read by pandas.read_csv."""
    t = Drawn(seed, gaps=False)
    draw, d = t.draw, t.frame
    sep, mark, title = draw.choice([",", ";", "\t"]), draw.choice(["", "#", "%"]), draw.choice(["", "Results of 2020", "Two lines\nbefore the table"])
    d.insert(0, "width", [f"{i + draw.random():.2f} {draw.choice(['kg', '%'])}" for i in range(t.n)])
    lines = d.to_csv(sep=sep, index=False, quoting=csv.QUOTE_NONNUMERIC).splitlines()
    k = max(i for i in range(5, 15) if sum(line.count('"') for line in lines[:i]) % 2 == 0)  # not within quotes
    if mark:
        lines.insert(k, f"{mark} from here on{sep} others")
        lines.append(mark + " end")
    content = "\n".join([*title.splitlines(), *[""] * draw.randint(0, 1), *lines]).encode() + b"\n"
    read = pandas.read_csv(io.BytesIO(content), sep=sep, skiprows=len(title.splitlines()), comment=mark or None, keep_default_na=False,
                           na_values=MISSING, dtype={name: str for name, number in zip(d.columns[1:], t.numbers) if not number})
    read = read[~read[t.label].isna()].drop(columns="width")
    content, suffix = packed(draw, content, draw.choice([".csv", ".txt"]))
    return File(suffix, content, t.label, *of_frame(read, t.label, t.numbers))


def keel(seed):
    """The form of KEEL around rows of pandas, read by pandas.read_csv."""
    t = Drawn(seed, texts=False)
    d, draw = t.frame.rename(columns={name: f"v{j}" for j, name in enumerate(t.frame)}), t.draw
    first = draw.random() < 0.3  # the output need not be the last
    d = d[[d.columns[-1], *d.columns[:-1]]] if first else d
    output = d.columns[0 if first else -1]
    head = ["@relation drawn"]
    for name in d:
        number = f"real [{d[name].min()}, {d[name].max()}]" if name != output else "{" + ", ".join(sorted(set(d[name]))) + "}"
        head.append(f"@attribute {name} {number}")
    head += ["@inputs " + ", ".join(d.columns.drop(output)), "@outputs " + output, "@data"]
    rows = d.to_csv(index=False, header=False, na_rep="<null>", sep=",")
    content = ("\n".join(head) + "\n" + rows.replace(",", draw.choice([",", ", "]))).encode()
    read = pandas.read_csv(io.StringIO(rows), names=list(d), na_values=["<null>"], keep_default_na=False, dtype={output: str})
    return File(draw.choice([".dat", ".arff", ".txt"]), content, None, *of_frame(read, output, [True] * t.frame.shape[1]))


def numbered(d):
    """Names of the columns of a file without names."""
    return {f"x{j + 1}": list(c) for j, c in enumerate(np.asarray(d, dtype=float).T)}


def savetxt(seed):
    """numpy.savetxt, read by numpy.genfromtxt."""
    t = Drawn(seed, texts=False, gaps=False)
    x, y = t.matrix()
    sep, head = t.draw.choice([",", " ", "\t", ";", "  "]), t.draw.choice(["", "#", "bare"])
    names = [f"v{j}" for j in range(x.shape[1])] + ["class"]
    b = io.BytesIO()
    np.savetxt(b, np.column_stack([x, y]), delimiter=sep, fmt=[t.draw.choice(["%.18e", "%.6g", "%10.4f"])] * x.shape[1] + ["%d"],
               header=sep.join(names) if head else "", comments="# " if head == "#" else "")
    a = np.genfromtxt(io.BytesIO(b.getvalue()), delimiter=None if not sep.strip(" ") else sep, skip_header=head == "bare")
    columns = numbered(a[:, :-1])
    if head == "bare" or head and sep.strip(" "):  # a comment with as many fields as the rows has the names
        columns = dict(zip(names, columns.values()))
    return File(t.draw.choice([".txt", ".csv", ".data"]), b.getvalue(), "last", columns, a[:, -1].astype(int))


def bare(seed):
    """pandas.to_csv without names, or with the numbers that pandas gives to columns."""
    t = Drawn(seed, texts=False, gaps=False)
    x, y = t.matrix()
    d, names = pandas.DataFrame(np.column_stack([x, y])), t.draw.random() < 0.5 and x.shape[1] > 1
    d[x.shape[1]] = y
    content = d.to_csv(index=False, header=names).encode()
    read = pandas.read_csv(io.BytesIO(content), header=0 if names else None)
    columns = numbered(read.iloc[:, :-1])
    if names:
        columns = dict(zip(map(str, range(x.shape[1])), columns.values()))
    return File(".csv", content, "last", columns, read.iloc[:, -1])


def records(seed):
    """pandas.to_json, read by json."""
    t = Drawn(seed)
    by_line = t.draw.random() < 0.5
    content = t.frame.to_json(orient="records", lines=by_line, force_ascii=t.draw.random() < 0.5,
                              indent=None if by_line else t.draw.choice([0, 2])).encode()
    rows = [json.loads(line) for line in content.decode().splitlines()] if by_line else json.loads(content)
    columns = {}
    for name, kind in zip(t.frame, t.kinds):
        column = [row[name] for row in rows]
        columns[name] = column if kind == "text" else [np.nan if v is None else float(v) for v in column]
    content, suffix = packed(t.draw, content, t.draw.choice([".json", ".jsonl", ".txt"]))
    return File(suffix, content, t.label, columns, [row[t.label] for row in rows])


def arff(seed):
    """The forms that scipy reads: nominal and numeric attributes, comments, blanks, any case."""
    t = Drawn(seed)
    draw, lines = t.draw, ["% a comment", "@relation drawn", ""]
    words = [w for w in WORDS if w.isascii() and not set(w) & set("'\"\n\\,")] + ["NA", "?x"]
    in_quotes = draw.random() < 0.5 or " " in t.frame[t.label][0] + t.frame[t.label][1]

    def quoted(text):  # all or none: scipy takes its rule from the first row
        return "'" + text + "'" if in_quotes else text

    if not in_quotes:
        words = [w for w in words if w.isalnum()]
    cells = []
    for j, kind in enumerate(t.kinds):
        if kind in ("decimal", "whole"):
            lines.append(f"@{draw.choice(['attribute', 'ATTRIBUTE'])} v{j} {draw.choice(['real', 'numeric', 'integer', 'NUMERIC'])}")
            cells.append(["?" if v is None or v != v else repr(v) for v in t.frame.iloc[:, j].tolist()])
        else:
            values = draw.sample(["1", "2", "4"] if kind == "truth" else words, 3)
            lines.append(f"@attribute 'the v{j}' {{{', '.join(map(quoted, values))}}}")
            cells.append([quoted(draw.choice(values)) if draw.random() > 0.05 else "?" for _ in range(t.n)])
    lines += [f"@attribute class {{{','.join(map(quoted, sorted(set(t.frame[t.label]))))}}}", "@data"]
    cells.append(list(map(quoted, t.frame[t.label])))
    rows = [",".join(row) for row in zip(*cells)]
    rows.insert(5, "% another")
    content = "\n".join(lines + rows) + "\n"
    a, meta = scipy.io.arff.loadarff(io.StringIO(content))
    columns = {}
    for name in meta.names()[:-1]:
        nominal = meta[name][0] == "nominal"
        columns[name] = [None if v == b"?" else v.decode() for v in a[name]] if nominal else list(a[name])
    packed_content, suffix = packed(draw, content.encode(), draw.choice([".arff", ".arff", ".txt"]))
    return File(suffix, packed_content, None, columns, [v.decode() for v in a["class"]])


def svm(seed):
    """scikit-learn's dump_svmlight_file, read by its load_svmlight_file."""
    t = Drawn(seed, texts=False, gaps=False)
    x, y = t.matrix()
    x[np.array([[t.draw.random() < 0.4 for _ in row] for row in x])] = 0
    x[0] = 1.25  # so that the first and the last feature are there
    b, zero = io.BytesIO(), t.draw.random() < 0.5
    dump_svmlight_file(x, t.draw.choice([y, y - 1, 2 * y - 1]), b, zero_based=zero, comment=t.draw.choice([None, "of a test"]))
    a, labels = load_svmlight_file(io.BytesIO(b.getvalue()))
    columns = {f"x{j + (not zero)}": list(c) for j, c in enumerate(a.toarray().T)}
    content, suffix = packed(t.draw, b.getvalue(), t.draw.choice([".svm", ".libsvm", ".train", ".txt"]))
    return File(suffix, content, None, columns, labels.astype(int))


PAIRS = [("X", "y"), ("x", "y"), ("data", "labels"), ("data", "target"), ("features", "labels"), ("fea", "gnd"), ("arr_0", "arr_1")]


def in_parts(t, x, y, forms):
    """The arrays by name: one pair, or one for each part."""
    names = t.draw.choice(forms)
    k = 3 * t.n // 4
    if t.draw.random() < 0.6:
        return {names[0]: x, names[1]: y}, [names]
    pairs = [t.draw.choice([("X_train", "y_train", "X_test", "y_test"), ("x_train", "y_train", "x_test", "y_test"),
                            ("train_data", "train_labels", "test_data", "test_labels")])]
    pairs = [pairs[0][:2], pairs[0][2:]]
    return dict(zip(sum(map(list, pairs), []), [x[:k], y[:k], x[k:], y[k:]])), pairs


def npz(seed):
    """numpy.savez, read by numpy.load."""
    t = Drawn(seed, texts=False, gaps=False)
    x, y = t.matrix()
    kind = t.draw.choice(["f8", "f4", "f2", ">f8", "i4", "i2", "F"])
    x = np.asfortranarray(x) if kind == "F" else np.clip(x, -30000, 30000).astype(kind)
    form = t.draw.choice(["codes", "texts", "bytes", "one-hot", "column", "u1"])
    y = {"texts": t.frame[t.label].to_numpy(dtype=str), "bytes": t.frame[t.label].to_numpy(dtype="S12"), "one-hot": np.eye(y.max() + 1)[y],
         "column": y[:, None], "u1": y.astype("u1")}.get(form, y)
    arrays, pairs = in_parts(t, x, y, PAIRS)
    b = io.BytesIO()
    t.draw.choice([np.savez, np.savez_compressed])(b, **arrays)
    with np.load(io.BytesIO(b.getvalue())) as z:
        read, labels = np.concatenate([z[name] for name, _ in pairs]), np.concatenate([z[name] for _, name in pairs])
    labels = labels.argmax(1) if form == "one-hot" else labels.ravel()
    return File(".npz", b.getvalue(), None, numbered(read), np.char.decode(labels) if form == "bytes" else labels)


def mat(seed):
    """scipy.io.savemat, read by scipy.io.loadmat."""
    t = Drawn(seed, texts=False, gaps=False)
    x, y = t.matrix()
    if t.draw.random() < 0.3:
        x = np.clip(x, -3e4, 3e4).astype(t.draw.choice(["f4", "i2"]))
    arrays, pairs = in_parts(t, x, (y + 1).astype(t.draw.choice(["f8", "u1", "i4"])), PAIRS[:6])
    b = io.BytesIO()
    scipy.io.savemat(b, arrays, do_compression=t.draw.random() < 0.5, oned_as=t.draw.choice(["row", "column"]))
    a = scipy.io.loadmat(io.BytesIO(b.getvalue()))
    return File(".mat", b.getvalue(), None, numbered(np.concatenate([a[name] for name, _ in pairs])),
                np.concatenate([a[name].ravel() for _, name in pairs]).astype(int))


def parquet(seed):
    """pandas.to_parquet, read by pandas.read_parquet."""
    t = Drawn(seed)
    d = t.frame.astype({name: "category" for name, kind in zip(t.frame, t.kinds) if kind == "text" and t.draw.random() < 0.5})
    b = io.BytesIO()
    d.to_parquet(b, index=t.draw.random() < 0.3 or None, compression=t.draw.choice([None, "snappy", "gzip", "zstd"]))
    read = pandas.read_parquet(io.BytesIO(b.getvalue()))
    return File(t.draw.choice([".parquet", ""]), b.getvalue(), t.label, *of_frame(read, t.label, [kind != "text" for kind in t.kinds]))


KINDS = {delimited: 50, framed: 20, keel: 10, savetxt: 20, bare: 15, records: 20, arff: 25, svm: 15, npz: 20, mat: 15}
try:
    import pyarrow  # noqa: F401
    KINDS.update({delimited: 30, parquet: 20})
except ImportError:
    pass


def said(program, folder, name, f):
    """The columns and labels of the model that the program makes of a file, as a library would give them."""
    (folder / name).write_bytes(f.content)
    args = [program, "fit", name, "--method", "euclidean", "--param", "features=raw", "-o", name + ".model.npz", "--results", "results"]
    done = subprocess.run(args + (["--label", f.label] if f.label else []), cwd=folder, capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr
    m = np.load(folder / (name + ".model.npz"))
    columns, j = {}, 0
    for c in json.loads(str(m["columns"])):
        if "texts" in c:
            part = m["X"][:, j:j + len(c["texts"])]
            columns[c["name"]] = [c["texts"][row.argmax()] if row.any() else None for row in part]
            j += len(c["texts"])
        else:
            columns[c["name"]] = list(m["X"][:, j])
            j += 1
    return (columns, [str(m["classes"][code - 1]) for code in m["y"]], [str(c) for c in m["classes"]]), done.stderr


def differences(f, answer):
    """What differs between the program and the library, a line each."""
    columns, labels, classes = answer
    if sorted(set(f.labels)) != sorted(classes):
        return [f"classes {classes}, want {sorted(set(f.labels))}"], 0
    order = sorted(range(len(f.labels)), key=lambda i: classes.index(f.labels[i]))  # rows of a model go by class
    if labels != [f.labels[i] for i in order]:
        return [f"{len(labels)} labels {labels[:5]}, want {len(order)}"], 0
    if list(columns) != list(f.columns):
        return [f"columns {list(columns)}, want {list(f.columns)}"], 0
    found, compared = [], len(labels)
    for name, want in f.columns.items():
        if all(v is None or isinstance(v, str) for v in want):
            want = [None if v is None else v.strip() for v in want]
        else:
            want = np.array(want, dtype=float)
            want[np.isnan(want)] = np.nanmean(want)  # as the model fills gaps in
        for i, k in enumerate(order):
            a, b = columns[name][i], want[k]
            compared += 1
            if type(a) != type(b) and isinstance(b, str) or (a != b if not isinstance(b, float) else not abs(a - b) <= 1e-12 * (1 + abs(b))):
                found.append(f"{name}, row {k + 1}: {a!r}, want {b!r}")
    return found, compared


def noticed(f, answer):
    """Whether a changed cell and a changed label are."""
    columns, labels, classes = answer
    name = list(columns)[0]
    cell = {**columns, name: [columns[name][0] + 1e-9 * (1 + abs(columns[name][0])), *columns[name][1:]]}
    label = [classes[labels[0] == classes[0]], *labels[1:]]
    return bool(differences(f, (cell, labels, classes))[0]) and bool(differences(f, (columns, label, classes))[0])


def spellings(seed):
    """The same table in each format, by file."""
    t = Drawn(seed, texts=False, gaps=False)
    x, y = np.round(8 * t.matrix()[0].clip(-999, 999)) / 8, t.matrix()[1] + 1
    d = pandas.DataFrame(x, columns=[f"v{j}" for j in range(x.shape[1])])
    d["y"] = y
    attributes = "".join(f"@attribute v{j} real\n" for j in range(x.shape[1])) + f"@attribute y {{{','.join(map(str, sorted(set(y))))}}}\n"
    of = {"x.csv": d.to_csv(index=False).encode(), "x.tsv": d.to_csv(index=False, sep="\t").encode(),
          "x.arff": ("@relation r\n" + attributes + "@data\n" + d.to_csv(index=False, header=False)).encode(),
          "x.jsonl": d.to_json(orient="records", lines=True).encode()}
    for name, save in [("x.svm", lambda b: dump_svmlight_file(x, y, b, zero_based=False)), ("x.npz", lambda b: np.savez(b, X=x, y=y)),
                       ("x.mat", lambda b: scipy.io.savemat(b, {"X": x, "y": y}))] + [("x.parquet", d.to_parquet)] * (parquet in KINDS):
        b = io.BytesIO()
        save(b)
        of[name] = b.getvalue()
    return of


def alike(program, folder, seed):
    """The files of a table whose predicted labels differ from those of the first, and the number of labels."""
    given = {}
    for name, content in spellings(seed).items():
        (folder / name).write_bytes(content)
        results = ["--results", f"results-{seed}-{name}"]
        args = ["compare", name, "--methods", "rca", "--splits", "2", "--spec", name + ".yaml", *results]
        args += ["--label", "y"] * (name in ("x.csv", "x.tsv", "x.arff", "x.jsonl", "x.parquet"))
        (folder / (name + ".yaml")).unlink(missing_ok=True)
        done = subprocess.run([program, *args], cwd=folder, capture_output=True, text=True)
        if not done.returncode:
            done = subprocess.run([program, "table", name + ".yaml", "--format", "long", *results], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            return [name + ": " + done.stderr], 0
        given[name] = [(r["method"], r["split"], r["data_row"], r["predicted_class"]) for r in csv.DictReader(io.StringIO(done.stdout))]
    return [name for name in given if given[name] != given["x.csv"]], sum(map(len, given.values()))


def written(draw, d):
    """A table as pandas writes it, and a name for the file."""
    how = draw.choice(["csv", "csv", "records"])
    if how == "records":
        return packed(draw, d.to_json(orient="records", lines=draw.random() < 0.5).encode(), ".jsonl")
    sep = draw.choice([",", ";", "\t", "|"])
    decimal = "," if sep == ";" and draw.random() < 0.5 else "."
    return packed(draw, d.to_csv(sep=sep, decimal=decimal, index=False).encode(), draw.choice([".csv", ".txt", ""]))


def ranked(program, folder, seed):
    """Scores of systems on data sets, ranked by the program and by pandas: what differs, and the numbers compared."""
    draw = random.Random(seed)
    systems = ["ours", "k-NN, k=5", "SVM (RBF)", "größte"][:draw.randint(2, 4)]
    d = pandas.DataFrame({s: [round(draw.random(), draw.randint(2, 6)) for _ in range(4 + seed % 5)] for s in systems})
    d.insert(0, "dataset", [f"set {i}" for i in range(len(d))])
    want = {s: (d[s].mean(), d[systems].rank(axis=1, ascending=False)[s].mean()) for s in systems}
    form = draw.choice(["matrix", "index", "long"])
    if form == "long":
        d = d.melt("dataset", var_name="system", value_name="score").sample(frac=1, random_state=seed)
    content, suffix = written(draw, d) if form != "index" else packed(draw, d.set_index("dataset").rename_axis(None).to_csv().encode(), ".csv")
    name = f"scores{seed}{suffix}"
    (folder / name).write_bytes(content)
    done = subprocess.run([program, "rank", name, "--format", "json"], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        return [f"{name}: {done.stderr}"], 0
    got = {s["system"]: (s["mean"], s["average_rank"]) for s in json.loads(done.stdout)["systems"]}
    same = got.keys() == want.keys() and all(np.allclose(got[s], want[s], rtol=1e-12, atol=0) for s in want)
    return [] if same else [f"{name}: {got}, want {want}"], 2 * len(want)


def imported(program, folder, seed):
    """Predictions on a split of a generated set: whether as many are right as pandas counts."""
    draw = random.Random(seed)
    (folder / "spec.yaml").write_text("name: s\ndatasets: [overlap30]\nsplit: {rule: random, train: 0.5, validation: 0.2, repeats: 1}\n"
                                      "seeds: 1\nmethods:\n  - method: euclidean\n")
    stored = ["--results", "import-results"]
    if not (folder / "import-results").exists():
        subprocess.run([program, "run", "spec.yaml", *stored], cwd=folder, capture_output=True, check=True)
    long = subprocess.run([program, "table", "spec.yaml", "--format", "long", *stored], cwd=folder, capture_output=True, text=True, check=True).stdout
    t = pandas.read_csv(io.StringIO(long))
    t = t[t["method"] == "euclidean"]
    label = [y if draw.random() < 0.7 else 1 - y for y in t["truth_class"]]
    right = sum(a == b for a, b in zip(label, t["truth_class"]))
    d = pandas.DataFrame({"row": t["row"], "label": label}).sample(frac=1, random_state=seed)
    if draw.random() < 0.3:
        d = pandas.DataFrame({"label": label})
    content, suffix = written(draw, d)
    name = f"labels{seed}{suffix}"
    (folder / name).write_bytes(content)
    args = ["import", name, "--dataset", "overlap30", "--spec", "spec.yaml", "--name", f"p{seed}", *stored]
    done = subprocess.run([program, *args], cwd=folder, capture_output=True, text=True)
    same = done.returncode == 0 and f"{right} of {len(label)} right" in done.stdout
    return [] if same else [f"{name}: {done.stdout}{done.stderr}, want {right} right"], len(label)


def task(program, folder, seed):
    """The splits of an OpenML task: whether those that a run tests are the rows that the file names."""
    draw = random.Random(seed)
    n, repeats, folds = draw.randint(40, 60), draw.randint(1, 2), draw.randint(2, 4)
    d = pandas.DataFrame({"x": [draw.random() for _ in range(n)], "y": ["ab"[i % 2] for i in range(n)]})
    d.to_csv(folder / f"task{seed}.csv", index=False)
    lines, want = [], []
    for repeat in range(repeats):
        fold_of = [(i // 2 + repeat * (i % 7)) % folds for i in range(n)]
        for fold in range(folds):
            want.append(sorted(i + 1 for i in range(n) if fold_of[i] == fold))
            lines += [f"{'TEST' if fold_of[i] == fold else 'TRAIN'},{i},{repeat},{fold}" for i in range(n)]
    draw.shuffle(lines)
    head = "@RELATION task_splits\n@ATTRIBUTE type {TRAIN,TEST}\n@ATTRIBUTE rowid INTEGER\n@ATTRIBUTE repeat INTEGER\n@ATTRIBUTE fold INTEGER\n@DATA\n"
    (folder / f"splits{seed}.arff").write_text(head + "\n".join(lines) + "\n")
    (folder / f"task{seed}.yaml").write_text(f"name: task{seed}\ndatasets: [{{id: t, file: ./task{seed}.csv, label: y}}]\n"
                                             f"split: {{rule: openml, file: ./splits{seed}.arff}}\nseeds: 1\nmethods:\n  - method: euclidean\n")
    for verb in (["run"], ["table", "--format", "long"]):
        done = subprocess.run([program, verb[0], f"task{seed}.yaml", *verb[1:], "--results", f"task{seed}"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            return [f"task{seed}: {done.stderr}"], 0
    tested = pandas.read_csv(io.StringIO(done.stdout)).groupby("split", sort=True)["data_row"].apply(sorted)
    return [] if list(tested) == want else [f"task{seed}: {list(tested)}, want {want}"], sum(map(len, want))


def main(program, keep=None):
    program, temporary = str(pathlib.Path(program).resolve()), tempfile.TemporaryDirectory()
    folder = pathlib.Path(keep or temporary.name)
    wrong = cells = files = changes = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for kind, count in KINDS.items():
            drawn = [kind(seed) for seed in range(count)]
            names = [f"{kind.__name__}{seed}{f.suffix}" for seed, f in enumerate(drawn)]
            answers = list(pool.map(lambda pair: said(program, folder, *pair), zip(names, drawn)))
            for name, f, (answer, told) in zip(names, drawn, answers):
                found, compared = differences(f, answer) if answer else ([told], 0)
                files, cells, wrong = files + 1, cells + compared, wrong + bool(found)
                if found:
                    print(f"{name}: " + "\n    ".join(found[:3]))
            if not any(answer and noticed(f, answer) for f, (answer, _) in zip(drawn[:1], answers)):
                print(f"{kind.__name__}: changes are not noticed")
                changes += 1
    for read, count in [(ranked, 20), (imported, 10), (task, 5)]:
        for seed in range(count):
            found, compared = read(program, folder, seed)
            files, cells, wrong = files + 1, cells + compared, wrong + bool(found)
            print(*found, sep="", end="\n" * len(found))
    for seed in range(3):
        found, compared = alike(program, folder, seed)
        cells, wrong = cells + compared, wrong + len(found) + (not compared)
        if found or not compared:
            print(f"compare gives other labels for table {seed} as {found}")
    print(f"foreign: {files} files, {cells} cells and labels compared, {wrong} files differ; changes noticed in {len(KINDS) - changes} of {len(KINDS)} kinds")
    return wrong or changes or not cells


if __name__ == "__main__":
    sys.exit(bool(main(*sys.argv[1:])))
