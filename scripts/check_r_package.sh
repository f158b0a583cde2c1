#!/usr/bin/env bash
# R CMD build and R CMD check of the R package, in a folder that is removed afterwards.
#
#   scripts/check_r_package.sh                             with the Python of RETICULATE_PYTHON
#   scripts/check_r_package.sh --python .venv/bin/python   with this Python
#   scripts/check_r_package.sh --no-python                 as on a machine without Python
#   scripts/check_r_package.sh --no-tests                  without testthat (pytest runs it), vignette
#
# Demands "Status: OK": no error, no warning, no note. Without R it says so and returns 0, with
# CI=true it fails. Exit codes: 0 clean, 1 not clean, 2 usage.
set -u

cd "$(dirname "$0")/.." || exit 1
package=$PWD/r_bridge/softclust
python=${RETICULATE_PYTHON:-}
options="--no-manual"
quick=false

say() { printf 'check_r_package.sh: %s\n' "$*" >&2; }

while [ $# -gt 0 ]; do
  case "$1" in
    --python) [ $# -ge 2 ] || { say "--python needs a path"; exit 2; }
              # Not resolved: the path of a virtualenv's Python is a link that says which one.
              python=$(cd "$(dirname "$2")" && pwd)/$(basename "$2") || exit 2
              shift 2 ;;
    --no-python) python=none; shift ;;
    --no-tests) options="$options --no-tests"; quick=true; shift ;;
    -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) say "unknown argument $1 (see --help)"; exit 2 ;;
  esac
done

if ! command -v R >/dev/null 2>&1; then
  say "R is missing; scripts/install_r.sh installs it"
  [ "${CI:-}" = true ] && exit 1
  exit 0
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# rpy2 leaves these in the environment of its children; they would lead to another R.
unset R_HOME R_SESSION_INITIALIZED R_TESTS
if [ "$python" = none ]; then
  # A virtualenv that is not there: reticulate must neither find nor download another Python.
  export RETICULATE_PYTHON="$folder/none/bin/python"
  unset CI
elif [ -n "$python" ]; then
  export RETICULATE_PYTHON="$python"
fi
export SOFTCLUST_GOLDEN=${SOFTCLUST_GOLDEN:-$PWD/tests/golden}

# The check asks CRAN for packages that are suggested and missing; it need not wait for an answer.
export R_DEFAULT_INTERNET_TIMEOUT=5

cd "$folder" || exit 1
# The vignette is built by the package as it is installed: where knitr is missing it is left out.
cp -R "$package" source || exit 1
if $quick; then
  rm -rf source/vignettes   # its code runs for a minute; make r-check has it
elif ! Rscript --vanilla -e 'quit(status = !(requireNamespace("knitr", quietly = TRUE) &&
       requireNamespace("rmarkdown", quietly = TRUE) && rmarkdown::pandoc_available()))'; then
  say "without knitr, rmarkdown or pandoc: the vignette is not checked"
  rm -rf source/vignettes
fi
if [ ! -d source/vignettes ]; then
  sed -i.old '/^VignetteBuilder/d' source/DESCRIPTION && rm -f source/DESCRIPTION.old
fi
if ! R CMD build source >build.log 2>&1; then
  cat build.log >&2
  say "R CMD build failed"
  exit 1
fi
# shellcheck disable=SC2086
_R_CHECK_FORCE_SUGGESTS_=false R CMD check $options softclust_*.tar.gz >check.log 2>&1
status=$?
cat check.log
if [ $status -ne 0 ] || ! grep -q '^Status: OK$' check.log; then
  for log in softclust.Rcheck/00install.out softclust.Rcheck/tests/testthat.Rout.fail; do
    [ -f "$log" ] && { echo "--- $log" >&2; tail -n 60 "$log" >&2; }
  done
  say "R CMD check is not clean"
  exit 1
fi
