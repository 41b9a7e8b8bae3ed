/* SuiteSparse:GraphBLAS. Which method is best depends on the matrix: where there are several that are well known,
 * all of them run in `new`, and the best is kept. Every run ends with a wait, so that no work is left for later. */
#define _POSIX_C_SOURCE 199309L
#include "GraphBLAS.h"
#include "peer.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Not in the header that comes with the Python package. */
#ifndef GxB_FULL
#define GxB_FULL 8
#endif

typedef struct work work;
typedef void method(work *);

struct work {
  problem p;
  method *run;
  GrB_Matrix a, at, b, d, e, c;
  GrB_Vector x, mask, y;
  double number, absent; /* the whole result; the value where y or a dense c has no entry */
  int dense;
  double *val; /* what `get` gives */
  uint64_t *pos;
  uint32_t *crd;
};

static work *start(const problem *p) {
  static int ready;
  if (!ready) {
    GrB_init(GrB_NONBLOCKING);
    GxB_Global_Option_set_INT32(GxB_GLOBAL_NTHREADS, 1);
    ready = 1;
  }
  work *w = calloc(1, sizeof *w);
  w->p = *p;
  return w;
}

static void release(work *w) {
  GrB_Matrix *matrices[] = {&w->a, &w->at, &w->b, &w->d, &w->e, &w->c};
  GrB_Vector *vectors[] = {&w->x, &w->mask, &w->y};
  for (int k = 0; k < 6; k++)
    if (*matrices[k]) GrB_Matrix_free(matrices[k]);
  for (int k = 0; k < 3; k++)
    if (*vectors[k]) GrB_Vector_free(vectors[k]);
  free(w->val);
  free(w->pos);
  free(w->crd);
  free(w);
}

static GrB_Matrix matrix(const csr *a) {
  uint64_t n = a->pos[a->rows];
  GrB_Index *crd = malloc((n + 1) * sizeof *crd);
  for (uint64_t k = 0; k < n; k++) crd[k] = a->crd[k];
  GrB_Matrix m = NULL;
  GrB_Matrix_import_FP64(&m, GrB_FP64, a->rows, a->cols, a->pos, crd, a->val, a->rows + 1, n, n, GrB_CSR_FORMAT);
  free(crd);
  GrB_Matrix_wait(m, GrB_MATERIALIZE);
  return m;
}

static GrB_Matrix transposed(GrB_Matrix a) {
  GrB_Index rows, cols;
  GrB_Matrix_nrows(&rows, a);
  GrB_Matrix_ncols(&cols, a);
  GrB_Matrix t;
  GrB_Matrix_new(&t, GrB_FP64, cols, rows);
  GrB_transpose(t, NULL, NULL, a, NULL);
  GrB_Matrix_wait(t, GrB_MATERIALIZE);
  return t;
}

static GrB_Matrix full(const dense *d) {
  GrB_Matrix m;
  GrB_Matrix_new(&m, GrB_FP64, d->rows, d->cols);
  uint64_t n = d->rows * d->cols;
  GrB_Index *i = malloc((n + 1) * sizeof *i), *j = malloc((n + 1) * sizeof *j);
  for (uint64_t k = 0; k < n; k++) i[k] = k / d->cols, j[k] = k % d->cols;
  GrB_Matrix_build_FP64(m, i, j, d->val, n, GrB_PLUS_FP64);
  free(i);
  free(j);
  GxB_Matrix_Option_set_INT32(m, GxB_SPARSITY_CONTROL, GxB_FULL);
  GrB_Matrix_wait(m, GrB_MATERIALIZE);
  return m;
}

static GrB_Vector sparse_vector(const csr *x) {
  uint64_t n = x->pos[1];
  GrB_Index *crd = malloc((n + 1) * sizeof *crd);
  for (uint64_t k = 0; k < n; k++) crd[k] = x->crd[k];
  GrB_Vector v;
  GrB_Vector_new(&v, GrB_FP64, x->cols);
  GrB_Vector_build_FP64(v, crd, x->val, n, GrB_PLUS_FP64);
  free(crd);
  GrB_Vector_wait(v, GrB_MATERIALIZE);
  return v;
}

