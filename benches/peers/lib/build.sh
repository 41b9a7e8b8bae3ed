#!/bin/sh
# Usage: [VENV=DIR] [MKLROOT=DIR] [GRAPHBLAS=system|python] build.sh DIR: builds the peers whose compiler and library
# are there into DIR. VENV is a Python environment that may have MKL and GraphBLAS; MKLROOT has include/ and lib/;
# other libraries come from the system (EIGEN and OPENCV say where headers are, CXXFLAGS and LDFLAGS are added).
set -u
[ $# = 1 ] || { sed -n 's/^# //; 2,4p' "$0" >&2; exit 2; }
mkdir -p "$1" || exit 1
out=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# Absolute, because libraries are found by it later.
absolute() { [ -z "$1" ] || (cd "$1" && pwd); }
venv=$(absolute "${VENV:-}") || exit 1
common="-O3 -march=native -fPIC -Wall -Wextra ${CXXFLAGS:-}"
# All peers export the same names: each calls its own, however it is loaded.
shared="-shared -Wl,-Bsymbolic"

have() { command -v "$1" >/dev/null 2>&1; }
version() { "$1" -dumpfullversion 2>/dev/null || "$1" -dumpversion; }
left_out() { echo "left out  $1: $2"; rm -f "$out/$1"; }
# NAME WHAT COMMAND...
build() {
  name=$1 what=$2
  shift 2
  if "$@" -o "$out/$name" 2>"$tmp/log"; then
    echo "built     $name: $what"
  else
    left_out "$name" "does not build"
    sed 's/^/          /; 8q' "$tmp/log" >&2
  fi
}
define() { sed -n "s/^#define $1 *(*\([0-9][0-9]*\).*/\1/p" "$2" | head -n 1; }

for cc in gcc clang; do
  if ! have $cc; then
    left_out lib$cc.so "no $cc"
  # Linked without -ffast-math: with it, some versions link what makes denormals zero in the whole process.
  elif $cc -std=gnu11 $common -ffast-math -c "$here/two_finger.c" -o "$tmp/$cc.o" &&
    $cc -std=gnu11 $common -ffast-math -c "$here/shapes.c" -o "$tmp/$cc-shapes.o"; then
    build lib$cc.so "$cc $(version $cc)" $cc $shared "$tmp/$cc.o" "$tmp/$cc-shapes.o"
  else
    left_out lib$cc.so "does not build"
  fi
done

# The same without -ffast-math, as C is by default: with it gcc and clang take several entries at a time, which is not always faster.
for cc in gcc clang; do
  if have $cc && $cc -std=gnu11 $common -c "$here/two_finger.c" -o "$tmp/$cc.o" &&
    $cc -std=gnu11 $common -c "$here/shapes.c" -o "$tmp/$cc-shapes.o"; then
    build lib${cc}_plain.so "$cc $(version $cc) without -ffast-math" $cc $shared "$tmp/$cc.o" "$tmp/$cc-shapes.o"
  fi
done

cxx=${CXX:-g++}
cc=${CC:-gcc}

eigen=${EIGEN:-/usr/include/eigen3}
macros=$eigen/Eigen/src/Core/util/Macros.h
if ! have "$cxx"; then
  left_out libeigen.so "no $cxx"
elif [ ! -f "$macros" ]; then
  left_out libeigen.so "no Eigen in $eigen"
else
  v=$(define EIGEN_WORLD_VERSION "$macros").$(define EIGEN_MAJOR_VERSION "$macros")
  v=$v.$(define EIGEN_MINOR_VERSION "$macros")
  build libeigen.so "Eigen $v" "$cxx" -std=c++17 $common $shared -isystem "$eigen" "$here/eigen.cpp"
fi

opencv=${OPENCV:-/usr/include/opencv4}
macros=$opencv/opencv2/core/version.hpp
if ! have "$cxx"; then
  left_out libopencv_peer.so "no $cxx"
elif [ ! -f "$macros" ]; then
  left_out libopencv_peer.so "no OpenCV in $opencv"
else
  v=$(define CV_VERSION_MAJOR "$macros").$(define CV_VERSION_MINOR "$macros").$(define CV_VERSION_REVISION "$macros")
  build libopencv_peer.so "OpenCV $v" "$cxx" -std=c++17 $common $shared -isystem "$opencv" "$here/opencv.cpp" \
    ${LDFLAGS:-} -lopencv_imgproc -lopencv_core
fi

# Packages of Python have no names without a version to link with.
mkl=$(absolute "${MKLROOT:-$venv}") || exit 1
core=$(ls "$mkl"/lib/libmkl_core.so* 2>/dev/null | head -n 1)
if ! have "$cc"; then
  left_out libmkl.so "no $cc"
elif [ -z "$mkl" ] || [ -z "$core" ] || [ ! -f "$mkl/include/mkl.h" ]; then
  left_out libmkl.so "no MKL in ${mkl:-VENV or MKLROOT}"
else
  suffix=${core##*/libmkl_core}
  v=$(define __INTEL_MKL__ "$mkl/include/mkl_version.h").$(define __INTEL_MKL_MINOR__ "$mkl/include/mkl_version.h")
  v=$v.$(define __INTEL_MKL_UPDATE__ "$mkl/include/mkl_version.h")
  build libmkl.so "MKL $v" "$cc" -std=gnu11 $common $shared -isystem "$mkl/include" "$here/mkl.c" \
    "-L$mkl/lib" "-l:libmkl_intel_lp64$suffix" "-l:libmkl_sequential$suffix" "-l:libmkl_core$suffix" -lm \
    "-Wl,-rpath,$mkl/lib"
fi

# The package of Python has its declarations in a header for cffi, to which includes and constants are missing.
wheel=$(ls "$venv"/lib/python3*/site-packages/suitesparse_graphblas.libs/libgraphblas-*.so* 2>/dev/null | head -n 1)
[ -n "$venv" ] || wheel=
from=${GRAPHBLAS:-$([ -n "$wheel" ] && echo python || echo system)}
system=
for d in /usr/include /usr/include/suitesparse /usr/local/include /usr/local/include/suitesparse; do
  [ -z "$system" ] && [ -f "$d/GraphBLAS.h" ] && system=$d
done
if ! have "$cc"; then
  left_out libgraphblas_peer.so "no $cc"
elif [ "$from" = python ] && [ -n "$wheel" ]; then
  libs=$(dirname "$wheel")
  header=$libs/../suitesparse_graphblas/suitesparse_graphblas_no_complex.h
  { printf '#include <%s>\n' stdbool.h stddef.h stdint.h stdio.h; grep -v '^#define .*\.\.\.' "$header"; } \
    >"$tmp/GraphBLAS.h"
  build libgraphblas_peer.so "GraphBLAS ${wheel##*.so.} of Python" "$cc" -std=gnu11 $common $shared \
    -isystem "$tmp" "$here/graphblas.c" "-L$libs" "-l:${wheel##*/}" -lm "-Wl,-rpath,$libs"
elif [ "$from" = system ] && [ -n "$system" ]; then
  h=$system/GraphBLAS.h
  v=$(define GxB_IMPLEMENTATION_MAJOR "$h").$(define GxB_IMPLEMENTATION_MINOR "$h")
  v=$v.$(define GxB_IMPLEMENTATION_SUB "$h")
  build libgraphblas_peer.so "GraphBLAS $v of the system" "$cc" -std=gnu11 $common $shared -isystem "$system" \
    "$here/graphblas.c" ${LDFLAGS:-} -lgraphblas -lm
else
  left_out libgraphblas_peer.so "no GraphBLAS ($from)"
fi
