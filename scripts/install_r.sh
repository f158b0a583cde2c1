#!/usr/bin/env bash
# Installs what the tests with R need: Debian's R packages and, with --python, rpy2 in a virtualenv.
#
#   scripts/install_r.sh                              Debian packages
#   scripts/install_r.sh --python .venv/bin/python    the same, then the pip extra of this checkout
#   scripts/install_r.sh --check                      only say what is missing
#
# Idempotent: when everything is there it returns in a fraction of a second. Without root or sudo
# (or without apt-get) it says what to install; that is a failure only with CI=true, where tests
# that need R must run. Exit codes: 0 ready (or warned), 1 missing, 2 usage.
set -u

cd "$(dirname "$0")/.." || exit 1

# rpy2 3.6.5 has no wheel: pip compiles it against R, so r-base-dev (headers, compiler and the
# libraries R is linked to) is needed, and Python's headers (python_headers below).
# One line per package: Debian name, R name (empty: no R package of its own).
packages() {
  cat <<'LIST'
r-base-dev
r-cran-clue clue
r-cran-cluster cluster
r-cran-e1071 e1071
r-cran-generics generics
r-cran-ggplot2 ggplot2
r-cran-jsonlite jsonlite
r-cran-knitr knitr
r-cran-lpsolve lpSolve
r-cran-mclust mclust
r-cran-quadprog quadprog
r-cran-reticulate reticulate
r-cran-rmarkdown rmarkdown
r-cran-testthat testthat
pandoc
LIST
}

python=""
check_only=false
while [ $# -gt 0 ]; do
  case "$1" in
    --python) [ $# -ge 2 ] || { echo "install_r.sh: --python needs a path" >&2; exit 2; }
              python=$2; shift 2 ;;
    --check) check_only=true; shift ;;
    -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "install_r.sh: unknown argument $1 (see --help)" >&2; exit 2 ;;
  esac
done

say() { printf 'install_r.sh: %s\n' "$*" >&2; }

# Ends the script when something is missing and cannot be installed here.
give_up() {
  say "$1"
  if [ "${CI:-}" = true ]; then
    say "CI=true: the tests with R must run, so this is a failure."
    exit 1
  fi
  say "Going on without; tests that need R will be skipped."
  exit 0
}

debian_has() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# True when R itself, not Debian, already has package $1 (R from CRAN, conda, another system).
r_has() {
  command -v Rscript >/dev/null 2>&1 &&
    Rscript --vanilla -e "quit(status = !requireNamespace('$1', quietly = TRUE))" >/dev/null 2>&1
}

r_can_be_linked() {
  command -v R >/dev/null 2>&1 && command -v cc >/dev/null 2>&1 && ! command -v dpkg-query >/dev/null 2>&1
}

python_headers() {
  [ -f "$("${python:-python3}" -c 'import sysconfig; print(sysconfig.get_path("include"))' \
    2>/dev/null)/Python.h" ]
}

missing() {
  packages | while read -r debian r_name; do
    debian_has "$debian" && continue
    if [ -n "$r_name" ]; then r_has "$r_name" && continue; else r_can_be_linked && continue; fi
    echo "$debian"
  done
  # Headers of a Python that is not Debian's come with it.
  python_headers || debian_has python3-dev || echo python3-dev
}

install_debian() {
  wanted=$(missing | xargs)
  [ -n "$wanted" ] || return 0
  command="apt-get install -y --no-install-recommends $wanted"
  $check_only && give_up "missing: $wanted"
  command -v apt-get >/dev/null 2>&1 || give_up "no apt-get here. R >= 4.2 with a C compiler, the \
headers of R and Python, and the R packages behind these Debian names are needed: $wanted"
  root=""
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1 || { ! sudo -n true 2>/dev/null && ! [ -t 0 ]; }; then
      give_up "these Debian packages are missing and need root or sudo. Please run, as root: $command"
    fi
    root="sudo"
  fi
  say "installing $wanted"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  apt() {
    $root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
      -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1
  }
  # Package lists are fetched only when the install does not work with those that are there.
  # shellcheck disable=SC2086
  if ! apt install --no-install-recommends $wanted; then
    apt update
    if ! apt install --no-install-recommends $wanted; then
      tail -n 20 "$log" >&2
      give_up "apt-get failed (its last lines are above). By hand, as root: apt-get update && $command"
    fi
  fi
  left=$(missing | xargs)
  [ -z "$left" ] || give_up "apt-get ran, but these are still missing: $left"
}

# rpy2 cannot see which R is there: its releases from 3.6.6 on need R >= 4.5.
extra_for_r() {
  version=$(R --version 2>/dev/null | sed -n '1s/^R version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
  # shellcheck disable=SC2086
  set -- $version
  if [ "${1:-0}" -gt 4 ] || { [ "${1:-0}" -eq 4 ] && [ "${2:-0}" -ge 5 ]; }; then
    echo r-current
  else
    echo r
  fi
}

rpy2_loads() { "$python" -c 'import rpy2.rinterface, rpy2.robjects' >/dev/null 2>&1; }

install_rpy2() {
  "$python" -c '' 2>/dev/null || { say "$python does not run"; exit 2; }
  rpy2_there && return 0
  $check_only && give_up "rpy2 is missing for $python"
  extra=$(extra_for_r)
  say "installing the pip extra [$extra] for $python"
  "$python" -m pip install --quiet --disable-pip-version-check -e ".[$extra]" >&2 ||
    give_up "pip failed (above). By hand: $python -m pip install -e '.[$extra]'"
  rpy2_loads || give_up "rpy2 is installed but does not load: $("$python" -c \
    'import rpy2.rinterface' 2>&1 | tail -n 1)"
}

# Looks at installed files only; loading rpy2 takes ten times longer.
rpy2_there() {
  "$python" -c 'import importlib.metadata as m; m.version("rpy2-rinterface"); m.version("rpy2-robjects")' \
    2>/dev/null
}

install_debian
[ -z "$python" ] || install_rpy2
