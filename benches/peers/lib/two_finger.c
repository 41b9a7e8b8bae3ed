/* Loops by hand: where two sparse operands meet, one finger on each and the smaller coordinate moves on.
 * Built once per compiler; see build.sh. */
#include "peer.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  problem p;
  uint64_t len; /* of y: a dense result */
  double *y;
  uint64_t rows, cols, *pos; /* a sparse result */
  uint64_t room;
  uint32_t *crd;
  double *val;
  double *acc; /* one row of a product: value, row of the last touch, list of those touched, bits for sorting */
  uint32_t *mark, *touched, stamp;
  uint64_t *bits, *groups;
} work;

/* Never NULL, as of an empty operand. What is written before it is read needs no zeros. */
static void *room(uint64_t n, uint64_t size) { return malloc((n + 1) * size); }
static void *zeros(uint64_t n, uint64_t size) { return calloc(n + 1, size); }

static work *dense_result(const problem *p, uint64_t len) {
  work *w = calloc(1, sizeof *w);
  w->p = *p;
  w->len = len;
  w->y = room(len, sizeof *w->y);
  return w;
}

static work *sparse_result(const problem *p, uint64_t entries) {
  work *w = calloc(1, sizeof *w);
  w->p = *p;
  w->rows = p->a.rows;
  w->cols = p->a.cols;
  w->pos = room(w->rows + 1, sizeof *w->pos);
  w->pos[0] = 0;
  w->room = entries;
  w->crd = room(entries, sizeof *w->crd);
  w->val = room(entries, sizeof *w->val);
  return w;
}

static void get(work *w, answer *r) {
  memset(r, 0, sizeof *r);
  if (w->y) {
    r->len = w->len;
    r->values = w->y;
  } else {
    r->sparse = (csr){w->rows, w->cols, w->pos, w->crd, w->val};
  }
}

static void release(work *w) {
  free(w->y);
  free(w->pos);
  free(w->crd);
  free(w->val);
  free(w->acc);
  free(w->mark);
  free(w->touched);
  free(w->bits);
  free(w->groups);
  free(w);
}

#define PROGRAM(name)                                      \
  PEER(name)                                               \
  void name##_get(void *h, answer *r) { get(h, r); }       \
  void name##_free(void *h) { release(h); }                \
  void *name##_new(const problem *p)

static uint64_t entries(const csr *a) { return a->pos[a->rows]; }
static int same_shape(const csr *a, const csr *b) { return a->rows == b->rows && a->cols == b->cols; }

/* The merge that all programs with an intersection inside share. */
static inline double meet(const uint32_t *restrict ac, const double *restrict av, uint64_t p, uint64_t pe,
                          const uint32_t *restrict bc, const double *restrict bv, uint64_t q, uint64_t qe) {
  double s = 0;
  while (p < pe && q < qe) {
    uint32_t i = ac[p], j = bc[q];
    if (i == j) s += av[p] * bv[q];
    p += i <= j;
    q += j <= i;
  }
  return s;
}

PROGRAM(spmv) { return p->d.rows * p->d.cols == p->a.cols ? dense_result(p, p->a.rows) : NULL; }
void spmv_run(void *h) {
  work *w = h;
  const uint64_t *restrict pos = w->p.a.pos;
  const uint32_t *restrict crd = w->p.a.crd;
  const double *restrict val = w->p.a.val, *restrict x = w->p.d.val;
  double *restrict y = w->y;
  for (uint64_t i = 0, n = w->p.a.rows; i < n; i++) {
    double s = 0;
    for (uint64_t p = pos[i], e = pos[i + 1]; p < e; p++) s += val[p] * x[crd[p]];
    y[i] = s;
  }
}

