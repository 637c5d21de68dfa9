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
mvn_() { (mvn_instead "$@"); }
# In place of the shell: behind `&` the process whose number is known is Maven's, and a signal ends it.
mvn_instead() {
    exec env JAVA_HOME="$DAQ_JDK" "$DAQ_MVN" ${DAQ_MAVEN_REPO:+-Dmaven.repo.local="$DAQ_MAVEN_REPO"} "$@"
}

# What a list of requirements pins, each file by its hash (scripts/pin): pip_install PYTHON REQUIREMENTS [ARGUMENTS]. Wheels only,
# as building runs code of the package; what there is only as source stands in the list's .in after `# source:`, and is built
# with what lint/build-requirements.txt pins. The output is in .cache/pip.log.
pip_install() {
    pip_python=$1
    pip_list=$2
    shift 2
    pip_result=0
    pip_source=$(sed -n 's/^# source: //p' "${pip_list%.txt}.in")
    pip_tools=
    : > "$CACHE/pip.log"
    set -- "$@" --no-deps --require-hashes --only-binary :all: -r "$pip_list"
    if [ -n "$pip_source" ]; then
        pip_tools=$(mktemp -d)
        "$pip_python" -m pip install -q --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
            --target "$pip_tools" -r lint/build-requirements.txt >> "$CACHE/pip.log" 2>&1 || pip_result=1
        # what is among the tools, too, would count as there already
        set -- "$@" --no-binary "$pip_source" --no-build-isolation --ignore-installed
    fi
    [ $pip_result = 1 ] || PYTHONPATH=$pip_tools "$pip_python" -m pip install -q --disable-pip-version-check "$@" \
        >> "$CACHE/pip.log" 2>&1 || pip_result=1
    [ -z "$pip_tools" ] || rm -rf "$pip_tools"
    return $pip_result
}

# What a list of requirements pins, brought by pip into a folder of .cache/ unless it is there: bring_tools NAME REQUIREMENTS
# WHAT. The folder is $tools then.
bring_tools() {
    tools=$CACHE/$1-$(cksum < "$2" | cut -d ' ' -f 1)
    if [ ! -d "$tools" ]; then
        say "$(basename "$0"): $3 into .cache/" >&2
        mkdir -p "$CACHE"
        rm -rf "$CACHE/$1"-*
        pip_install python3 "$2" --target "$tools.part" || {
            tail -n 5 "$CACHE/pip.log" >&2
            die "pip could not bring it (.cache/pip.log); is the network up?"
        }
        mv "$tools.part" "$tools"
    fi
}

# The same by npm, of a folder with package.json and package-lock.json: bring_node_tools NAME FOLDER WHAT.
bring_node_tools() {
    tools=$CACHE/$1-$(cat "$2/package.json" "$2/package-lock.json" | cksum | cut -d ' ' -f 1)
    if [ ! -d "$tools" ]; then
        say "$(basename "$0"): $3 into .cache/" >&2
        rm -rf "$CACHE/$1"-*
        mkdir -p "$tools.part"
        cp "$2/package.json" "$2/package-lock.json" "$tools.part/"
        (cd "$tools.part" && npm ci --ignore-scripts --no-audit --no-fund) > "$CACHE/npm.log" 2>&1 || {
            tail -n 5 "$CACHE/npm.log" >&2
            die "npm could not bring it (.cache/npm.log); is the network up?"
        }
        mv "$tools.part" "$tools"
    fi
}

# The same of Go, of a folder with go.mod and go.sum: the programs that go.mod names as tools are built into $tools.
bring_go_tools() {
    tools=$CACHE/$1-$(cat "$2/go.mod" "$2/go.sum" | cksum | cut -d ' ' -f 1)
    if [ ! -d "$tools" ]; then
        command -v go > /dev/null || die "$3: there is no Go, of which $2/go.mod needs $(sed -n 's/^go //p' "$2/go.mod")"
        say "$(basename "$0"): $3 into .cache/" >&2
        mkdir -p "$CACHE"
        rm -rf "$CACHE/$1"-*
        # without what finds targets in clouds, which is most of Prometheus
        (cd "$2" && CGO_ENABLED=0 GOTOOLCHAIN=local GOWORK=off GOFLAGS=-mod=readonly GOBIN=$tools.part \
            go install -tags remove_all_sd tool) > "$CACHE/go.log" 2>&1 || {
            tail -n 5 "$CACHE/go.log" >&2
            die "Go could not bring it (.cache/go.log); is the network up?"
        }
        mv "$tools.part" "$tools"
    fi
}
