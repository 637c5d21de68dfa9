"""What the hosts' routes say to TCP, while event traffic runs.

The hosts have the rto_min of a fabric with links of Gbit/s (docs/edge-hosts.md): the time a full buffer takes to empty. On
links a thousand times slower packets wait longer than that without being lost, so hosts take Linux's own 200 ms meanwhile.
"""
import subprocess

from .. import netns


def change(current, rto_min=None, cwnd=0):
    """Gives hosts another rto_min (ms; 0 takes it off, None leaves it), and ROS a locked cwnd (segments), if any.

    Returns what `restore` wants.
    """
    ros = {current.namespace_of(end) for end in current.fabric.of_kind("ros")}
    routes = []
    for namespace in sorted({current.namespace_of(end) for end in current.fabric.endpoints}):
        with netns.inside(namespace):
            for words in parsed(_ip("route", "show")):
                changed = words if rto_min is None else with_option(words, "rto_min", f"{rto_min}ms" if rto_min else None)
                if cwnd and namespace in ros:
                    changed = [*with_option(changed, "cwnd"), "cwnd", "lock", str(cwnd)]
                if changed != words:
                    _ip("route", "replace", *changed)
                    routes.append((namespace, words))
    return routes


def restore(routes):
    for namespace, words in routes:
        if netns.exists(namespace):
            with netns.inside(namespace):
                _ip("route", "replace", *words)


def parsed(shown):
    """The words of each route in the fabric, as `ip route replace` takes them; the control network's are the kernel's."""
    return [with_option(words, "rto_min", words[words.index("rto_min") + 2]) if "rto_min lock" in line else words
            for line in shown.splitlines() if "kernel" not in (words := line.split())]


def with_option(words, name, value=None):
    """The words of a route with another value of an option, or without it."""
    if name in words:
        at = words.index(name)
        end = at + (3 if words[at + 1] == "lock" else 2)
        words = words[:at] + words[end:]
    return words if value is None else [*words, name, value]


def _ip(*arguments):
    return subprocess.run(["ip", *arguments], text=True, capture_output=True, check=True).stdout