PROGRAM(spmspv) { return p->x.rows == 1 && p->x.cols == p->a.cols ? dense_result(p, p->a.rows) : NULL; }
void spmspv_run(void *h) {
  work *w = h;
  const csr a = w->p.a, x = w->p.x;
  double *restrict y = w->y;
  for (uint64_t i = 0; i < a.rows; i++)
    y[i] = meet(a.crd, a.val, a.pos[i], a.pos[i + 1], x.crd, x.val, x.pos[0], x.pos[1]);
}

PROGRAM(triangles) { return p->a.rows == p->a.cols ? dense_result(p, 1) : NULL; }
void triangles_run(void *h) {
  work *w = h;
  const csr a = w->p.a;
  double s = 0;
  for (uint64_t i = 0; i < a.rows; i++)
    for (uint64_t p = a.pos[i]; p < a.pos[i + 1]; p++) {
      uint32_t j = a.crd[p];
      s += a.val[p] * meet(a.crd, a.val, a.pos[i], a.pos[i + 1], a.crd, a.val, a.pos[j], a.pos[j + 1]);
    }
  w->y[0] = s;
}

PROGRAM(inner) { return same_shape(&p->a, &p->b) ? dense_result(p, p->a.rows) : NULL; }
void inner_run(void *h) {
  work *w = h;
  const csr a = w->p.a, b = w->p.b;
  double *restrict y = w->y;
  for (uint64_t i = 0; i < a.rows; i++)
    y[i] = meet(a.crd, a.val, a.pos[i], a.pos[i + 1], b.crd, b.val, b.pos[i], b.pos[i + 1]);
}

PROGRAM(add) { return same_shape(&p->a, &p->b) ? sparse_result(p, entries(&p->a) + entries(&p->b)) : NULL; }
void add_run(void *h) {
  work *w = h;
  const uint64_t *restrict ap = w->p.a.pos, *restrict bp = w->p.b.pos;
  const uint32_t *restrict ac = w->p.a.crd, *restrict bc = w->p.b.crd;
  const double *restrict av = w->p.a.val, *restrict bv = w->p.b.val;
  uint64_t *restrict pos = w->pos;
  uint32_t *restrict crd = w->crd;
  double *restrict val = w->val;
  uint64_t n = 0;
  for (uint64_t i = 0, rows = w->rows; i < rows; i++) {
    uint64_t p = ap[i], pe = ap[i + 1], q = bp[i], qe = bp[i + 1];
    while (p < pe && q < qe) {
      uint32_t j = ac[p], k = bc[q];
      if (j == k) {
        crd[n] = j;
        val[n++] = av[p++] + bv[q++];
      } else if (j < k) {
        crd[n] = j;
        val[n++] = av[p++];
      } else {
        crd[n] = k;
        val[n++] = bv[q++];
      }
    }
    for (; p < pe; p++, n++) crd[n] = ac[p], val[n] = av[p];
    for (; q < qe; q++, n++) crd[n] = bc[q], val[n] = bv[q];
    pos[i + 1] = n;
  }
}

PROGRAM(product) {
  if (!same_shape(&p->a, &p->b)) return NULL;
  uint64_t m = entries(&p->a), n = entries(&p->b);
  return sparse_result(p, m < n ? m : n);
}
void product_run(void *h) {
  work *w = h;
  const uint64_t *restrict ap = w->p.a.pos, *restrict bp = w->p.b.pos;
  const uint32_t *restrict ac = w->p.a.crd, *restrict bc = w->p.b.crd;
  const double *restrict av = w->p.a.val, *restrict bv = w->p.b.val;
  uint64_t *restrict pos = w->pos;
  uint32_t *restrict crd = w->crd;
  double *restrict val = w->val;
  uint64_t n = 0;
  for (uint64_t i = 0, rows = w->rows; i < rows; i++) {
    uint64_t p = ap[i], pe = ap[i + 1], q = bp[i], qe = bp[i + 1];
    while (p < pe && q < qe) {
      uint32_t j = ac[p], k = bc[q];
      if (j == k) {
        crd[n] = j;
        val[n++] = av[p] * bv[q];
      }
      p += j <= k;
      q += k <= j;
    }
    pos[i + 1] = n;
  }
}