/* Without the entries that are `absent`. */
static GrB_Vector dense_vector(const dense *d, double absent) {
  uint64_t len = d->rows * d->cols, n = 0;
  GrB_Index *crd = malloc((len + 1) * sizeof *crd);
  double *val = malloc((len + 1) * sizeof *val);
  for (uint64_t k = 0; k < len; k++)
    if (d->val[k] != absent) {
      crd[n] = k;
      val[n++] = d->val[k];
    }
  GrB_Vector v;
  GrB_Vector_new(&v, GrB_FP64, len);
  GrB_Vector_build_FP64(v, crd, val, n, GrB_PLUS_FP64);
  free(crd);
  free(val);
  if (n == len) GxB_Vector_Option_set_INT32(v, GxB_SPARSITY_CONTROL, GxB_FULL);
  GrB_Vector_wait(v, GrB_MATERIALIZE);
  return v;
}

static void vector_result(work *w, GrB_Type type) { GrB_Vector_new(&w->y, type, w->p.a.rows); }
static void matrix_result(work *w, GrB_Type type, uint64_t cols) { GrB_Matrix_new(&w->c, type, w->p.a.rows, cols); }

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* In turns, after a run of each that does not count. */
static work *best(work *w, method *const *methods, int n) {
  double least = INFINITY;
  for (int turn = 0; turn < 4; turn++)
    for (int k = 0; k < n; k++) {
      double from = seconds();
      methods[k](w);
      double took = seconds() - from;
      if (turn && took < least) {
        least = took;
        w->run = methods[k];
      }
    }
  return w;
}
#define BEST(w, ...) best(w, (method *[]){__VA_ARGS__}, sizeof((method *[]){__VA_ARGS__}) / sizeof(method *))

static void get(work *w, answer *r) {
  memset(r, 0, sizeof *r);
  free(w->val);
  free(w->pos);
  free(w->crd);
  w->val = NULL;
  w->pos = NULL;
  w->crd = NULL;
  if (!w->y && !w->c) {
    r->len = 1;
    r->values = &w->number;
    return;
  }
  GrB_Index n, rows = 1, cols;
  if (w->y) {
    GrB_Vector_size(&cols, w->y);
    GrB_Vector_nvals(&n, w->y);
  } else {
    GrB_Matrix_nrows(&rows, w->c);
    GrB_Matrix_ncols(&cols, w->c);
    GrB_Matrix_nvals(&n, w->c);
  }
  GrB_Index *i = calloc(n + 1, sizeof *i), *j = calloc(n + 1, sizeof *j);
  double *x = malloc((n + 1) * sizeof *x);
  if (w->y)
    GrB_Vector_extractTuples_FP64(j, x, &n, w->y);
  else
    GrB_Matrix_extractTuples_FP64(i, j, x, &n, w->c);
  if (w->y || w->dense) {
    w->val = malloc((rows * cols + 1) * sizeof *w->val);
    for (uint64_t k = 0; k < rows * cols; k++) w->val[k] = w->absent;
    for (uint64_t k = 0; k < n; k++) w->val[i[k] * cols + j[k]] = x[k];
    r->len = rows * cols;
    r->values = w->val;
  } else {
    w->val = malloc((n + 1) * sizeof *w->val);
    w->crd = malloc((n + 1) * sizeof *w->crd);
    w->pos = calloc(rows + 2, sizeof *w->pos);
    for (uint64_t k = 0; k < n; k++) w->pos[i[k] + 2]++;
    for (uint64_t k = 0; k < rows; k++) w->pos[k + 1] += w->pos[k];
    for (uint64_t k = 0; k < n; k++) {
      uint64_t to = w->pos[i[k] + 1]++;
      w->crd[to] = (uint32_t)j[k];
      w->val[to] = x[k];
    }
    r->sparse = (csr){rows, cols, w->pos, w->crd, w->val};
  }
  free(i);
  free(j);
  free(x);
}

#define PROGRAM(name)                                \
  PEER(name)                                         \
  void name##_run(void *h) { ((work *)h)->run(h); }  \
  void name##_get(void *h, answer *r) { get(h, r); } \
  void name##_free(void *h) { release(h); }          \
  void *name##_new(const problem *p)

