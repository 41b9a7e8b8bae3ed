"""Makes the files beside it, which `formats/tests/numpy.rs` reads: `python make.py` with numpy, scipy and sparse."""
import os

import numpy as np
import scipy.sparse as sp
import sparse

os.chdir(os.path.dirname(os.path.abspath(__file__)))
m = np.array([[0, 1.5, 0, 0], [-2, 0, 0, 0], [0, 0, 0, 0], [0.25, 0, 0, np.inf]])
t = np.zeros((2, 3, 4))
t[0, 1, 2], t[1, 0, 3], t[1, 2, 0], t[1, 2, 3] = 2.5, -1, 7, 0.125

np.save("c.npy", m)
np.save("fortran.npy", np.asfortranarray(np.arange(24, dtype=">i4").reshape(2, 3, 4)))
np.save("bool.npy", m != 0)
np.save("complex.npy", np.array([[1.5 - 2j, 0], [-0.0j, 3]], dtype="<c8"))
np.save("scalar.npy", np.uint64(2**64 - 1))
np.save("half.npy", m.astype("<f2"))
np.save("object.npy", np.array([1, "a"], dtype=object), allow_pickle=True)
with open("version2.npy", "wb") as f:
    np.lib.format.write_array(f, m[0], version=(2, 0))
np.savez("dense.npz", m=m, t=np.asfortranarray(t))

sp.save_npz("csr.npz", sp.csr_matrix(m))
sp.save_npz("csc.npz", sp.csc_array(m), compressed=False)
sp.save_npz("coo.npz", sp.coo_array(m))
sp.save_npz("bsr.npz", sp.bsr_array(m, blocksize=(2, 2)))
sp.save_npz("dia.npz", sp.dia_array(m))
sp.save_npz("coo3.npz", sp.coo_array(t))
sp.save_npz("csr1.npz", sp.csr_array(m[3]))
# Neither sorted nor unique: row 0 has 2 + 3 at column 2, and column 0 behind it.
twice = sp.csr_array((np.array([2, 3, 4], ">f4"), np.array([2, 2, 0], "i8"), np.array([0, 3, 3], "i8")), shape=(2, 3))
sp.save_npz("twice.npz", twice)
sp.save_npz("bools.npz", sp.csr_array(m != 0))
sp.save_npz("empty.npz", sp.coo_array((0, 3)))

sparse.save_npz("pydata_coo.npz", sparse.COO(t))
sparse.save_npz("pydata_gcxs.npz", sparse.GCXS(t))
sparse.save_npz("pydata_gcxs_20.npz", sparse.GCXS(t, compressed_axes=(0, 2)), compressed=False)
sparse.save_npz("pydata_gcxs1.npz", sparse.GCXS(m[3]))
sparse.save_npz("pydata_scalar.npz", sparse.COO(np.array(5.0)))
sparse.save_npz("pydata_fill.npz", sparse.COO(np.where(m == 0, np.inf, 1.0), fill_value=np.inf))