/* Gustavson's product. The list of touched columns makes the row's pattern. */
static work *new_spgemm(const problem *p) {
  if (p->a.rows != p->a.cols || p->a.rows >= UINT32_MAX) return NULL;
  work *w = sparse_result(p, entries(&p->a));
  w->acc = room(w->cols, sizeof *w->acc);
  w->mark = zeros(w->cols, sizeof *w->mark);
  w->touched = room(w->cols, sizeof *w->touched);
  w->bits = zeros(w->cols / 64 + 1, sizeof *w->bits);
  w->groups = zeros(w->cols / 4096 + 1, sizeof *w->groups);
  return w;
}

/* Insertion for few; else bits, and bits of which words of bits are not empty. */
static void sort(uint32_t *restrict t, uint64_t n, uint64_t *restrict bits, uint64_t *restrict groups) {
  if (n <= 24) {
    for (uint64_t k = 1; k < n; k++) {
      uint32_t c = t[k];
      uint64_t l = k;
      for (; l > 0 && t[l - 1] > c; l--) t[l] = t[l - 1];
      t[l] = c;
    }
    return;
  }
  uint32_t least = t[0], most = t[0];
  for (uint64_t k = 0; k < n; k++) {
    uint32_t c = t[k];
    bits[c >> 6] |= 1ull << (c & 63);
    groups[c >> 12] |= 1ull << (c >> 6 & 63);
    least = c < least ? c : least;
    most = c > most ? c : most;
  }
  n = 0;
  for (uint64_t g = least >> 12; g <= most >> 12; g++) {
    for (uint64_t in_group = groups[g]; in_group; in_group &= in_group - 1) {
      uint64_t word = g << 6 | __builtin_ctzll(in_group);
      for (uint64_t b = bits[word]; b; b &= b - 1) t[n++] = word << 6 | __builtin_ctzll(b);
      bits[word] = 0;
    }
    groups[g] = 0;
  }
}

#define INLINE static inline __attribute__((always_inline))

/* Appends a row of the `m` columns that were touched behind `n` entries; gives how many there are then. What the first run needed is
 * there in those that follow. */
INLINE uint64_t append_row(work *w, uint64_t n, uint64_t m, int sorted) {
  const double *restrict acc = w->acc;
  uint32_t *restrict touched = w->touched;
  if (n + m > w->room) {
    w->room = 2 * (n + m);
    w->crd = realloc(w->crd, w->room * sizeof *w->crd);
    w->val = realloc(w->val, w->room * sizeof *w->val);
  }
  if (sorted) sort(touched, m, w->bits, w->groups);
  uint32_t *restrict crd = w->crd + n;
  double *restrict val = w->val + n;
  for (uint64_t k = 0; k < m; k++) {
    crd[k] = touched[k];
    val[k] = acc[touched[k]];
  }
  return n + m;
}

INLINE void gustavson(work *w, int sorted) {
  const uint64_t *restrict ap = w->p.a.pos;
  const uint32_t *restrict ac = w->p.a.crd;
  const double *restrict av = w->p.a.val;
  double *restrict acc = w->acc;
  uint32_t *restrict mark = w->mark, *restrict touched = w->touched;
  uint64_t n = 0;
  for (uint64_t i = 0, rows = w->rows; i < rows; i++) {
    if (++w->stamp == 0) {
      memset(mark, 0, w->cols * sizeof *mark);
      w->stamp = 1;
    }
    uint32_t stamp = w->stamp;
    uint64_t m = 0;
    for (uint64_t p = ap[i], pe = ap[i + 1]; p < pe; p++) {
      uint32_t k = ac[p];
      double v = av[p];
      for (uint64_t q = ap[k], qe = ap[k + 1]; q < qe; q++) {
        uint32_t j = ac[q];
        if (mark[j] != stamp) {
          mark[j] = stamp;
          touched[m++] = j;
          acc[j] = v * av[q];
        } else {
          acc[j] += v * av[q];
        }
      }
    }
    w->pos[i + 1] = n = append_row(w, n, m, sorted);
  }
}