static int square(const problem *p) { return p->a.rows == p->a.cols; }
static int same_shape(const csr *a, const csr *b) { return a->rows == b->rows && a->cols == b->cols; }

static void multiply(work *w) {
  GrB_mxv(w->y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, w->a, w->x, NULL);
  GrB_Vector_wait(w->y, GrB_MATERIALIZE);
}
static void multiply_into(work *w) {
  GrB_Vector_assign_FP64(w->y, NULL, NULL, 0, GrB_ALL, w->p.a.rows, NULL);
  GrB_mxv(w->y, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, w->a, w->x, NULL);
  GrB_Vector_wait(w->y, GrB_MATERIALIZE);
}

PROGRAM(spmv) {
  if (p->d.rows * p->d.cols != p->a.cols) return NULL;
  work *w = start(p);
  w->a = matrix(&p->a);
  w->x = dense_vector(&p->d, NAN);
  vector_result(w, GrB_FP64);
  return BEST(w, multiply, multiply_into);
}

PROGRAM(spmspv) {
  if (p->x.rows != 1 || p->x.cols != p->a.cols) return NULL;
  work *w = start(p);
  w->a = matrix(&p->a);
  w->x = sparse_vector(&p->x);
  vector_result(w, GrB_FP64);
  return BEST(w, multiply, multiply_into);
}

PROGRAM(spmspv_columns) {
  if (p->x.rows != 1 || p->x.cols != p->a.cols) return NULL;
  work *w = start(p);
  w->a = matrix(&p->a);
  GxB_Matrix_Option_set_INT32(w->a, GxB_FORMAT, GxB_BY_COL);
  GrB_Matrix_wait(w->a, GrB_MATERIALIZE);
  w->x = sparse_vector(&p->x);
  vector_result(w, GrB_FP64);
  return BEST(w, multiply, multiply_into);
}

/* The three methods called Sandia's, with L or its transpose, and the one with dot products of rows of L. */
static void count(work *w, GrB_Matrix mask, GrB_Matrix a, GrB_Matrix b, GrB_Descriptor how) {
  int64_t n = 0;
  GrB_mxm(w->b, mask, NULL, GxB_PLUS_PAIR_INT64, a, b, how);
  GrB_Matrix_reduce_INT64(&n, NULL, GrB_PLUS_MONOID_INT64, w->b, NULL);
  w->number = n;
}
static void sandia_ll(work *w) { count(w, w->a, w->a, w->a, GrB_DESC_RS); }
static void sandia_uu(work *w) { count(w, w->at, w->at, w->at, GrB_DESC_RS); }
static void sandia_lut(work *w) { count(w, w->a, w->a, w->at, GrB_DESC_RST1); }
static void sandia_ult(work *w) { count(w, w->at, w->at, w->a, GrB_DESC_RST1); }
static void rows_of_l(work *w) { count(w, w->a, w->a, w->a, GrB_DESC_RST1); }

PROGRAM(triangles) {
  if (!square(p)) return NULL;
  work *w = start(p);
  w->a = matrix(&p->a);
  w->at = transposed(w->a);
  GrB_Matrix_new(&w->b, GrB_INT64, p->a.rows, p->a.rows);
  return BEST(w, sandia_ll, sandia_uu, sandia_lut, sandia_ult, rows_of_l);
}

/* Rows may stay in any order of columns: GraphBLAS sorts only when asked to materialize. */
static void square_unsorted(work *w) {
  GrB_mxm(w->c, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, w->a, w->a, NULL);
  GrB_Matrix_wait(w->c, GrB_COMPLETE);
}
static void square_sorted(work *w) {
  GrB_mxm(w->c, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, w->a, w->a, NULL);
  GrB_Matrix_wait(w->c, GrB_MATERIALIZE);
}

static work *new_spgemm(const problem *p, method *run) {
  if (!square(p)) return NULL;
  work *w = start(p);
  w->a = matrix(&p->a);
  matrix_result(w, GrB_FP64, p->a.cols);
  w->run = run;
  return w;
}
PROGRAM(spgemm) { return new_spgemm(p, square_unsorted); }
PROGRAM(spgemm_sorted) { return new_spgemm(p, square_sorted); }

