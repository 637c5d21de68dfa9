#!/bin/sh
# A bucket is added to a group of Open vSwitch, and the group has counted fewer packets than its buckets.
#
# Open vSwitch 3.1.0 (Debian 3.1.0-2+deb12u1). Guess before: a group's counters either all begin again when it is changed, or all
# go on. Seen:
# - `mod-group` (OpenFlow 1.3) begins all of them again: 20 packets, then 0 in the group and in each bucket, while `duration` of
#   the group goes on, so that a rate made from both is wrong.
# - `insert-buckets` (OpenFlow 1.5) begins that of the group alone: packet_count 0, while the bucket that carried the packets
#   still has its 20, so the group has counted less than the sum of its buckets, and stays 20 behind from then on.
# Who compares what groups and links have counted must read buckets, and must know of each change of a group, whoever made it.
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
vsctl add-br br0 -- set bridge br0 datapath_type=dummy protocols=OpenFlow13,OpenFlow15 fail-mode=secure \
    -- add-port br0 p1 -- set interface p1 type=dummy ofport_request=1 \
    -- add-port br0 p2 -- set interface p2 type=dummy ofport_request=2 \
    -- add-port br0 p3 -- set interface p3 type=dummy ofport_request=3
ovs-vswitchd --version | head -n 1

of() { ovs-ofctl -O OpenFlow13 "$@"; }
counted() { of dump-group-stats br0 | grep -o 'packet_count=[0-9]*' | cut -d = -f 2 | paste -s -d ' ' -; }
# One flow of packets, which takes one bucket.
send() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        ovs-appctl netdev-dummy/receive p1 "in_port(1),eth(src=02:00:00:00:00:01,dst=02:00:00:00:00:02),eth_type(0x0800),\
ipv4(src=192.0.2.1,dst=192.0.2.2,proto=17,tos=0,ttl=64,frag=no),udp(src=7,dst=9)"
    done
}
duration() { of dump-group-stats br0 | sed -n 's/.*duration=\([0-9]*\).*/\1/p'; }
different=0
# WHAT EXPECTED: counters of the group and its buckets, as soon as they are so, or after ten seconds.
expect() {
    tries=50
    until [ "$(counted)" = "$2" ] || [ $tries = 0 ]; do
        tries=$((tries - 1))
        sleep 0.2 # polling interval
    done
    found=$(counted)
    echo "$1: group and buckets have counted $found"
    [ "$found" = "$2" ] || {
        echo "  expected $2"
        different=1
    }
}

buckets=bucket=bucket_id:1,weight:1,output:2,bucket=bucket_id:2,weight:0,output:3
of add-group br0 "group_id=1,type=select,$buckets"
of add-flow br0 "priority=5,ip,actions=group:1"
send
expect "20 packets" "20 20 0"
until [ "$(duration)" -ge 2 ]; do sleep 0.2; done # polling interval
of mod-group br0 "group_id=1,type=select,$buckets"
echo "duration of the group after mod-group: $(duration) s"
[ "$(duration)" -ge 2 ] || different=1
expect "mod-group" "0 0 0"
send
expect "20 packets" "20 20 0"
ovs-ofctl -O OpenFlow15 insert-buckets br0 "group_id=1,command_bucket_id=last,bucket=bucket_id:3,weight:0,output:1"
expect "insert-buckets" "0 20 0 0"
send
expect "20 packets" "20 40 0 0"
[ $different = 0 ] && echo "as described" || echo "not as described"
exit $different
