/* OpenCV's image processing. Operands and results are in the types that it is fastest with. */
#include "peer.h"
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace {
uint64_t stack(const problem &p) { return p.images ? p.images : 1; }

/* Image k of a stack; OpenCV reads only. */
cv::Mat view(const image &m, uint64_t k = 0) {
  return cv::Mat(m.rows, m.cols, CV_8U, const_cast<uint8_t *>(m.val) + k * m.rows * m.cols);
}

struct Work {
  std::vector<double> values;
  Work() { cv::setNumThreads(1); }
  virtual ~Work() = default;
  virtual void run() = 0;
  virtual void fill() = 0;
  void put(const cv::Mat &m) {
    cv::Mat wide;
    m.convertTo(wide, CV_64F);
    values.insert(values.end(), wide.begin<double>(), wide.end<double>());
  }
  void get(answer *r) {
    values.clear();
    fill();
    *r = answer{};
    r->len = values.size();
    r->values = values.data();
  }
};

/* One result for each image of the stack. */
struct Filter : Work {
  std::vector<cv::Mat> in, out;
  explicit Filter(const problem &p) : out(stack(p)) {
    for (uint64_t k = 0; k < stack(p); k++) in.push_back(view(p.p, k));
  }
  void fill() override {
    for (auto &m : out) put(m);
  }
};

struct Convolution : Filter {
  std::vector<cv::Mat> mask;
  cv::Mat kernel;
  explicit Convolution(const problem &p) : Filter(p), mask(in) {
    cv::Mat(p.d.rows, p.d.cols, CV_64F, const_cast<double *>(p.d.val)).convertTo(kernel, CV_32F);
    for (auto &m : in) {
      cv::Mat floats;
      m.convertTo(floats, CV_32F);
      m = floats;
    }
  }
  void run() override {
    for (size_t k = 0; k < in.size(); k++)
      cv::filter2D(in[k], out[k], CV_32F, kernel, cv::Point(-1, -1), 0, cv::BORDER_CONSTANT);
  }
  /* OpenCV cannot leave pixels out, so the mask costs it nothing. */
  void fill() override {
    for (size_t k = 0; k < out.size(); k++) {
      cv::Mat kept = cv::Mat::zeros(out[k].size(), out[k].type());
      out[k].copyTo(kept, mask[k]);
      put(kept);
    }
  }
};

struct Erosion : Filter {
  cv::Mat cross = cv::getStructuringElement(cv::MORPH_CROSS, cv::Size(3, 3));
  explicit Erosion(const problem &p) : Filter(p) {}
  void run() override {
    for (size_t k = 0; k < in.size(); k++)
      cv::erode(in[k], out[k], cross, cv::Point(-1, -1), 1, cv::BORDER_CONSTANT, cv::Scalar(0));
  }
};

/* No neighbours: the whole stack is one image. */
cv::Mat tall(const image &m, const problem &p) {
  return cv::Mat(m.rows * stack(p), m.cols, CV_8U, const_cast<uint8_t *>(m.val));
}

struct Blend : Work {
  cv::Mat p, q, out;
  double alpha;
  explicit Blend(const problem &o) : p(tall(o.p, o)), q(tall(o.q, o)), alpha(o.alpha) {}
  void run() override { cv::addWeighted(p, alpha, q, 1 - alpha, 0, out); }
  void fill() override { put(out); }
};

struct Histogram : Work {
  cv::Mat p, mask, counts;
  explicit Histogram(const problem &o) : p(tall(o.p, o)), mask(tall(o.q, o)) {}
  void run() override {
    int channels[] = {0}, bins[] = {256};
    float range[] = {0, 256};
    const float *ranges[] = {range};
    cv::calcHist(&p, 1, channels, mask, counts, 1, bins, ranges);
  }
  void fill() override { put(counts); }
};

/* Many times faster than cv::gemm and norms. One row against those above it: distances are symmetric. */
struct Similarity : Work {
  cv::Mat images, distances;
  explicit Similarity(const problem &p)
      : distances(int(p.images), int(p.images), CV_32F, cv::Scalar(0)) {
    cv::Mat(int(p.images), p.p.rows * p.p.cols, CV_8U, const_cast<uint8_t *>(p.p.val))
        .convertTo(images, CV_32F);
  }
  void run() override {
    for (int i = 1; i < images.rows; i++) {
      cv::Mat row = distances.row(i).colRange(0, i);
      cv::batchDistance(images.row(i), images.rowRange(0, i), row, CV_32F, cv::noArray(), cv::NORM_L2);
    }
    cv::completeSymm(distances, true);
  }
  void fill() override { put(distances); }
};

bool same_shape(const image &p, const image &q) { return p.rows == q.rows && p.cols == q.cols; }
} // namespace

#define PROGRAM(name, type, condition)                                                 \
  extern "C" {                                                                         \
  void *name##_new(const problem *p) { return (condition) ? new type(*p) : nullptr; }  \
  void name##_run(void *h) { static_cast<type *>(h)->run(); }                          \
  void name##_get(void *h, answer *r) { static_cast<type *>(h)->get(r); }              \
  void name##_free(void *h) { delete static_cast<type *>(h); }                         \
  }

PROGRAM(convolution, Convolution, p->p.val && p->d.val)
PROGRAM(blend, Blend, p->q.val && same_shape(p->p, p->q))
PROGRAM(similarity, Similarity, p->images > 0)
PROGRAM(erosion, Erosion, p->p.val)
PROGRAM(histogram, Histogram, p->q.val && same_shape(p->p, p->q))
