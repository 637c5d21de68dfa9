# shellcheck shell=sh
# Sourced by the other scripts: paths, messages, the build environment.
cd "$(dirname "$0")/.." || exit
ROOT=$PWD
CACHE=$ROOT/.cache

say() { printf '%s\n' "$*"; }
die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# 21 for "21.0.8"; nothing if there is no such java
java_version() { "$1/bin/java" -version 2>&1 | sed -n 's/^[^"]*version "\([0-9]*\).*/\1/p'; }

# DAQ_MVN, DAQ_JDK (compiles), DAQ_JAVA (runs the controller); looked up again when one has gone.
load_env() {
    # shellcheck source=/dev/null # written by scripts/setup
    [ ! -f "$CACHE/env.sh" ] || . "$CACHE/env.sh"
    if [ ! -x "${DAQ_MVN:-}" ] || [ ! -x "${DAQ_JDK:-}/bin/javac" ] || [ ! -x "${DAQ_JAVA:-}/bin/java" ] ||
        [ -z "${DAQ_PROMTOOL+known}" ]; then
        "$ROOT/scripts/setup" >&2
        # shellcheck source=/dev/null # written by scripts/setup
        . "$CACHE/env.sh"
    fi
}

# Maven with this project's JDK; DAQ_MAVEN_REPO names another local repository.
mvn_() { JAVA_HOME=$DAQ_JDK "$DAQ_MVN" ${DAQ_MAVEN_REPO:+-Dmaven.repo.local="$DAQ_MAVEN_REPO"} "$@"; }
