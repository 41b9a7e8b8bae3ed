/* Eigen's sparse module. Its products come with rows sorted, there is no other kind. */
#define EIGEN_NO_DEBUG
#define EIGEN_DONT_PARALLELIZE
#include "peer.h"
#include <Eigen/SparseCore>
#include <climits>
#include <vector>

namespace {
using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using Wide = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstWide = Eigen::Map<const Wide>;
using Vector = Eigen::VectorXd;
using ConstVector = Eigen::Map<const Vector>;

bool fits(const csr &a) { return a.pos[a.rows] < INT_MAX && a.rows < INT_MAX && a.cols < INT_MAX; }
bool same_shape(const csr &a, const csr &b) { return a.rows == b.rows && a.cols == b.cols; }

/* Only offsets are of another type. */
struct Mapped {
  std::vector<int> pos;
  Eigen::Map<const Rows> m;
  explicit Mapped(const csr &a)
      : pos(a.pos, a.pos + a.rows + 1),
        m(a.rows, a.cols, pos.back(), pos.data(), reinterpret_cast<const int *>(a.crd), a.val) {}
};

struct Work {
  virtual ~Work() = default;
  virtual void run() = 0;
  virtual void get(answer *) = 0;
};

struct DenseWork : Work {
  Vector y;
  explicit DenseWork(uint64_t n) : y(n) {}
  void get(answer *r) override {
    *r = answer{};
    r->len = y.size();
    r->values = y.data();
  }
};

struct SparseWork : Work {
  Rows c;
  std::vector<uint64_t> pos;
  SparseWork(uint64_t rows, uint64_t cols) : c(rows, cols) {}
  void get(answer *r) override {
    c.makeCompressed();
    pos.assign(c.outerIndexPtr(), c.outerIndexPtr() + c.rows() + 1);
    *r = answer{};
    r->sparse = csr{uint64_t(c.rows()), uint64_t(c.cols()), pos.data(),
                    reinterpret_cast<const uint32_t *>(c.innerIndexPtr()), c.valuePtr()};
  }
};

struct Spmv : DenseWork {
  Mapped a;
  ConstVector x;
  explicit Spmv(const problem &p) : DenseWork(p.a.rows), a(p.a), x(p.d.val, p.a.cols) {}
  void run() override { y.noalias() = a.m * x; }
};

struct SpmspvColumns : DenseWork {
  Columns a;
  Eigen::SparseVector<double> x;
  explicit SpmspvColumns(const problem &p) : DenseWork(p.a.rows), a(Mapped(p.a).m), x(p.x.cols) {
    for (uint64_t q = 0; q < p.x.pos[1]; q++) x.insert(p.x.crd[q]) = p.x.val[q];
  }
  void run() override { y = a * x; }
};

struct Triangles : DenseWork {
  Mapped l;
  explicit Triangles(const problem &p) : DenseWork(1), l(p.a) {}
  void run() override { y[0] = Rows(l.m * l.m).cwiseProduct(l.m).sum(); }
};

struct Inner : DenseWork {
  Mapped a, b;
  explicit Inner(const problem &p) : DenseWork(p.a.rows), a(p.a), b(p.b) {}
  void run() override {
    for (Eigen::Index i = 0; i < y.size(); i++) y[i] = a.m.row(i).dot(b.m.row(i));
  }
};

struct Spgemm : SparseWork {
  Mapped a;
  explicit Spgemm(const problem &p) : SparseWork(p.a.rows, p.a.cols), a(p.a) {}
  void run() override { c = a.m * a.m; }
};

struct Add : SparseWork {
  Mapped a, b;
  explicit Add(const problem &p) : SparseWork(p.a.rows, p.a.cols), a(p.a), b(p.b) {}
  void run() override { c = a.m + b.m; }
};

struct Product : SparseWork {
  Mapped a, b;
  explicit Product(const problem &p) : SparseWork(p.a.rows, p.a.cols), a(p.a), b(p.b) {}
  void run() override { c = a.m.cwiseProduct(b.m); }
};

struct Spmm : DenseWork {
  Mapped a;
  ConstWide d;
  explicit Spmm(const problem &p)
      : DenseWork(p.a.rows * p.d.cols), a(p.a), d(p.d.val, p.d.rows, p.d.cols) {}
  void run() override { Eigen::Map<Wide>(y.data(), a.m.rows(), d.cols()).noalias() = a.m * d; }
};

/* No expression samples a product, so entries by hand; dot products and the pattern are Eigen's. */
struct Sddmm : SparseWork {
  Mapped a;
  ConstWide d, e;
  explicit Sddmm(const problem &p)
      : SparseWork(p.a.rows, p.a.cols), a(p.a), d(p.d.val, p.d.rows, p.d.cols), e(p.e.val, p.e.rows, p.e.cols) {
    c = a.m;
  }
  void run() override {
    double *out = c.valuePtr();
    for (Eigen::Index i = 0; i < a.m.outerSize(); i++)
      for (Eigen::Map<const Rows>::InnerIterator entry(a.m, i); entry; ++entry)
        *out++ = entry.value() * d.row(i).dot(e.row(entry.col()));
  }
};
} // namespace

#define PROGRAM(name, type, condition)                                                 \
  extern "C" {                                                                         \
  void *name##_new(const problem *p) { return (condition) ? new type(*p) : nullptr; }  \
  void name##_run(void *h) { static_cast<type *>(h)->run(); }                          \
  void name##_get(void *h, answer *r) { static_cast<type *>(h)->get(r); }              \
  void name##_free(void *h) { delete static_cast<type *>(h); }                         \
  }

PROGRAM(spmv, Spmv, fits(p->a) && p->d.rows * p->d.cols == p->a.cols)
PROGRAM(spmspv_columns, SpmspvColumns, fits(p->a) && p->x.rows == 1 && p->x.cols == p->a.cols)
PROGRAM(triangles, Triangles, fits(p->a) && p->a.rows == p->a.cols)
PROGRAM(spgemm, Spgemm, fits(p->a) && p->a.rows == p->a.cols)
PROGRAM(spgemm_sorted, Spgemm, fits(p->a) && p->a.rows == p->a.cols)
PROGRAM(add, Add, fits(p->a) && fits(p->b) && same_shape(p->a, p->b))
PROGRAM(product, Product, fits(p->a) && fits(p->b) && same_shape(p->a, p->b))
PROGRAM(inner, Inner, fits(p->a) && fits(p->b) && same_shape(p->a, p->b))
PROGRAM(spmm, Spmm, fits(p->a) && p->d.rows == p->a.cols)
PROGRAM(sddmm, Sddmm,
        fits(p->a) && p->d.rows == p->a.rows && p->e.rows == p->a.cols && p->d.cols == p->e.cols)