PROGRAM(spgemm) { return new_spgemm(p); }
void spgemm_run(void *h) { gustavson(h, 0); }

PROGRAM(spgemm_sorted) { return new_spgemm(p); }
void spgemm_sorted_run(void *h) { gustavson(h, 1); }

/* The suite has 32 columns throughout; with their number known, sums of a row stay in registers. */
#define WIDE 32

INLINE void spmm_of(work *w, uint64_t n) {
  const uint64_t *restrict pos = w->p.a.pos;
  const uint32_t *restrict crd = w->p.a.crd;
  const double *restrict val = w->p.a.val, *restrict d = w->p.d.val;
  double *restrict y = w->y;
  for (uint64_t i = 0, rows = w->p.a.rows; i < rows; i++) {
    double *restrict row = y + i * n;
    for (uint64_t k = 0; k < n; k++) row[k] = 0;
    for (uint64_t p = pos[i], e = pos[i + 1]; p < e; p++) {
      double v = val[p];
      const double *restrict x = d + crd[p] * n;
      for (uint64_t k = 0; k < n; k++) row[k] += v * x[k];
    }
  }
}

INLINE void spmm_wide(work *w) {
  const uint64_t *restrict pos = w->p.a.pos;
  const uint32_t *restrict crd = w->p.a.crd;
  const double *restrict val = w->p.a.val, *restrict d = w->p.d.val;
  double *restrict y = w->y;
  for (uint64_t i = 0, rows = w->p.a.rows; i < rows; i++) {
    double s[WIDE] = {0};
    for (uint64_t p = pos[i], e = pos[i + 1]; p < e; p++) {
      double v = val[p];
      const double *restrict x = d + (uint64_t)crd[p] * WIDE;
      for (int k = 0; k < WIDE; k++) s[k] += v * x[k];
    }
    memcpy(y + i * WIDE, s, sizeof s);
  }
}

PROGRAM(spmm) { return p->d.rows == p->a.cols ? dense_result(p, p->a.rows * p->d.cols) : NULL; }
void spmm_run(void *h) {
  work *w = h;
  if (w->p.d.cols == WIDE)
    spmm_wide(w);
  else
    spmm_of(w, w->p.d.cols);
}

INLINE void sddmm_of(work *w, uint64_t n) {
  const uint64_t *restrict pos = w->p.a.pos;
  const uint32_t *restrict crd = w->p.a.crd;
  const double *restrict val = w->p.a.val, *restrict d = w->p.d.val, *restrict e = w->p.e.val;
  double *restrict out = w->val;
  for (uint64_t i = 0, rows = w->p.a.rows; i < rows; i++) {
    const double *restrict x = d + i * n;
    for (uint64_t p = pos[i], end = pos[i + 1]; p < end; p++) {
      const double *restrict y = e + crd[p] * n;
      double s = 0;
      for (uint64_t k = 0; k < n; k++) s += x[k] * y[k];
      out[p] = val[p] * s;
    }
  }
}

PROGRAM(sddmm) {
  if (p->d.rows != p->a.rows || p->e.rows != p->a.cols || p->d.cols != p->e.cols) return NULL;
  work *w = sparse_result(p, entries(&p->a));
  memcpy(w->pos, p->a.pos, (w->rows + 1) * sizeof *w->pos);
  if (w->room) memcpy(w->crd, p->a.crd, w->room * sizeof *w->crd);
  return w;
}
void sddmm_run(void *h) {
  work *w = h;
  if (w->p.d.cols == WIDE)
    sddmm_of(w, WIDE);
  else
    sddmm_of(w, w->p.d.cols);
}

