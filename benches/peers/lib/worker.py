"""SciPy and PyData/Sparse as peers, each in a process of its own: `worker.py scipy` or `worker.py sparse`.

One request per line on stdin, one answer per line on stdout:

  new PROGRAM DIRECTORY   ok | no REASON    programs are those of peer.h; what is compiled at a first call is, here
  run N                   SECONDS           of N runs
  get                     dense LEN | sparse ROWS COLS NNZ     with the arrays in DIRECTORY: values.f64, or
                                            pos.u64, crd.u32 (ascending or not) and val.f64
  free                    ok

`no` to anything else says what went wrong, and the worker goes on. Arrays are raw and little-endian. In DIRECTORY,
problem.json says for each array of an operand ("a.shape", "a.pos", "a.crd", "a.val", "d.val", "t.shape", "t.crd0",
"t.pos1", ...) its "file", "dtype" (f64, u64, u32, u8) and "shape"; instead, the list of numbers may be there itself.
"""

import os

for threads in ("OMP", "MKL", "OPENBLAS", "BLIS", "NUMBA"):
    os.environ[threads + "_NUM_THREADS"] = "1"

import json
import sys
import time

import numpy as np

TYPES = {"f64": "<f8", "u64": "<u8", "u32": "<u4", "u8": "<u1"}


class Cannot(Exception):
    """A problem that the peer does not do."""


class Problem:
    def __init__(self, directory):
        self.directory = directory
        with open(os.path.join(directory, "problem.json")) as file:
            self.entries = json.load(file)

    def array(self, name):
        entry = self.entries[name]
        if isinstance(entry, list):
            return np.array(entry)
        values = np.fromfile(os.path.join(self.directory, entry["file"]), TYPES[entry["dtype"]])
        return values.reshape(entry["shape"])

    def rows(self, name):
        """Value, column and offset arrays, and the shape."""
        shape = tuple(int(n) for n in self.array(name + ".shape"))
        # The type of index that both libraries take where it suffices.
        pos, crd = (self.array(f"{name}.{part}").astype(np.int32) for part in ("pos", "crd"))
        return (self.array(name + ".val"), crd, pos), shape

    def dense(self, name):
        return self.array(name + ".val")

    def coordinates(self, name):
        """Of a tensor of rank 3: a row of coordinates for each dimension, values, shape."""
        crd0, pos1, crd1, pos2, crd2 = (self.array(f"{name}.{k}") for k in ("crd0", "pos1", "crd1", "pos2", "crd2"))
        each1 = np.diff(pos1.astype(np.int64))
        each2 = np.diff(pos2.astype(np.int64))
        of0 = np.repeat(np.repeat(crd0, each1), each2)
        of1 = np.repeat(crd1, each2)
        shape = tuple(int(n) for n in self.array(name + ".shape"))
        return np.stack([of0, of1, crd2]).astype(np.int64), self.array(name + ".val"), shape


def need(condition, reason):
    if not condition:
        raise Cannot(reason)


def scipy_programs():
    import scipy.sparse

    def matrix(problem, name):
        arrays, shape = problem.rows(name)
        return scipy.sparse.csr_array(arrays, shape=shape)

    def one(run):
        def new(problem):
            a = matrix(problem, "a")
            need(a.shape[0] == a.shape[1], "not square")
            return [lambda: run(a)]

        return new

    def two(run):
        def new(problem):
            a, b = matrix(problem, "a"), matrix(problem, "b")
            need(a.shape == b.shape, "shapes differ")
            return [lambda: run(a, b)]

        return new

    def times_dense(vector):
        def new(problem):
            a, d = matrix(problem, "a"), problem.dense("d")
            d = d.reshape(-1) if vector else d
            need(a.shape[1] == d.shape[0], "shapes do not fit")
            return [lambda: a @ d]

        return new

    def in_order(a):
        c = a @ a
        c.sort_indices()
        return c

    return {
        "spmv": times_dense(True),
        "spmm": times_dense(False),
        "spgemm": one(lambda a: a @ a),
        "spgemm_sorted": one(in_order),
        "triangles": one(lambda l: (l @ l).multiply(l).sum()),
        "add": two(lambda a, b: a + b),
        "product": two(lambda a, b: a.multiply(b)),
        "inner": two(lambda a, b: a.multiply(b).sum(axis=1)),
    }


