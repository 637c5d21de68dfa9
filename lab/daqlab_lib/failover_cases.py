"""What the failover benchmark breaks, what it expects, and how it restores the fabric.

A case is repeated, each time with another DCM, link and switch; they follow from the path that packets really take. It
records its results one by one with `bench.record(NAME, Sample)`.
"""
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from . import faults, probing
from .errors import LabError
from .messages import Monitor

EDGE, FIRST_LEAF, SPINE, LAST_LEAF, RACK = range(5)  # positions on the path from one pod to another
WATCHED = 2.0  # seconds; an outage that is not over by then is reported as open
FINE, BROAD, LONG = 2000, 250, 100  # packets per second and pair: one pair, all DCMs, all DCMs for a minute


@dataclass(frozen=True)
class Target:
    text: str
    met: Callable  # (median outage in ms, median of the limit in ms, packets lost, modifications) -> bool


@dataclass(frozen=True)
class Case:
    results: dict   # name -> Target, in the order they are recorded
    repeat: Callable  # (bench, number of the repetition)
    beside_limit: bool = False


def _times(factor):
    return Target(f"{factor} x limit", lambda outage, limit, lost, changes: outage <= factor * limit)


def _within(ms):
    return Target(f"{ms} ms", lambda outage, limit, lost, changes: outage <= ms)


LOSSLESS = Target("0 lost", lambda outage, limit, lost, changes: lost == 0)
UNTOUCHED = Target("0 lost, 0 messages", lambda outage, limit, lost, changes: lost == 0 and changes == (0, 0))


def _cut(name, target, place, without_controller=False):
    """The link from one position of the path to the next loses carrier, and returns."""
    returns = f"link returns: {name}"

    def repeat(bench, number):
        path = bench.path(number)
        link = path.links[place]
        try:
            with bench.controller_frozen() if without_controller else contextlib.nullcontext():
                # cut at the far end: the near one, which must fail over, loses carrier
                bench.record(name, _fail(bench, path, lambda: faults.set_link(*bench.peer(link), False, bench.name)))
            bench.wait_for_link(link, "down")
            bench.record(returns, _change(bench, lambda: faults.set_link(*link, True, bench.name), bench.wait_whole))
        finally:
            faults.set_link(*link, True, bench.name)
            bench.wait_whole()

    return Case({name: target, returns: LOSSLESS}, repeat, True)


def _broken_spine(name, target, fail, restore):
    """A spine's switch daemon stops, the links stay up."""
    def repeat(bench, number):
        path = bench.path(number)
        spine = path.switches[SPINE]
        try:
            bench.record(name, _fail(bench, path, lambda: fail(spine, bench.name)))
        finally:
            restore(bench, spine)
            bench.wait_whole_at_once()

    return Case({name: target}, repeat, True)


def _drain(what, parts):
    """Out of service and back through the configuration; `parts` gives the entry for the path's spine, leaf or link."""
    drained, undrained = f"{what} drained", f"{what} undrained"

    def repeat(bench, number):
        kind, entry, links = parts(bench, bench.path(number), number)
        try:
            bench.record(drained, _change(bench, lambda: bench.admin_state(kind, entry, "drained"), lambda: bench.wait_drained(links)))
            bench.record(undrained, _change(bench, lambda: bench.admin_state(kind, entry, "in-service"), bench.wait_whole))
        finally:
            bench.admin_state(kind, entry, "in-service")
            bench.wait_whole()

    return Case({drained: LOSSLESS, undrained: LOSSLESS}, repeat)


def _restart(name, stop):
    """The controller stops and starts; nothing may change."""
    def repeat(bench, number):
        def stop_and_start():
            stop(bench)
            bench.start_controller()
            bench.wait_whole()

        with Monitor(bench.state) as messages:
            found = probing.change(bench.name, bench.broad_pairs(), LONG, stop_and_start)
            changes = messages.modifications()
            if number == 0:
                _check_monitor(bench, messages, changes)
        bench.record(name, found, changes)

    return Case({name: UNTOUCHED}, repeat)


def _check_monitor(bench, messages, before):
    """A count of zero means something only if the same monitors count what is sent."""
    spine = bench.path(0).switches[SPINE]
    links = bench.links_of(spine)
    try:
        bench.admin_state("switch", {"name": spine}, "drained")
        bench.wait_drained(links)
    finally:
        bench.admin_state("switch", {"name": spine}, "in-service")
        bench.wait_whole()
    rules, groups = (now - then for now, then in zip(messages.modifications(), before))
    bench.say(f"draining and undraining {spine} was counted as {rules} rule and {groups} group modifications")
    if not rules or not groups:
        raise LabError("the monitors do not count the modifications that draining a spine makes")


def _fail(bench, path, fail):
    # one pair: more would take the CPU that the kernel needs to report a lost carrier
    return probing.failure(bench.name, [(path.source, path.destination)], FINE, fail, WATCHED)


def _change(bench, make, wait):
    """All DCMs probed while something returns or is changed."""
    def done():
        make()
        wait()
    return probing.change(bench.name, bench.broad_pairs(), BROAD, done)


def _spine_of(bench, path, number):
    return "switch", {"name": path.switches[SPINE]}, bench.links_of(path.switches[SPINE])


def _leaf_of(bench, path, number):
    leaf = path.switches[FIRST_LEAF if number % 2 else LAST_LEAF]
    return "switch", {"name": leaf}, bench.links_of(leaf)


def _link_of(bench, path, number):
    link = bench.declared(path.links[FIRST_LEAF if number % 2 else SPINE])
    return "link", {"switch": link[0], "port": link[1]}, {link}


CASES = (
    _cut("leaf uplink", _times(1.3), FIRST_LEAF),
    _cut("ros uplink", _times(1.3), EDGE),
    _cut("spine to destination leaf, controller stopped", _times(2), SPINE, without_controller=True),
    _cut("rack uplink at the destination", _within(100), LAST_LEAF),
    _broken_spine("spine process killed", _within(200), faults.kill, lambda bench, s: bench.restart(s)),
    _broken_spine("spine frozen, BFD 50 ms", _within(250), lambda s, f: faults.freeze(s, True, f),
                  lambda bench, s: faults.freeze(s, False, bench.name)),
    _drain("spine", _spine_of),
    _drain("leaf", _leaf_of),
    _drain("link", _link_of),
    _restart("controller restarted clean", lambda bench: bench.stop_controller()),
    _restart("controller SIGKILL", lambda bench: bench.kill_controller()),
)