/* The factor of a fiber is taken out of its sum. `acc` is that sum. */
INLINE void mttkrp_of(work *w, uint64_t n, double *restrict acc) {
  const csf t = w->p.t;
  const double *restrict d = w->p.d.val, *restrict e = w->p.e.val, *restrict val = t.val;
  const uint32_t *restrict c2 = t.crd2;
  double *restrict y = w->y;
  for (uint64_t f = 0; f < t.roots; f++) {
    double *restrict row = y + t.crd0[f] * n;
    for (uint64_t g = t.pos1[f]; g < t.pos1[f + 1]; g++) {
      const double *restrict x = d + t.crd1[g] * n;
      for (uint64_t k = 0; k < n; k++) acc[k] = 0;
      for (uint64_t p = t.pos2[g], end = t.pos2[g + 1]; p < end; p++) {
        double v = val[p];
        const double *restrict z = e + c2[p] * n;
        for (uint64_t k = 0; k < n; k++) acc[k] += v * z[k];
      }
      for (uint64_t k = 0; k < n; k++) row[k] += acc[k] * x[k];
    }
  }
}

PROGRAM(mttkrp) {
  if (p->d.rows != p->t.dims[1] || p->e.rows != p->t.dims[2] || p->d.cols != p->e.cols) return NULL;
  work *w = dense_result(p, p->t.dims[0] * p->d.cols);
  w->acc = room(p->d.cols, sizeof *w->acc);
  return w;
}
void mttkrp_run(void *h) {
  work *w = h;
  memset(w->y, 0, w->len * sizeof *w->y);
  if (w->p.d.cols == WIDE) {
    double acc[WIDE];
    mttkrp_of(w, WIDE, acc);
  } else {
    mttkrp_of(w, w->p.d.cols, w->acc);
  }
}

/* Rows of d that the columns of x name, in any order. */
PROGRAM(gathered) { return p->x.cols == p->d.rows ? dense_result(p, p->a.rows * p->d.cols) : NULL; }
void gathered_run(void *h) {
  work *w = h;
  const uint64_t *restrict pos = w->p.a.pos, n = w->p.d.cols;
  const uint32_t *restrict crd = w->p.a.crd, *restrict at = w->p.x.crd;
  const double *restrict val = w->p.a.val, *restrict d = w->p.d.val;
  double *restrict y = w->y;
  for (uint64_t i = 0, rows = w->p.a.rows; i < rows; i++) {
    double *restrict row = y + i * n;
    for (uint64_t k = 0; k < n; k++) row[k] = 0;
    for (uint64_t p = pos[i], e = pos[i + 1]; p < e; p++) {
      double v = val[p];
      const double *restrict x = d + at[crd[p]] * n;
      for (uint64_t k = 0; k < n; k++) row[k] += v * x[k];
    }
  }
}

PROGRAM(gather) { return p->x.cols == p->d.rows ? dense_result(p, entries(&p->x) * p->d.cols) : NULL; }
void gather_run(void *h) {
  work *w = h;
  uint64_t n = w->p.d.cols;
  for (uint64_t i = 0, rows = entries(&w->p.x); i < rows; i++)
    memcpy(w->y + i * n, w->p.d.val + w->p.x.crd[i] * n, n * sizeof *w->y);
}

INLINE void attention_of(work *w, uint64_t n) {
  const uint64_t *restrict pos = w->p.a.pos;
  const uint32_t *restrict crd = w->p.a.crd;
  const double *restrict val = w->p.a.val, *restrict d = w->p.d.val, *restrict e = w->p.e.val, *restrict f = w->p.f.val;
  double *restrict out = w->y;
  for (uint64_t i = 0, rows = w->p.a.rows; i < rows; i++) {
    const double *restrict x = d + i * n;
    double *restrict row = out + i * n;
    for (uint64_t k = 0; k < n; k++) row[k] = 0;
    for (uint64_t p = pos[i], end = pos[i + 1]; p < end; p++) {
      const double *restrict y = e + crd[p] * n, *restrict z = f + crd[p] * n;
      double s = 0;
      for (uint64_t k = 0; k < n; k++) s += x[k] * y[k];
      s *= val[p];
      for (uint64_t k = 0; k < n; k++) row[k] += s * z[k];
    }
  }
}

