#!/bin/sh
# A bridge in fail mode secure loses all rules when its last controller is taken out, and again when it gets its first one.
#
# Open vSwitch 3.1.0 (Debian 3.1.0-2+deb12u1). Guess before: a secure bridge keeps its rules whatever becomes of its controllers;
# ovs-vsctl(8) only says that it sets up none itself. Seen: its rules outlive the loss of every connection, and a change from one
# controller to another, also to one that nobody answers at; but the step from one controller to none, and the one from none to one,
# each delete every rule and group, those of ovs-ofctl, too. So whoever takes a bridge from its controller with ovs-vsctl
# del-controller to work on it by hand stops all traffic, and what he then puts in by hand goes when the controller is set again.
#
# Runs without root in a temporary folder, with a simulated bridge. Exit code 1 if another behaviour is seen.
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
# nobody listens at port 9 of the machine itself
vsctl add-br br0 -- set bridge br0 datapath_type=dummy fail_mode=secure protocols=OpenFlow13 -- set-controller br0 tcp:127.0.0.1:9
ovs-vswitchd --version | head -n 1

ofctl() { ovs-ofctl -O OpenFlow13 "$@"; }
put() {
    ofctl add-group br0 'group_id=1,type=indirect,bucket=output:LOCAL'
    ofctl add-flow br0 'priority=10,ip,actions=group:1'
}
different=0
expect() { # rules and groups after WHAT
    seen="$(ofctl dump-flows br0 | grep -c actions) $(ofctl dump-groups br0 | grep -c group_id= || :)"
    echo "rules and groups after $2: $seen"
    [ "$seen" = "$1" ] || different=1
}
put
expect '1 1' 'putting them, with a controller that does not answer'
vsctl set-controller br0 tcp:127.0.0.1:10
expect '1 1' 'another controller'
vsctl del-controller br0
expect '0 0' 'the last controller was taken out'
put
expect '1 1' 'putting them again, without a controller'
vsctl set-controller br0 tcp:127.0.0.1:9
expect '0 0' 'the first controller was set'
[ $different = 0 ] && echo "as described" || echo "not as described"
exit $different
