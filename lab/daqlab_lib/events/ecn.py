"""Explicit Congestion Notification (RFC 3168) while event traffic runs."""
from .. import netns

SYSCTL = "net.ipv4.tcp_ecn"
BOTH_WAYS = 1  # TCP asks for it, and agrees if asked


def allow(current):
    """Lets the hosts use it; returns what `restore` wants."""
    found = {}
    for namespace in sorted({current.namespace_of(end) for end in current.fabric.endpoints}):
        with netns.inside(namespace):
            found[namespace] = netns.read_sysctl(SYSCTL)
            netns.write_sysctl(SYSCTL, BOTH_WAYS)
    return found


def restore(sysctls):
    for namespace, value in sysctls.items():
        if netns.exists(namespace):
            with netns.inside(namespace):
                netns.write_sysctl(SYSCTL, value)
