#!/bin/sh
# userspace-tso-enable is set while ovs-vswitchd runs, and every packet of its userspace bridges is damaged.
#
# Open vSwitch 3.1.0 (Debian 3.1.0-2+deb12u1). Guess before: the setting is read as ovs-vswitchd starts, and changes nothing
# before, as its documentation asks for a restart. Seen:
# - A running ovs-vswitchd reads it at once, though sockets of ports were opened without it: the first ten bytes of each frame
#   arrive as zeros, of the destination and the source address, so that hosts and switches drop it.
# - Clearing the setting does not help, nor does deleting a port and adding it again: both only say what the database has.
# - A restart helps, with the setting as without it.
# Who changes the settings of many nodes, and means to restart them one after the other, cuts them all off at once.
#
# Runs in a temporary folder and a network namespace of its own. Exit code 1 if any of this is different.
set -eu
VERSION=3.1.0-2+deb12u1
work=${1:-$(mktemp -d)}
# shellcheck disable=SC2317 # runs at the end
end() {
    for pid in "$work"/run/*.pid; do
        [ ! -f "$pid" ] || kill "$(cat "$pid")" 2> /dev/null || :
    done
    rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

if [ $# = 0 ]; then
    mkdir "$work/debs" "$work/root" "$work/run"
    (cd "$work/debs" && apt-get -q download "openvswitch-switch=$VERSION" "openvswitch-common=$VERSION" \
        libbpf1 libcap-ng0 libelf1 libevent-2.1-7 libnuma1 libunbound8 libxdp1) > "$work/apt.log" 2>&1 || {
        cat "$work/apt.log" >&2
        exit 2
    }
    for package in "$work"/debs/*.deb; do
        dpkg-deb -x "$package" "$work/root"
    done
    unshare --map-root-user --net "$0" "$work"
    exit
fi
PATH=$work/root/usr/bin:$work/root/usr/sbin:$work/root/usr/lib/openvswitch-switch:$PATH
LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu:$work/root/lib/x86_64-linux-gnu
OVS_RUNDIR=$work/run OVS_LOGDIR=$work/run OVS_DBDIR=$work/run
export PATH LD_LIBRARY_PATH OVS_RUNDIR OVS_LOGDIR OVS_DBDIR

ovsdb-tool create "$work/run/conf.db" "$work/root/usr/share/openvswitch/vswitch.ovsschema"
ovsdb-server "$work/run/conf.db" --remote="punix:$work/run/db.sock" --detach --pidfile --no-chdir -vconsole:off
vsctl() { ovs-vsctl --timeout=30 --db="unix:$work/run/db.sock" "$@"; }
start() { ovs-vswitchd "unix:$work/run/db.sock" --disable-system --detach --pidfile --no-chdir -vconsole:off; }
restart() {
    ovs-appctl exit
    while [ -e "$work/run/ovs-vswitchd.pid" ]; do sleep 0.1; done # polling interval
    start
}
vsctl --no-wait init
for number in 1 2; do
    ip link add "host$number" type veth peer name "port$number"
    ip link set "host$number" up
    ip link set "port$number" up
done
start
vsctl add-br br0 -- set bridge br0 datapath_type=netdev -- add-port br0 port1 -- add-port br0 port2
ovs-vswitchd --version | head -n 1

# One frame from a host to the other, as often as it takes to see one; prints its first 14 bytes as they arrive.
arrives() {
    python3 - <<'PYTHON'
import socket

SENT = bytes.fromhex("020000000002020000000001" "88b5") + bytes(range(100))
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as near, \
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as far:
    near.bind(("host1", 0))
    far.bind(("host2", 3))
    far.settimeout(0.2)
    for _ in range(50):
        near.send(SENT)
        try:
            frame = far.recv(2048)
        except TimeoutError:
            continue
        if frame[12:] == SENT[12:]:  # not one of the host's own
            print(frame[:14].hex())
            break
    else:
        print("nothing")
PYTHON
}
different=0
# WHAT EXPECTED: the first bytes as they arrive, as soon as they are so, or after ten tries.
expect() {
    tries=10
    found=$(arrives)
    until [ "$found" = "$2" ] || [ $tries = 0 ]; do
        tries=$((tries - 1))
        found=$(arrives)
    done
    echo "$1: $found"
    [ "$found" = "$2" ] || {
        echo "  expected $2"
        different=1
    }
}

sent=02000000000202000000000188b5
damaged=00000000000000000000000188b5
expect "as it is sent" $sent
vsctl set Open_vSwitch . other_config:userspace-tso-enable=true
expect "userspace-tso-enable is set" $damaged
vsctl del-port br0 port2
vsctl add-port br0 port2
expect "the port is added again" $damaged
vsctl remove Open_vSwitch . other_config userspace-tso-enable
expect "it is cleared" $damaged
restart
expect "restarted without it" $sent
vsctl set Open_vSwitch . other_config:userspace-tso-enable=true
restart
expect "restarted with it" $sent
[ $different = 0 ] && echo "as described" || echo "not as described"
exit $different
