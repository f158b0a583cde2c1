#!/bin/sh
# Makes a virtualenv with pip, also on a Debian without python3-venv.
#
#   scripts/make_venv.sh PYTHON DIR
#
# A DIR that works already is left alone. Exit codes: 0 ready, 1 not possible (says what to do),
# 2 usage.
set -u

[ $# -eq 2 ] || { echo "usage: scripts/make_venv.sh PYTHON DIR" >&2; exit 2; }
python=$1
venv=$2

die() { printf 'make_venv.sh: %s\n' "$*" >&2; exit 1; }
works() { "$venv/bin/python" -m pip --version >/dev/null 2>&1; }

command -v "$python" >/dev/null 2>&1 ||
  die "there is no $python; softclust needs Python 3.11 or newer (make PYTHON=/path/to/python3 ...)"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  die "$("$python" --version) is too old; 3.11 or newer is needed (make PYTHON=/path/to/python3 ...)"
works && exit 0

# Each way is tried from nothing; what the first ones say is shown only when all fail.
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
try() { rm -rf "$venv"; "$@" >>"$log" 2>&1 && works; }

with_venv() { "$python" -m venv "$venv"; }
# Debian keeps venv with Python and only what puts pip into it (ensurepip) in python3-venv:
# the pip of the system can do that.
with_system_pip() {
  "$python" -m venv --without-pip "$venv" && "$python" -m pip --python "$venv/bin/python" install pip
}
with_virtualenv() { "$python" -m virtualenv "$venv"; }
with_debian() {
  [ "$(id -u)" = 0 ] && command -v apt-get && {
    apt-get install -y --no-install-recommends python3-venv ||
      { apt-get update && apt-get install -y --no-install-recommends python3-venv; }
  } && "$python" -m venv "$venv"
}

try with_venv && exit 0
try with_system_pip && exit 0
try with_virtualenv && exit 0
try with_debian && exit 0

rm -rf "$venv"
tail -n 15 "$log" >&2
die "no virtualenv could be made with $python (the last messages are above). On Debian, as root:
  apt-get install python3-venv python3-pip"
