/* MKL's inspector-executor sparse BLAS, and its dense BLAS for distances. Its sequential layer. */
#include "peer.h"
#include <math.h>
#include <mkl.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  problem p;
  MKL_INT *pos[2];
  sparse_matrix_t in[2], out;
  struct matrix_descr general;
  uint64_t len;
  double *y;
  float *from, *to; /* images and products of them */
  uint64_t *out_pos;
} work;

static int fits(const csr *a) { return a->pos[a->rows] < INT32_MAX && a->rows < INT32_MAX && a->cols < INT32_MAX; }
static int same_shape(const csr *a, const csr *b) { return a->rows == b->rows && a->cols == b->cols; }

static void release(work *w) {
  for (int k = 0; k < 2; k++) {
    if (w->in[k]) mkl_sparse_destroy(w->in[k]);
    free(w->pos[k]);
  }
  if (w->out) mkl_sparse_destroy(w->out);
  free(w->y);
  free(w->from);
  free(w->to);
  free(w->out_pos);
  free(w);
}

static int put(work *w, int k, const csr *a) {
  w->pos[k] = malloc((a->rows + 1) * sizeof(MKL_INT));
  for (uint64_t i = 0; i <= a->rows; i++) w->pos[k][i] = (MKL_INT)a->pos[i];
  return mkl_sparse_d_create_csr(&w->in[k], SPARSE_INDEX_BASE_ZERO, a->rows, a->cols, w->pos[k], w->pos[k] + 1,
                                 (MKL_INT *)a->crd, (double *)a->val) == SPARSE_STATUS_SUCCESS;
}

static work *start(const problem *p, uint64_t len) {
  mkl_set_num_threads(1);
  work *w = calloc(1, sizeof *w);
  w->p = *p;
  w->general.type = SPARSE_MATRIX_TYPE_GENERAL;
  w->len = len;
  w->y = len ? calloc(len, sizeof *w->y) : NULL;
  return w;
}

static work *with_matrix(const problem *p, uint64_t len) {
  work *w = start(p, len);
  if (put(w, 0, &p->a)) return w;
  release(w);
  return NULL;
}

static void get(work *w, answer *r) {
  memset(r, 0, sizeof *r);
  if (!w->out) {
    static const double none;
    r->len = w->len;
    r->values = w->y ? w->y : &none;
    return;
  }
  sparse_index_base_t base;
  MKL_INT rows, cols, *start, *end = NULL, *crd = NULL;
  double *val = NULL;
  int some = mkl_sparse_d_export_csr(w->out, &base, &rows, &cols, &start, &end, &crd, &val) == SPARSE_STATUS_SUCCESS;
  rows = w->p.a.rows;
  cols = w->p.a.cols;
  free(w->out_pos);
  w->out_pos = calloc(rows + 1, sizeof *w->out_pos);
  for (MKL_INT i = 0; some && end && i < rows; i++) w->out_pos[i + 1] = end[i];
  r->sparse = (csr){rows, cols, w->out_pos, (uint32_t *)crd, val};
}

#define PROGRAM(name)                                \
  PEER(name)                                         \
  void name##_get(void *h, answer *r) { get(h, r); } \
  void name##_free(void *h) { release(h); }          \
  void *name##_new(const problem *p)

/* So many runs are expected that any analysis pays. */
#define MANY 100000

PROGRAM(spmv) {
  if (!fits(&p->a) || p->d.rows * p->d.cols != p->a.cols) return NULL;
  work *w = with_matrix(p, p->a.rows);
  if (!w) return NULL;
  mkl_sparse_set_mv_hint(w->in[0], SPARSE_OPERATION_NON_TRANSPOSE, w->general, MANY);
  mkl_sparse_set_memory_hint(w->in[0], SPARSE_MEMORY_AGGRESSIVE);
  mkl_sparse_optimize(w->in[0]);
  return w;
}
void spmv_run(void *h) {
  work *w = h;
  mkl_sparse_d_mv(SPARSE_OPERATION_NON_TRANSPOSE, 1, w->in[0], w->general, w->p.d.val, 0, w->y);
}

