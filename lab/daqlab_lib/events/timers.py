"""TCP's timers while links are slow.

The hosts have the rto_min of a fabric with links of Gbit/s (docs/edge-hosts.md): the time a full buffer takes to empty. On
links a thousand times slower packets wait longer than that without being lost, so hosts take Linux's own 200 ms meanwhile.
"""
import subprocess

from .. import netns


def slow(current, rto_min=0):
    """Takes rto_min off the hosts, or gives them another (ms); returns what `restore` wants."""
    routes = {}
    for namespace in sorted({current.namespace_of(end) for end in current.fabric.endpoints}):
        with netns.inside(namespace):
            route = _ip("route", "show", "default").strip()
            words = route.split()
            if "rto_min" in words:
                at = words.index("rto_min")
                if words[at + 1] == "lock":  # which ip shows and does not take
                    del words[at + 1]
                _ip("route", "replace", *words[:at], *words[at + 2:], *(["rto_min", f"{rto_min}ms"] if rto_min else []))
                routes[namespace] = words
    return routes


def restore(routes):
    for namespace, words in routes.items():
        if netns.exists(namespace):
            with netns.inside(namespace):
                _ip("route", "replace", *words)


def _ip(*arguments):
    return subprocess.run(["ip", *arguments], text=True, capture_output=True, check=True).stdout
