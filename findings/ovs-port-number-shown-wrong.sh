#!/bin/sh
# The OpenFlow number of a port is asked for and asked back, and the database shows the wrong one for good.
#
# Open vSwitch 3.1.0 (Debian 3.1.0-2+deb12u1). Guess before: ofport follows ofport_request, whoever changes it how often. Seen: a
# program asks for 77, and another one puts 2 back while ovs-vswitchd still applies that. The port gets 77, then 2. But ovs-vswitchd
# has not read back yet that it had written 77, finds 2 in its copy of the row, and writes nothing: the Interface shows 77, the
# switch has 2, and cur_cfg says that all is applied. Nothing but taking the port out and adding it again corrects the row.
# Who believes ofport takes a port that carries packets for absent.
#
# Runs without root in a temporary folder, with simulated ports; tries until it is seen, some 300 times at most. Exit code 1 if it
# is not seen.
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
set -- add-br br0 -- set bridge br0 datapath_type=dummy
for port in $(seq 100 250); do # as many as make a change take some milliseconds
    set -- "$@" -- add-port br0 "p$port" -- set interface "p$port" type=dummy "ofport_request=$port"
done
vsctl "$@" -- add-port br0 p2 -- set interface p2 type=dummy ofport_request=2
ovs-vswitchd --version | head -n 1

# Prints what the Interface shows where that is not 2 although all is applied; nothing if it is never seen.
shown() {
    python3 - "$work/run/db.sock" <<'PYTHON'
import json
import socket
import sys
import time

with socket.socket(socket.AF_UNIX) as server:
    server.connect(sys.argv[1])
    server.settimeout(30)
    decoder, text = json.JSONDecoder(), ""

    def transact(*operations):
        global text
        server.sendall(json.dumps({"method": "transact", "params": ["Open_vSwitch", *operations], "id": 1}).encode())
        while True:
            try:
                answer, end = decoder.raw_decode(text)
            except ValueError:
                text += server.recv(65536).decode()
                continue
            text = text[end:].lstrip()
            if answer.get("id") == 1:
                return answer["result"]

    def ask_for(number):
        return transact({"op": "update", "table": "Interface", "where": [["name", "==", "p2"]], "row": {"ofport_request": number}},
                        {"op": "mutate", "table": "Open_vSwitch", "where": [], "mutations": [["next_cfg", "+=", 1]]})

    def applied():
        while True:
            [cfg], [row] = (answer["rows"] for answer in transact(
                {"op": "select", "table": "Open_vSwitch", "where": [], "columns": ["cur_cfg", "next_cfg"]},
                {"op": "select", "table": "Interface", "where": [["name", "==", "p2"]], "columns": ["ofport"]}))
            if cfg["cur_cfg"] == cfg["next_cfg"]:
                return row["ofport"]
            time.sleep(0.002)  # polling interval

    for turn in range(300):
        ask_for(77)
        time.sleep(turn % 60 / 4000)  # the moment that is looked for
        ask_for(2)
        number = applied()
        if number != 2:
            time.sleep(2)  # for good: it does not change by itself
            print(applied())
            break
PYTHON
}
found=$(shown)
of() { ovs-ofctl show br0 | sed -n 's/^ *\([0-9]*\)(p2):.*/\1/p'; }
echo "ofport_request $(vsctl get interface p2 ofport_request), ofport ${found:-2}, OpenFlow $(of)"
different=0
[ "$found" = 77 ] && [ "$(of)" = 2 ] || different=1
vsctl del-port br0 p2
vsctl add-port br0 p2 -- set interface p2 type=dummy ofport_request=2
echo "added again: ofport $(vsctl get interface p2 ofport), OpenFlow $(of)"
[ "$(vsctl get interface p2 ofport)" = 2 ] || different=1
[ $different = 0 ] && echo "as described" || echo "not as described"
exit $different