PROGRAM(attention) {
  if (p->d.rows != p->a.rows || p->e.rows != p->a.cols || p->f.rows != p->a.cols) return NULL;
  return p->d.cols == p->e.cols && p->d.cols == p->f.cols ? dense_result(p, p->d.rows * p->d.cols) : NULL;
}
void attention_run(void *h) {
  work *w = h;
  if (w->p.d.cols == WIDE)
    attention_of(w, WIDE);
  else
    attention_of(w, w->p.d.cols);
}

/* The product with columns of the mask marked: 2 * stamp is in the mask, 2 * stamp + 1 is touched. */
PROGRAM(masked_outside) { return new_spgemm(p); }
void masked_outside_run(void *h) {
  work *w = h;
  const uint64_t *restrict ap = w->p.a.pos;
  const uint32_t *restrict ac = w->p.a.crd;
  const double *restrict av = w->p.a.val;
  double *restrict acc = w->acc;
  uint32_t *restrict mark = w->mark, *restrict touched = w->touched;
  uint64_t n = 0;
  for (uint64_t i = 0, rows = w->rows; i < rows; i++) {
    if (++w->stamp >= UINT32_MAX / 2) {
      memset(mark, 0, w->cols * sizeof *mark);
      w->stamp = 1;
    }
    uint32_t out = 2 * w->stamp, in = out + 1;
    uint64_t m = 0;
    for (uint64_t p = ap[i]; p < ap[i + 1]; p++) mark[ac[p]] = out;
    for (uint64_t p = ap[i], pe = ap[i + 1]; p < pe; p++) {
      uint32_t k = ac[p];
      double v = av[p];
      for (uint64_t q = ap[k], qe = ap[k + 1]; q < qe; q++) {
        uint32_t j = ac[q];
        if (mark[j] == in) {
          acc[j] += v * av[q];
        } else if (mark[j] != out) {
          mark[j] = in;
          touched[m++] = j;
          acc[j] = v * av[q];
        }
      }
    }
    w->pos[i + 1] = n = append_row(w, n, m, 1);
  }
}

/* A row is spread, and the rows that it leads to look into it. */
PROGRAM(masked_dots) { return new_spgemm(p); }
void masked_dots_run(void *h) {
  work *w = h;
  const uint64_t *restrict ap = w->p.a.pos;
  const uint32_t *restrict ac = w->p.a.crd;
  const double *restrict av = w->p.a.val;
  double *restrict acc = w->acc, *restrict val = w->val;
  uint32_t *restrict mark = w->mark, *restrict crd = w->crd;
  uint64_t n = 0;
  for (uint64_t i = 0, rows = w->rows; i < rows; i++) {
    if (++w->stamp == 0) {
      memset(mark, 0, w->cols * sizeof *mark);
      w->stamp = 1;
    }
    uint32_t stamp = w->stamp;
    for (uint64_t p = ap[i], pe = ap[i + 1]; p < pe; p++) {
      mark[ac[p]] = stamp;
      acc[ac[p]] = av[p];
    }
    for (uint64_t p = ap[i], pe = ap[i + 1]; p < pe; p++) {
      uint32_t j = ac[p];
      double s = 0;
      int any = 0;
      for (uint64_t q = ap[j], qe = ap[j + 1]; q < qe; q++)
        if (mark[ac[q]] == stamp) {
          s += acc[ac[q]] * av[q];
          any = 1;
        }
      crd[n] = j;
      val[n] = s;
      n += any;
    }
    w->pos[i + 1] = n;
  }
}
