"""TCP's timers while links are slow.

The hosts have the rto_min of a fabric with links of Gbit/s (docs/edge-hosts.md): the time a full buffer takes to empty. On
links a thousand times slower packets wait longer than that without being lost, so hosts take Linux's own 200 ms meanwhile.
A ROS then also delays acknowledgements as Linux does: they go with the answers, and are no packets of their own in daqrings.
"""
import subprocess

from .. import netns


def slow(current, rto_min=0):
    """Takes rto_min off the hosts, or gives them another (ms), and quickack off ROS; returns what `restore` wants."""
    routes = {}
    readouts = {current.namespace_of(ros) for ros in current.fabric.of_kind("ros")}
    for namespace in sorted({current.namespace_of(end) for end in current.fabric.endpoints}):
        with netns.inside(namespace):
            route = _ip("route", "show", "default").strip()
            words = route.split()
            if "rto_min" in words:
                if words[words.index("rto_min") + 1] == "lock":  # which ip shows and does not take
                    del words[words.index("rto_min") + 1]
                changed = _without(words, "rto_min") + (["rto_min", f"{rto_min}ms"] if rto_min else [])
                _ip("route", "replace", *(_without(changed, "quickack") if namespace in readouts else changed))
                routes[namespace] = words
    return routes


def _without(words, option):
    if option not in words:
        return words
    at = words.index(option)
    return words[:at] + words[at + 2:]


def restore(routes):
    for namespace, words in routes.items():
        if netns.exists(namespace):
            with netns.inside(namespace):
                _ip("route", "replace", *words)


def _ip(*arguments):
    return subprocess.run(["ip", *arguments], text=True, capture_output=True, check=True).stdout