static void union_of(work *w) {
  GrB_Matrix_eWiseAdd_BinaryOp(w->c, NULL, NULL, GrB_PLUS_FP64, w->a, w->b, NULL);
  GrB_Matrix_wait(w->c, GrB_MATERIALIZE);
}
static void intersection(work *w) {
  GrB_Matrix_eWiseMult_BinaryOp(w->c, NULL, NULL, GrB_TIMES_FP64, w->a, w->b, NULL);
  GrB_Matrix_wait(w->c, GrB_MATERIALIZE);
}
static void rows_of_product(work *w) {
  GrB_Matrix_eWiseMult_BinaryOp(w->d, NULL, NULL, GrB_TIMES_FP64, w->a, w->b, NULL);
  GrB_Matrix_reduce_Monoid(w->y, NULL, NULL, GrB_PLUS_MONOID_FP64, w->d, NULL);
  GrB_Vector_wait(w->y, GrB_MATERIALIZE);
}

static work *two(const problem *p, method *run) {
  if (!same_shape(&p->a, &p->b)) return NULL;
  work *w = start(p);
  w->a = matrix(&p->a);
  w->b = matrix(&p->b);
  w->run = run;
  return w;
}
PROGRAM(add) {
  work *w = two(p, union_of);
  if (w) matrix_result(w, GrB_FP64, p->a.cols);
  return w;
}
PROGRAM(product) {
  work *w = two(p, intersection);
  if (w) matrix_result(w, GrB_FP64, p->a.cols);
  return w;
}
PROGRAM(inner) {
  work *w = two(p, rows_of_product);
  if (!w) return NULL;
  GrB_Matrix_new(&w->d, GrB_FP64, p->a.rows, p->a.cols);
  vector_result(w, GrB_FP64);
  return w;
}

/* Any-pair is or-and without looking at values, none of which is zero. */
static void push(work *w) {
  GrB_vxm(w->y, w->mask, NULL, GxB_ANY_PAIR_BOOL, w->x, w->a, GrB_DESC_RSC);
  GrB_Vector_wait(w->y, GrB_MATERIALIZE);
}
static void pull(work *w) {
  GrB_mxv(w->y, w->mask, NULL, GxB_ANY_PAIR_BOOL, w->at, w->x, GrB_DESC_RSC);
  GrB_Vector_wait(w->y, GrB_MATERIALIZE);
}
PROGRAM(masked_mxv) {
  if (!square(p) || p->x.rows != 1 || p->x.cols != p->a.cols || p->d.rows * p->d.cols != p->a.rows) return NULL;
  work *w = start(p);
  w->a = matrix(&p->a);
  w->at = transposed(w->a);
  w->x = sparse_vector(&p->x);
  w->mask = dense_vector(&p->d, 0);
  vector_result(w, GrB_BOOL);
  return BEST(w, push, pull);
}

/* The result takes the place of the last one, as distances would in an algorithm that goes on. */
static void relax(work *w, int pulling) {
  if (pulling)
    GrB_mxv(w->y, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP64, w->at, w->x, NULL);
  else
    GrB_vxm(w->y, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP64, w->x, w->a, NULL);
  GrB_Vector_eWiseAdd_BinaryOp(w->y, NULL, NULL, GrB_MIN_FP64, w->y, w->x, NULL);
  GrB_Vector_wait(w->y, GrB_MATERIALIZE);
}
static void relax_into(work *w, int pulling) {
  GrB_Vector_free(&w->y);
  GrB_Vector_dup(&w->y, w->x);
  if (pulling)
    GrB_mxv(w->y, NULL, GrB_MIN_FP64, GrB_MIN_PLUS_SEMIRING_FP64, w->at, w->x, NULL);
  else
    GrB_vxm(w->y, NULL, GrB_MIN_FP64, GrB_MIN_PLUS_SEMIRING_FP64, w->x, w->a, NULL);
  GrB_Vector_wait(w->y, GrB_MATERIALIZE);
}
static void relax_push(work *w) { relax(w, 0); }
static void relax_pull(work *w) { relax(w, 1); }
static void relax_push_into(work *w) { relax_into(w, 0); }
static void relax_pull_into(work *w) { relax_into(w, 1); }
PROGRAM(masked_mxv_tropical) {
  if (!square(p) || p->d.rows * p->d.cols != p->a.rows) return NULL;
  work *w = start(p);
  w->absent = INFINITY;
  w->a = matrix(&p->a);
  w->at = transposed(w->a);
  w->x = dense_vector(&p->d, INFINITY);
  vector_result(w, GrB_FP64);
  return BEST(w, relax_push, relax_pull, relax_push_into, relax_pull_into);
}

