/* The programs of the bench `shapes` by hand, into memory that each call asks for. Built into the objects of
 * two_finger.c; see build.sh. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Rows compressed (pos, crd), entries with both coordinates (row, crd), or a flat vector (far). */
typedef struct {
  uint64_t rows, cols, n; /* of a flat vector: 1 and its length; n is entries */
  const uint64_t *pos, *far;
  const uint32_t *row, *crd;
  const double *val;
} operand;

/* Arrays that the format does not have are NULL. */
typedef struct {
  uint64_t rows, n; /* pos has rows + 1, if it is there; a dense result has n values */
  uint64_t *pos, *far;
  uint32_t *row, *crd;
  double *val;
} result;

#define SHAPE(name)                                                                                \
  void shapes_##name(const operand *a, const operand *b, const double *restrict x, uint64_t n,     \
                     result *restrict r);                                                          \
  void shapes_##name(const operand *a, const operand *b, const double *restrict x, uint64_t n,     \
                     result *restrict r)
#define UNUSED (void)b, (void)x, (void)n

void shapes_free(result *r);
void shapes_free(result *r) {
  free(r->pos);
  free(r->far);
  free(r->row);
  free(r->crd);
  free(r->val);
}

static void *some(uint64_t n, uint64_t size) { return malloc((n + 1) * size); }

static void values(result *r, uint64_t n) {
  r->n = n;
  r->val = some(n, sizeof *r->val);
}

static void csr(result *r, uint64_t rows, uint64_t n) {
  values(r, n);
  r->rows = rows;
  r->pos = some(rows + 1, sizeof *r->pos);
  r->crd = some(n, sizeof *r->crd);
  r->pos[0] = 0;
}

static void coo(result *r, uint64_t n) {
  values(r, n);
  r->row = some(n, sizeof *r->row);
  r->crd = some(n, sizeof *r->crd);
}

#define COPY(to, at, from, count) memcpy((to) + (at), (from), (count) * sizeof *(to))

SHAPE(collapse) {
  UNUSED;
  values(r, a->n);
  uint64_t *restrict far = r->far = some(a->n, sizeof *far);
  for (uint64_t i = 0; i < a->rows; i++)
    for (uint64_t p = a->pos[i]; p < a->pos[i + 1]; p++) far[p] = i * a->cols + a->crd[p];
  COPY(r->val, 0, a->val, a->n);
}

SHAPE(hstack_coo) {
  UNUSED;
  coo(r, a->n + b->n);
  uint32_t *restrict row = r->row, *restrict crd = r->crd;
  double *restrict val = r->val;
  uint64_t p = 0, q = 0;
  for (uint64_t k = 0; k < r->n; k++) {
    if (q == b->n || (p < a->n && a->row[p] <= b->row[q])) {
      row[k] = a->row[p];
      crd[k] = a->crd[p];
      val[k] = a->val[p++];
    } else {
      row[k] = b->row[q];
      crd[k] = b->crd[q] + (uint32_t)a->cols;
      val[k] = b->val[q++];
    }
  }
}

static void stacked(const operand *a, const operand *b, result *r) {
  COPY(r->crd, 0, a->crd, a->n);
  COPY(r->crd, a->n, b->crd, b->n);
  COPY(r->val, 0, a->val, a->n);
  COPY(r->val, a->n, b->val, b->n);
}

SHAPE(vstack_coo) {
  UNUSED;
  coo(r, a->n + b->n);
  stacked(a, b, r);
  COPY(r->row, 0, a->row, a->n);
  uint32_t *restrict row = r->row + a->n;
  for (uint64_t q = 0; q < b->n; q++) row[q] = b->row[q] + (uint32_t)a->rows;
}

/* What is added to the columns, and copied, of row i. */
static inline void right(const operand *b, uint64_t i, uint32_t by, uint64_t k, uint32_t *restrict crd, double *restrict val) {
  for (uint64_t q = b->pos[i]; q < b->pos[i + 1]; q++, k++) {
    crd[k] = b->crd[q] + by;
    val[k] = b->val[q];
  }
}

SHAPE(hstack_csr) {
  UNUSED;
  csr(r, a->rows, a->n + b->n);
  for (uint64_t i = 0; i < a->rows; i++) {
    right(a, i, 0, a->pos[i] + b->pos[i], r->crd, r->val);
    right(b, i, (uint32_t)a->cols, a->pos[i + 1] + b->pos[i], r->crd, r->val);
    r->pos[i + 1] = a->pos[i + 1] + b->pos[i + 1];
  }
}

SHAPE(vstack_csr) {
  UNUSED;
  csr(r, a->rows + b->rows, a->n + b->n);
  stacked(a, b, r);
  COPY(r->pos, 0, a->pos, a->rows + 1);
  uint64_t *restrict pos = r->pos + a->rows;
  for (uint64_t i = 1; i <= b->rows; i++) pos[i] = b->pos[i] + a->n;
}

static uint64_t sliced(const operand *a, uint64_t n) {
  uint64_t k = 0;
  for (uint64_t i = 0; i < n; i += 2) k += a->pos[i + 1] - a->pos[i];
  return k;
}

SHAPE(slice_csr) {
  UNUSED;
  csr(r, (n + 1) / 2, sliced(a, n));
  uint64_t k = 0;
  for (uint64_t i = 0; i < n; i += 2) {
    right(a, i, 0, k, r->crd, r->val);
    r->pos[i / 2 + 1] = k += a->pos[i + 1] - a->pos[i];
  }
}

