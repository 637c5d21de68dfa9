# shellcheck shell=sh
# Sourced by scripts/test: the suites that are not Maven's, the logs of those that fail, and where the time went.
KEPT=$ROOT/target/failed # KeptLogs in it/ writes there, too
TIMES=$ROOT/target/times # a line a suite: seconds, name
LONGEST=8388608          # bytes that are kept of one log, its end

begin_suites() {
    rm -rf "$KEPT" target/logs
    : > target/begun
    : > "$TIMES"
}

took() { # name, when it began
    printf '%s %s%s\n' "$(($(date +%s) - $2))" "$1" "${DAQ_BESIDE:+, $DAQ_BESIDE}" >> "$TIMES"
}

# suite NAME COMMAND...: says its name, and keeps the logs if it fails.
suite() {
    suite_name=$1
    shift
    say "test: $suite_name"
    suite_began=$(date +%s)
    suite_logs=$ROOT/target/logs/$(say "$suite_name" | tr -cs 'A-Za-z0-9_.\n' - | cut -c 1-60)
    rm -rf "$suite_logs"
    mkdir -p "$suite_logs"
    cp /proc/net/softnet_stat "$suite_logs/softnet_stat.before"
    suite_result=0
    # `daqlab down` copies the logs of switches there
    env DAQLAB_LOGS="$suite_logs" "$@" || suite_result=1
    [ $suite_result = 0 ] || keep_logs "$suite_logs"
    rm -rf "$suite_logs"
    took "$suite_name" "$suite_began"
    return $suite_result
}

# The logs of controllers that were written since a suite began go to those of its switches, and all of them where they stay.
keep_logs() { # folder
    cp /proc/net/softnet_stat "$1/softnet_stat.after"
    find target/controller/data/log/karaf.log target/controller/console.log target/cluster-*.log target/gateway.log \
        -newer "$1/softnet_stat.before" 2> /dev/null | while read -r log; do
        tail -c $LONGEST "$log" > "$1/$(say "${log#target/}" | tr / -)"
    done
    mkdir -p "$KEPT"
    rm -rf "${KEPT:?}/${1##*/}"
    mv "$1" "$KEPT/"
}

# What Maven has not tested, though it passed: untested LOG [CLASS,...]. Prints of which classes its log has no test, or that it
# has none at all where no class was named.
untested() {
    begin='Tests run: [1-9][0-9]*, .* -- in ([A-Za-z0-9_]+\.)*'
    end='(\$[A-Za-z0-9_$]+)?$' # a class inside
    if [ -z "${2:-}" ]; then
        grep -qE "${begin}[A-Za-z0-9_]+$end" "$1" || say "$1 has no test: its tag or filter fits none"
        return
    fi
    for class in $(say "$2" | tr , ' '); do
        grep -qE "$begin${class%%#*}$end" "$1" || say "$1 has no test of $class: correct the name"
    done
}

shown() { awk '{ seconds = $1; sub(/^[^ ]+ /, ""); printf "  %6.0f  %s\n", seconds, $0 }'; }

where_the_time_went() { # logs of Maven
    say "test: where the time went, in seconds:"
    sort -rn "$TIMES" | shown
    say "  $(($(date +%s) - $(stat -c %Y target/begun))) in all"
    slowest=$(cat /dev/null "$@" | sed -n 's/.*Tests run:.*Time elapsed: \([0-9.]*\) s.* -- in \(.*\)/\1 \2/p' |
        sort -rn | head -n 10 | shown)
    [ -z "$slowest" ] || say "test: the slowest classes, in seconds:
$slowest"
}

kept_of_failed() {
    [ ! -d "$KEPT" ] || say "test: the logs of what failed are kept in:
$(find "$KEPT" -mindepth 1 -maxdepth 1 | sort | sed "s|^$ROOT/|    |")"
}

# The modules of the lab's tests with switches (-l) or without (-L).
lab_tests() { # option of grep
    grep "$1" needs_root lab/tests/test_*.py | sed 's|/|.|g; s|\.py$||'
}