static void masked_any(work *w) {
  GrB_mxm(w->c, w->a, NULL, GxB_ANY_PAIR_BOOL, w->a, w->a, GrB_DESC_RS);
  GrB_Matrix_wait(w->c, GrB_MATERIALIZE);
}
static void masked_any_dot(work *w) {
  GrB_mxm(w->c, w->a, NULL, GxB_ANY_PAIR_BOOL, w->a, w->at, GrB_DESC_RST1);
  GrB_Matrix_wait(w->c, GrB_MATERIALIZE);
}
static void masked_min(work *w) {
  GrB_mxm(w->c, w->a, NULL, GrB_MIN_PLUS_SEMIRING_FP64, w->a, w->a, GrB_DESC_RS);
  GrB_Matrix_wait(w->c, GrB_MATERIALIZE);
}
static void masked_min_dot(work *w) {
  GrB_mxm(w->c, w->a, NULL, GrB_MIN_PLUS_SEMIRING_FP64, w->a, w->at, GrB_DESC_RST1);
  GrB_Matrix_wait(w->c, GrB_MATERIALIZE);
}
static work *new_masked(const problem *p, GrB_Type type) {
  if (!square(p)) return NULL;
  work *w = start(p);
  w->a = matrix(&p->a);
  w->at = transposed(w->a);
  matrix_result(w, type, p->a.cols);
  return w;
}
PROGRAM(masked_mxm) {
  work *w = new_masked(p, GrB_BOOL);
  return w ? BEST(w, masked_any, masked_any_dot) : NULL;
}
PROGRAM(masked_mxm_tropical) {
  work *w = new_masked(p, GrB_FP64);
  return w ? BEST(w, masked_min, masked_min_dot) : NULL;
}

static void wide(work *w) {
  GrB_mxm(w->c, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, w->a, w->d, NULL);
  GrB_Matrix_wait(w->c, GrB_MATERIALIZE);
}
static void wide_into(work *w) {
  GrB_Matrix_assign_FP64(w->c, NULL, NULL, 0, GrB_ALL, w->p.a.rows, GrB_ALL, w->p.d.cols, NULL);
  GrB_mxm(w->c, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, w->a, w->d, NULL);
  GrB_Matrix_wait(w->c, GrB_MATERIALIZE);
}
PROGRAM(spmm) {
  if (p->d.rows != p->a.cols) return NULL;
  work *w = start(p);
  w->a = matrix(&p->a);
  w->d = full(&p->d);
  w->dense = 1;
  matrix_result(w, GrB_FP64, p->d.cols);
  return BEST(w, wide, wide_into);
}

static void sample(work *w) {
  GrB_mxm(w->b, w->a, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, w->d, w->e, GrB_DESC_RST1);
  GrB_Matrix_eWiseMult_BinaryOp(w->c, NULL, NULL, GrB_TIMES_FP64, w->a, w->b, NULL);
  GrB_Matrix_wait(w->c, GrB_MATERIALIZE);
}
PROGRAM(sddmm) {
  if (p->d.rows != p->a.rows || p->e.rows != p->a.cols || p->d.cols != p->e.cols) return NULL;
  work *w = start(p);
  w->a = matrix(&p->a);
  w->d = full(&p->d);
  w->e = full(&p->e);
  GrB_Matrix_new(&w->b, GrB_FP64, p->a.rows, p->a.cols);
  matrix_result(w, GrB_FP64, p->a.cols);
  w->run = sample;
  return w;
}
