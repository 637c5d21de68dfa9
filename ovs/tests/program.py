"""The rules and groups that the controller makes for a spine and a leaf, in one switch, for benchmarks.

The first addresses of each kind have daqrings as on a leaf, daqrings as on a spine, or none, with a spine's group.
"""
from .switch import address

FIRST = {"plain": 4001, "leaf": 1, "spine": 2001}  # address
KINDS = tuple(FIRST)


def add_rings(switch, rings, *others):
    """That many daqrings of each kind that has some, and others by their numbers."""
    numbers = [*(FIRST[kind] + i for kind in ("leaf", "spine") for i in range(rings)), *others]
    switch.vsctl(*(word for n in numbers for word in (
        "--", "add-port", "br", f"ring{n}", "--", "set", "Interface", f"ring{n}", "type=daqring", "options:ring-size=512")))


def install(switch, rings, sink, other):
    """Rules for that many addresses of each kind, which leave by port `sink`, or `other` if that is down; returns their number.

    As SpineCompiler and LeafCompiler make them: out, or back to where a packet came from.
    """
    leaf, spine, plain = ([FIRST[kind] + i for i in range(rings)] for kind in ("leaf", "spine", "plain"))
    switch.groups(
        "group_id=1,type=indirect,bucket=actions=in_port",
        f"group_id=2,type=ff,bucket=watch_port:{sink},actions=output:{sink},bucket=watch_group:1,actions=in_port",
        f"group_id=3,type=ff,bucket=watch_port:{sink},actions=output:{sink},"
        f"bucket=watch_port:{other},actions=mod_dl_dst:06:da:00:01:00:01,output:{other}",
        *(f"group_id={n},type=ff,bucket=watch_port:{sink},actions=output:ring{n},bucket=watch_group:1,actions=in_port" for n in spine))
    rules = [*(rule for n in leaf for rule in (
        f"priority=2000,ip,nw_dst={address(n)},actions=output:ring{n}",
        f"priority=3000,in_port=ring{n},actions=output:{sink}")),
        *(rule for n in spine for rule in (
            f"priority=2000,ip,nw_dst={address(n)},actions=group:{n}",
            f"priority=3000,in_port=ring{n},actions=group:3")),
        *(f"priority=2000,ip,nw_dst={address(n)},actions=group:2" for n in plain),
        "priority=1000,dl_type=0x88cc,actions=CONTROLLER:65535", "priority=0,actions=drop"]
    switch.flows(*rules)
    return len(rules)