SHAPE(split_to_coo) {
  UNUSED;
  coo(r, a->n);
  const uint64_t *restrict far = a->far;
  uint32_t *restrict row = r->row, *restrict crd = r->crd;
  uint64_t i = 0, base = 0;
  for (uint64_t q = 0; q < a->n; q++) {
    if (far[q] >= base + n) base = (i = far[q] / n) * n;
    row[q] = (uint32_t)i;
    crd[q] = (uint32_t)(far[q] - base);
  }
  COPY(r->val, 0, a->val, a->n);
}

SHAPE(split_to_csr) {
  UNUSED;
  csr(r, a->cols / n, a->n);
  const uint64_t *restrict far = a->far;
  uint32_t *restrict crd = r->crd;
  uint64_t q = 0;
  for (uint64_t i = 0; i < r->rows; i++) {
    uint64_t base = i * n;
    for (; q < a->n && far[q] < base + n; q++) crd[q] = (uint32_t)(far[q] - base);
    r->pos[i + 1] = q;
  }
  COPY(r->val, 0, a->val, a->n);
}

SHAPE(hstack_coo_to_csr) {
  UNUSED;
  csr(r, a->rows, a->n + b->n);
  uint32_t *restrict crd = r->crd;
  double *restrict val = r->val;
  uint64_t p = 0, q = 0;
  for (uint64_t i = 0; i < a->rows; i++) {
    for (; p < a->n && a->row[p] == i; p++) {
      crd[p + q] = a->crd[p];
      val[p + q] = a->val[p];
    }
    for (; q < b->n && b->row[q] == i; q++) {
      crd[p + q] = b->crd[q] + (uint32_t)a->cols;
      val[p + q] = b->val[q];
    }
    r->pos[i + 1] = p + q;
  }
}

SHAPE(vstack_coo_to_csr) {
  UNUSED;
  csr(r, a->rows + b->rows, a->n + b->n);
  stacked(a, b, r);
  uint64_t p = 0, q = 0;
  for (uint64_t i = 0; i < a->rows; i++) {
    while (p < a->n && a->row[p] == i) p++;
    r->pos[i + 1] = p;
  }
  for (uint64_t i = 0; i < b->rows; i++) {
    while (q < b->n && b->row[q] == i) q++;
    r->pos[a->rows + i + 1] = a->n + q;
  }
}

static inline void same(uint32_t *restrict row, uint64_t from, uint64_t to, uint64_t i) {
  for (uint64_t k = from; k < to; k++) row[k] = (uint32_t)i;
}

SHAPE(hstack_csr_to_coo) {
  UNUSED;
  coo(r, a->n + b->n);
  for (uint64_t i = 0; i < a->rows; i++) {
    right(a, i, 0, a->pos[i] + b->pos[i], r->crd, r->val);
    right(b, i, (uint32_t)a->cols, a->pos[i + 1] + b->pos[i], r->crd, r->val);
    same(r->row, a->pos[i] + b->pos[i], a->pos[i + 1] + b->pos[i + 1], i);
  }
}

SHAPE(vstack_csr_to_coo) {
  UNUSED;
  coo(r, a->n + b->n);
  stacked(a, b, r);
  for (uint64_t i = 0; i < a->rows; i++) same(r->row, a->pos[i], a->pos[i + 1], i);
  for (uint64_t i = 0; i < b->rows; i++) same(r->row + a->n, b->pos[i], b->pos[i + 1], a->rows + i);
}

SHAPE(slice_csr_to_coo) {
  UNUSED;
  coo(r, sliced(a, n));
  uint64_t k = 0;
  for (uint64_t i = 0; i < n; i += 2) {
    uint64_t from = k;
    right(a, i, 0, k, r->crd, r->val);
    k += a->pos[i + 1] - a->pos[i];
    same(r->row, from, k, i / 2);
  }
}

SHAPE(collapse_times) {
  UNUSED;
  uint64_t most = a->n < b->n ? a->n : b->n, q = 0, k = 0;
  values(r, most);
  uint64_t *restrict far = r->far = some(most, sizeof *far);
  double *restrict val = r->val;
  for (uint64_t i = 0; i < a->rows; i++)
    for (uint64_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
      uint64_t at = i * a->cols + a->crd[p];
      while (q < b->n && b->far[q] < at) q++;
      if (q < b->n && b->far[q] == at) {
        far[k] = at;
        val[k++] = a->val[p] * b->val[q++];
      }
    }
  r->n = k;
}

static inline void product(const operand *a, const double *restrict x, double *restrict y) {
  for (uint64_t i = 0; i < a->rows; i++) {
    double sum = 0;
    for (uint64_t p = a->pos[i]; p < a->pos[i + 1]; p++) sum += a->val[p] * x[a->crd[p]];
    y[i] = sum;
  }
}

SHAPE(vstack_spmv) {
  UNUSED;
  values(r, a->rows + b->rows);
  product(a, x, r->val);
  product(b, x, r->val + a->rows);
}

SHAPE(slice_times) {
  UNUSED;
  csr(r, b->rows, b->n);
  uint32_t *restrict crd = r->crd;
  double *restrict val = r->val;
  uint64_t k = 0;
  for (uint64_t i = 0; i < b->rows; i++) {
    uint64_t p = a->pos[2 * i], q = b->pos[i], pe = a->pos[2 * i + 1], qe = b->pos[i + 1];
    while (p < pe && q < qe) {
      uint32_t j = a->crd[p], l = b->crd[q];
      if (j == l) {
        crd[k] = j;
        val[k++] = a->val[p] * b->val[q];
      }
      p += j <= l;
      q += l <= j;
    }
    r->pos[i + 1] = k;
  }
  r->n = k;
}
