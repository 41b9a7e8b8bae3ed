"""Checks that Python reads what `formats/tests/numpy.rs` wrote to a directory; `check.sh` runs both."""
import sys

import numpy as np
import scipy.sparse as sp
import sparse

written = sys.argv[1] + "/"
m = np.array([[0, 1.5, 0, 0], [-2, 0, 0, 0], [0, 0, 0, 0], [0.25, 0, 0, np.inf]])
t = np.zeros((2, 3, 4))
t[0, 1, 2], t[1, 0, 3], t[1, 2, 0], t[1, 2, 3] = 2.5, -1, 7, 0.125
checked = 0


def same(found, expected, dtype=None):
    global checked
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == (dtype or expected.dtype), found.dtype
    checked += 1


for order in ["c", "fortran"]:
    for dtype in ["int8", "int64", "uint64", "float32", "float64", "complex64", "complex128", "bool"]:
        found = np.load(f"{written}{dtype}_{order}.npy")
        same(found, np.array([[0, 1, 0], [1, 1, 0]]).astype(dtype))
        assert found.flags["C_CONTIGUOUS" if order == "c" else "F_CONTIGUOUS"]
same(np.load(written + "scalar.npy"), np.array(2.5))
for layout in ["csr", "csc", "coo"]:
    for end in ["", "_stored"]:
        found = sp.load_npz(f"{written}{layout}{end}.npz")
        assert found.format == layout and found.nnz == 4
        found.check_format() if layout != "coo" else found._check()
        assert layout == "coo" or found.has_canonical_format
        same(found.toarray(), m)
same(sp.load_npz(written + "coo1.npz").toarray(), m[3])
same(sp.load_npz(written + "coo3.npz").toarray(), t)
same(sp.load_npz(written + "bools.npz").toarray(), m != 0)
same(sp.load_npz(written + "none.npz").toarray(), np.zeros((0, 3)))
wide = sp.load_npz(written + "wide.npz")
assert wide.shape == (2, 2**40) and wide.col.tolist() == [2**40 - 1] and wide.data.tolist() == [1.5]
for layout, kind in [("coo", sparse.COO), ("gcxs", sparse.GCXS)]:
    for name, expected in [("1", m[3]), ("2", m), ("3", t)]:
        found = sparse.load_npz(f"{written}pydata_{layout}{name}.npz")
        assert isinstance(found, kind) and found.nnz == np.count_nonzero(expected), found
        same(found.todense(), expected)
    found = sparse.load_npz(f"{written}pydata_{layout}_fill.npz")
    assert found.fill_value == np.inf
    same(found.todense(), np.where(m == 0, np.inf, m))
same(sparse.load_npz(written + "pydata_coo0.npz").todense(), np.array(2.5))
lines = np.loadtxt(written + "t.tns", comments="#")
assert lines.tolist() == [[1, 2, 3, 2.5], [2, 1, 4, -1], [2, 3, 1, 7], [2, 3, 4, 0.125]]
print(f"{checked + 2} files are what they should be")