PROGRAM(spmm) {
  if (!fits(&p->a) || p->d.rows != p->a.cols) return NULL;
  work *w = with_matrix(p, p->a.rows * p->d.cols);
  if (!w) return NULL;
  mkl_sparse_set_mm_hint(w->in[0], SPARSE_OPERATION_NON_TRANSPOSE, w->general, SPARSE_LAYOUT_ROW_MAJOR, p->d.cols,
                         MANY);
  mkl_sparse_set_memory_hint(w->in[0], SPARSE_MEMORY_AGGRESSIVE);
  mkl_sparse_optimize(w->in[0]);
  return w;
}
void spmm_run(void *h) {
  work *w = h;
  MKL_INT n = w->p.d.cols;
  mkl_sparse_d_mm(SPARSE_OPERATION_NON_TRANSPOSE, 1, w->in[0], w->general, SPARSE_LAYOUT_ROW_MAJOR, w->p.d.val, n, n,
                  0, w->y, n);
}

/* A result is MKL's own, new each time. MKL reads the handle that it is to write: it has to be NULL. */
static void fresh(work *w) {
  if (w->out) mkl_sparse_destroy(w->out);
  w->out = NULL;
}

static work *new_square(const problem *p) {
  if (!fits(&p->a) || p->a.rows != p->a.cols) return NULL;
  work *w = with_matrix(p, 0);
  if (w) mkl_sparse_optimize(w->in[0]);
  return w;
}

PROGRAM(spgemm) { return new_square(p); }
void spgemm_run(void *h) {
  work *w = h;
  fresh(w);
  const sparse_operation_t as_is = SPARSE_OPERATION_NON_TRANSPOSE;
  mkl_sparse_sp2m(as_is, w->general, w->in[0], as_is, w->general, w->in[0], SPARSE_STAGE_FULL_MULT, &w->out);
}

PROGRAM(spgemm_sorted) { return new_square(p); }
/* Faster than to transpose twice. */
void spgemm_sorted_run(void *h) {
  spgemm_run(h);
  mkl_sparse_order(((work *)h)->out);
}

PROGRAM(add) {
  if (!fits(&p->a) || !fits(&p->b) || !same_shape(&p->a, &p->b)) return NULL;
  /* What MKL makes of matrices without entries crashes it later. */
  if (!p->a.pos[p->a.rows] && !p->b.pos[p->b.rows]) return NULL;
  work *w = with_matrix(p, 0);
  if (w && !put(w, 1, &p->b)) {
    release(w);
    return NULL;
  }
  return w;
}
void add_run(void *h) {
  work *w = h;
  fresh(w);
  mkl_sparse_d_add(SPARSE_OPERATION_NON_TRANSPOSE, w->in[0], 1, w->in[1], &w->out);
}

/* ||a - b||^2 = aa + bb - 2ab, of which one triangle is computed. Norms come from the same product, so that equal
 * images are at 0. */
PEER(similarity)
void *similarity_new(const problem *p) {
  uint64_t n = p->images, m = p->p.rows * p->p.cols;
  if (!n || n >= INT32_MAX || m >= INT32_MAX) return NULL;
  work *w = start(p, n * n);
  w->from = malloc((n * m + 1) * sizeof *w->from);
  w->to = malloc(n * n * sizeof *w->to);
  for (uint64_t k = 0; k < n * m; k++) w->from[k] = p->p.val[k];
  return w;
}
void similarity_run(void *h) {
  work *w = h;
  MKL_INT n = w->p.images, m = w->p.p.rows * w->p.p.cols;
  const float *restrict g = w->to;
  double *restrict y = w->y;
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, m, 1, w->from, m, 0, w->to, n);
  for (size_t i = 0; i < (size_t)n; i++) {
    float norm = g[i * n + i];
    for (size_t j = 0; j <= i; j++) y[i * n + j] = sqrtf(fmaxf(norm + g[j * n + j] - 2 * g[i * n + j], 0));
  }
  for (size_t i = 0; i < (size_t)n; i++)
    for (size_t j = i + 1; j < (size_t)n; j++) y[i * n + j] = y[j * n + i];
}
void similarity_get(void *h, answer *r) { get(h, r); }
void similarity_free(void *h) { release(h); }
