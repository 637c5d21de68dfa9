#!/bin/sh
# A bridge of Open vSwitch whose only controller is a listener (ptcp) forwards by itself, and loses its rules when it becomes so.
#
# Open vSwitch 3.1.0 (Debian 3.1.0-2+deb12u1). Guess before: column controller is not empty, so that the bridge has no rule of its
# own, and forwards what the program that connects to the listener has installed. Seen, with fail mode standalone, as by default:
# - A new bridge keeps its NORMAL rule when a listener is set: it learns addresses and floods, below the rules of the program.
# - set-controller with an address to call takes all rules away, and NORMAL does not come while nobody answers there yet.
# - set-controller from that address to the listener alone takes all rules away again, and NORMAL is back, without a log line.
# - del-flows over the listener takes NORMAL, too, and del-controller does not bring it back: fail mode standalone, no controller,
#   and nothing passes.
# Who debugs a switch by a listener, or looks at column controller to see whether a bridge is in someone's hands, meets it: loops
# of a fabric are closed by NORMAL.
#
# Runs without root in a temporary folder, with simulated ports. Exit code 1 if any of this is different.
set -eu
VERSION=3.1.0-2+deb12u1
work=$(mktemp -d)
# shellcheck disable=SC2317 # runs at the end
end() {
    for pid in "$work"/run/*.pid; do
        [ ! -f "$pid" ] || kill "$(cat "$pid")" 2> /dev/null || :
    done
    rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

mkdir "$work/debs" "$work/root" "$work/run"
(cd "$work/debs" && apt-get -q download "openvswitch-switch=$VERSION" "openvswitch-common=$VERSION" \
    libbpf1 libcap-ng0 libelf1 libevent-2.1-7 libnuma1 libunbound8 libxdp1) > "$work/apt.log" 2>&1 || {
    cat "$work/apt.log" >&2
    exit 2
}
for package in "$work"/debs/*.deb; do
    dpkg-deb -x "$package" "$work/root"
done
PATH=$work/root/usr/bin:$work/root/usr/sbin:$work/root/usr/lib/openvswitch-switch:$PATH
LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu:$work/root/lib/x86_64-linux-gnu
OVS_RUNDIR=$work/run OVS_LOGDIR=$work/run OVS_DBDIR=$work/run
export PATH LD_LIBRARY_PATH OVS_RUNDIR OVS_LOGDIR OVS_DBDIR

ovsdb-tool create "$work/run/conf.db" "$work/root/usr/share/openvswitch/vswitch.ovsschema"
ovsdb-server "$work/run/conf.db" --remote="punix:$work/run/db.sock" --detach --pidfile --no-chdir -vconsole:off
vsctl() { ovs-vsctl --timeout=30 --db="unix:$work/run/db.sock" "$@"; }
vsctl --no-wait init
ovs-vswitchd "unix:$work/run/db.sock" --enable-dummy=override --disable-system --detach --pidfile --no-chdir -vconsole:off
vsctl add-br br0 -- set bridge br0 datapath_type=dummy protocols=OpenFlow13 \
    -- add-port br0 p1 -- set interface p1 type=dummy ofport_request=1 \
    -- add-port br0 p2 -- set interface p2 type=dummy ofport_request=2
ovs-vswitchd --version | head -n 1

port=$(python3 -c 'import socket
with socket.create_server(("127.0.0.1", 0)) as free: print(free.getsockname()[1])')
caller=tcp:127.0.0.1:9 # nobody answers there
listener=ptcp:$port:127.0.0.1
install() { ovs-ofctl -O OpenFlow13 add-flow "tcp:127.0.0.1:$port" priority=5,in_port=1,actions=output:2; }
rules() { ovs-ofctl -O OpenFlow13 --no-stats dump-flows br0 | sed 's/^ *//; s/ /:/' | paste -s -d ' ' -; }
different=0
# WHAT EXPECTED: the rules, as soon as they are so, or after five seconds.
expect() {
    tries=25
    until [ "$(rules)" = "$2" ] || [ $tries = 0 ]; do
        tries=$((tries - 1))
        sleep 0.2 # polling interval
    done
    found=$(rules)
    echo "$1: ${found:-no rule}"
    [ "$found" = "$2" ] || {
        echo "  expected ${2:-no rule}"
        different=1
    }
}

normal=priority=0:actions=NORMAL
rule=priority=5,in_port=1:actions=output:2
expect "a new bridge" $normal
vsctl set-controller br0 "$listener"
expect "a listener is set" $normal
install
expect "a rule over the listener" "$rule $normal"
vsctl set-controller br0 $caller
expect "an address to call in its place" ""
vsctl set-controller br0 $caller "$listener"
install
expect "both, and a rule over the listener" $rule
vsctl set-controller br0 "$listener"
expect "the listener alone again" $normal
ovs-ofctl -O OpenFlow13 del-flows "tcp:127.0.0.1:$port"
expect "del-flows over the listener" ""
vsctl del-controller br0
expect "no controller, fail mode '$(vsctl get-fail-mode br0)'" ""
[ $different = 0 ] && echo "as described" || echo "not as described"
exit $different
