/* What the suite and the libraries of peers agree on.
 *
 * A library is a peer: one shared object in the directory that LOOPLETS_PEERS names. For each program that it has,
 * it exports four functions, which PEER(program) declares. The suite calls `new` once (converting to the peer's own
 * formats, analysing and allocating are not timed), `get` after a first `run` to compare results, then `run` in
 * turns with everything else. Loops in C take part a second time, in whose turns each `run` has a `new` before it and a `free`
 * behind it, beside kernels that make their results anew. `new` gives NULL for a problem that the peer cannot do. */
#ifndef LOOPLETS_PEER_H
#define LOOPLETS_PEER_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rows compressed: row i has the entries pos[i]..pos[i+1]; columns ascend within a row. A sparse vector has one row. */
typedef struct {
  uint64_t rows, cols;
  const uint64_t *pos;
  const uint32_t *crd;
  const double *val;
} csr;

/* Row major. */
typedef struct {
  uint64_t rows, cols;
  const double *val;
} dense;

typedef struct {
  uint64_t rows, cols;
  const uint8_t *val;
} image;

/* Compressed sparse fibers of rank 3, all three levels compressed. */
typedef struct {
  uint64_t dims[3];
  uint64_t roots;       /* entries of the first level */
  const uint32_t *crd0; /* [roots] */
  const uint64_t *pos1; /* [roots + 1] */
  const uint32_t *crd1;
  const uint64_t *pos2; /* [entries of the second level + 1] */
  const uint32_t *crd2;
  const double *val;
} csf;

/* The operands of one program; it says below which it has. Everything outlives the handle. */
typedef struct {
  csr a, b;        /* sparse operands */
  csr x;           /* a sparse vector */
  dense d, e, f;   /* dense operands; a dense vector has one row */
  csf t;
  image p, q;      /* images; `images` of them in a stack of p.rows rows each, one below the other */
  uint64_t images;
  double alpha;
} problem;

/* A result: dense values, or rows compressed with columns in any order. Owned by the handle. */
typedef struct {
  uint64_t len;          /* of `values` */
  const double *values;  /* dense result, row major, or NULL */
  csr sparse;            /* if values is NULL */
} answer;

#define PEER(program)                            \
  void *program##_new(const problem *);          \
  void program##_run(void *);                    \
  void program##_get(void *, answer *);          \
  void program##_free(void *);

/* program            operands            result
 * spmv               a, d                d: dense vector y = A d
 * spmspv             a, x                dense y = A x, rows of A
 * spmspv_columns     a, x                the same by any loop order: the peer may store A by columns; x sparse, y as it comes
 * triangles          a: strictly lower   one number (len 1): triangles of the graph (values of a are ones)
 * spgemm             a                   sparse A A, rows in any order of columns
 * spgemm_sorted      a                   sparse A A, columns ascending
 * add, product       a, b                sparse A + B; elementwise A * B
 * inner              a, b                dense y[i] = sum_j A[i,j] B[i,j]
 * spmm               a, d (cols x 32)    dense A D
 * sddmm              a, d (rows x 32), e (cols x 32)   sparse A[i,j] * sum_k D[i,k] E[j,k]
 * gathered           a, d (rows x 32), x (columns of its one row in any order: rows of d)   dense C[i,j] = sum_k A[i,k] D[x[k],j]
 * gather             d, x (as before)    dense C[i,j] = D[x[i],j]
 * attention          a, d (rows x n), e and f (cols x n)   dense O[i,j] = sum_l A[i,l] (sum_m D[i,m] E[l,m]) F[l,j]
 * mttkrp             t, d (dims[1] x 32), e (dims[2] x 32)   dense M[i,r] = sum_jk T[i,j,k] D[j,r] E[k,r]
 * masked_mxv         a, x (frontier), d (mask, 0 or 1: visited)   over or-and: dense 0/1,
 *                    w[i] = mask[i] == 0 && any_j A[j,i] && x[j]: a step of breadth-first search along the arcs of A,
 *                    none of whose values is 0
 * masked_mxv_tropical  a, d (distances, infinity where not known)   over min-plus: w[j] = min(d[j], min_i d[i] + A[i,j])
 * masked_mxm         a                   over or-and: pattern of A A where A has an entry (values 1)
 * masked_mxm_tropical  a                 over min-plus: sparse C[i,j] = min_k A[i,k] + A[k,j] where A has an entry
 *                    and such a k exists
 * masked_outside     a                   sparse A A where A has no entry, columns ascending
 * masked_dots        a                   sparse C[i,j] = sum_k A[i,k] A[j,k] where A has an entry and such a k exists
 * convolution        p (0 or 1 values), 11 x 11 filter d (121 values), mask: result only where p is not 0;
 *                    sum_kl p[i + k - 5, j + l - 5] d[k, l], zeros outside the image. dense, rows x cols, as 64-bit
 *                    floats of float arithmetic
 * blend              p, q, alpha         dense u8 (as doubles): round(alpha p + (1 - alpha) q)
 * similarity         p: images below each other   dense images x images: euclidean distances of all pairs
 * erosion            p: 0 or 1           dense: 1 where p is 1 at all four neighbours and here; outside counts as 0
 * histogram          p, q (mask, 0 or 1) 256 counts of p where q is not 0
 *
 * Of `images` images below each other, convolution and erosion see no neighbours in another; the histogram is of all.
 */

#ifdef __cplusplus
}
#endif
#endif