def sparse_programs():
    import sparse

    def matrix(problem, name):
        arrays, shape = problem.rows(name)
        return sparse.GCXS(arrays, shape=shape, compressed_axes=(0,))

    def two(run):
        def new(problem):
            a, b = matrix(problem, "a"), matrix(problem, "b")
            need(a.shape == b.shape, "shapes differ")
            c, d = a.tocoo(), b.tocoo()
            return [lambda: run(a, b), lambda: run(c, d)]

        return new

    def times_dense(vector):
        def new(problem):
            a, d = matrix(problem, "a"), problem.dense("d")
            d = d.reshape(-1) if vector else d
            need(a.shape[1] == d.shape[0], "shapes do not fit")
            c = a.tocoo()
            return [lambda: a @ d, lambda: c @ d]

        return new

    def mttkrp(problem):
        coordinates, values, shape = problem.coordinates("t")
        d, e = problem.dense("d"), problem.dense("e")
        need(shape[1:] == (d.shape[0], e.shape[0]) and d.shape[1] == e.shape[1], "shapes do not fit")
        # `einsum` stores all products before it adds them, each with its coordinates.
        need(len(values) * d.shape[1] < 1 << 25, "too large for the memory that it takes")
        t = sparse.COO(coordinates, values, shape=shape, sorted=True, has_duplicates=False)
        return [lambda: sparse.einsum("ijk,jr,kr->ir", t, d, e)]

    return {
        "spmv": times_dense(True),
        "spmm": times_dense(False),
        "add": two(lambda a, b: a + b),
        "product": two(lambda a, b: a * b),
        "mttkrp": mttkrp,
    }


PEERS = {"scipy": scipy_programs, "sparse": sparse_programs}


def seconds(run, times):
    start = time.perf_counter()
    for _ in range(times):
        run()
    return time.perf_counter() - start


def best(runs):
    """Of several ways to write a program, after a call of each that compiles."""
    for run in runs:
        run()
    if len(runs) == 1:
        return runs[0]
    return min(runs, key=lambda run: min(seconds(run, 1) for _ in range(3)))


def write(result, directory, dense):
    def to(name, values, dtype):
        np.ascontiguousarray(values, dtype).tofile(os.path.join(directory, name))

    if dense:
        values = np.asarray(result.todense() if hasattr(result, "todense") else result).reshape(-1)
        to("values.f64", values, "<f8")
        return f"dense {values.size}"
    rows = result.tocsr() if hasattr(result, "tocsr") else result.tocoo().tocsr()
    to("pos.u64", rows.indptr, "<u8")
    to("crd.u32", rows.indices, "<u4")
    to("val.f64", rows.data, "<f8")
    return f"sparse {rows.shape[0]} {rows.shape[1]} {rows.nnz}"


SPARSE = ("spgemm", "spgemm_sorted", "add", "product")


def main():
    programs = PEERS[sys.argv[1]]()
    # What a library prints must not be taken for an answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    run = program = directory = None
    for line in sys.stdin:
        request, *words = line.rstrip("\n").split(" ", 2)
        try:
            if request == "new":
                run = None
                program, directory = words
                need(program in programs, "no such program")
                run = best(programs[program](Problem(directory)))
                answer = "ok"
            elif request == "free":
                run = None
                answer = "ok"
            else:
                need(run, "nothing to run")
                if request == "run":
                    answer = repr(seconds(run, int(words[0])))
                elif request == "get":
                    answer = write(run(), directory, program not in SPARSE)
                else:
                    answer = "no such request"
        except Cannot as reason:
            answer = f"no {reason}"
        except Exception as problem:
            answer = "no " + " ".join(f"{type(problem).__name__}: {problem}".split())
        print(answer, file=answers, flush=True)


if __name__ == "__main__":
    main()
