"""The commands of a profile, and what of them is not in force."""
import shlex
from typing import NamedTuple

from .kernel import network

GONE = "gone"
# how ethtool names on the command line what it prints
PRINTED = {"gro": "generic-receive-offload", "lro": "large-receive-offload", "rx-gro-hw": "rx-gro-hw", "autoneg": "autonegotiate"}
SHOWN = 3  # destinations named of many


class Command(NamedTuple):
    """One line of a profile."""

    line: str
    words: tuple

    @property
    def device(self):
        """The interface that it sets up, None for one of the whole host."""
        if self.words[:1] == ("ethtool",):
            return self.words[2] if len(self.words) > 2 else None
        return _after(self.words, "dev")

    def differs(self, kernel):
        """What of it is not in force, as (subject, what is wrong), None if nothing is or if it cannot be compared."""
        for start, compare in COMPARED.items():
            if self.words[:len(start)] == start:
                if self.device and not kernel.link(self.device):
                    return None if start[0] == "ethtool" else (self.device, "does not exist")  # the controller reports ports
                return compare(kernel, self.device, self.words[len(start):])
        return None

    def compared(self):
        return any(self.words[:len(start)] == start for start in COMPARED)


class Difference(NamedTuple):
    """What a command of the profile sets and the kernel has not."""

    command: Command
    subject: str
    wrong: str

    @property
    def text(self):
        return f"{self.subject} {self.wrong}"


def commands(text):
    """Those of a script."""
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
    return [Command(line, _words(line)) for line in lines]


def offloads_off(device):
    """For a port that Open vSwitch reads packet by packet: what the kernel joins is too large for the next port."""
    line = f"ethtool -K {device} gro off lro off rx-gro-hw off"
    return Command(line, tuple(line.split()))


def _words(line):
    try:
        return tuple(shlex.split(line))
    except ValueError:
        return ()


def devices(wanted):
    """All that commands set up."""
    return sorted({each.device for each in wanted if each.device})


def differences(wanted, kernel):
    """In the order of the commands."""
    found = ((each, each.differs(kernel)) for each in wanted)
    return [Difference(each, *differs) for each, differs in found if differs]


def told(found):
    """Differences in words, one of each kind; the routes of an interface together."""
    texts, routes = [], {}
    for each in found:
        if each.subject.startswith("route ") and each.wrong == GONE:
            routes.setdefault(each.command.device, []).append(each.subject.split()[1])
        elif each.text not in texts:
            texts.append(each.text)
    for device, destinations in routes.items():
        more = len(destinations) - SHOWN
        texts.append(f"routes of {device} are gone: {', '.join(destinations[:SHOWN])}" + (f" and {more} more" if more > 0 else ""))
    return texts


def _after(words, name):
    return words[words.index(name) + 1] if name in words[:-1] else None


def _link(kernel, device, words):
    link, words = kernel.link(device), words[2:]
    for index, word in enumerate(words):
        value = words[index + 1] if index + 1 < len(words) else ""
        if word in ("up", "down") and ("UP" in link["flags"]) != (word == "up"):
            return (device, f"is {'down' if word == 'up' else 'up'}")
        if word == "arp" and ("NOARP" in link["flags"]) != (value == "off"):
            return (device, f"has ARP {'on' if value == 'off' else 'off'}")
        if word == "mtu" and str(link["mtu"]) != value:
            return (device, f"has an mtu of {link['mtu']}, not {value}")
        if word == "address" and link["address"].lower() != value.lower():
            return (device, f"has the address {link['address']}, not {value}")
        if word == "txqueuelen" and str(link["txqlen"]) != value:
            return (device, f"has a queue of {link['txqlen']} packets, not {value}")
    return None


def _address(kernel, device, words):
    there = {network(each) for each in kernel.addresses(device)}
    return None if network(words[0]) in there else (f"address {words[0]} of {device}", GONE)


def _route(kernel, device, words):
    there = kernel.routes(device).get(network(words[0]))
    subject = f"route {words[0]} of {device}"
    if there is None:
        return (subject, GONE)
    rest = [word for word in words[1:] if word != "lock"]
    for name, value in zip(rest[::2], rest[1::2]):
        if name != "dev" and _after(there, name) != value:
            return (subject, f"has {name} {_after(there, name) or 'not set'}, not {value}")
    return None


def _neighbour(kernel, device, words):
    there = kernel.neighbours(device).get(words[0])
    subject = f"neighbour {words[0]} of {device}"
    if there is None:
        return (subject, GONE)
    wanted = _after(words, "lladdr")
    return None if there == wanted else (subject, f"has the address {there}, not {wanted}")


def _sysctl(kernel, _device, words):
    for word in words:
        key, _, wanted = word.partition("=")
        there = kernel.sysctl(key)
        if there != " ".join(wanted.split()):
            return (key, "is not there" if there is None else f"is {there}, not {wanted}")
    return None


def _card(letter):
    """A setting that a card does not have, or that is fixed, is none that could differ."""
    def compare(kernel, device, words):
        there = kernel.card(device, letter)
        for name, value in zip(words[1::2], words[2::2]):
            shown = PRINTED.get(name, name)
            if value.startswith("$("):  # the largest that the card has
                value = kernel.most(device, name) or ""
            has = there.get(shown, f"{value} [fixed]")
            if value and "[fixed]" not in has and has.split()[0] != value:
                return (f"{shown} of {device}", f"is {has.split()[0]}, not {value}")
        return None
    return compare


def _files(kernel, _device, words):
    """A loop over files of the kernel that writes one value into each."""
    pattern, wanted = words[0].rstrip(";"), _after(words, "echo")
    others = sorted(kernel.files(pattern) - {wanted})
    return (pattern.rpartition("/")[2], f"is {', '.join(others)}, not {wanted}") if others else None


COMPARED = {
    ("ip", "link", "set"): _link,
    ("ip", "address", "replace"): _address,
    ("ip", "address", "add"): _address,
    ("ip", "route", "replace"): _route,
    ("ip", "route", "add"): _route,
    ("ip", "neigh", "replace"): _neighbour,
    ("ip", "neigh", "add"): _neighbour,
    ("sysctl", "-w"): _sysctl,
    ("for", "each", "in"): _files,
    ("ethtool", "-A"): _card("a"),
    ("ethtool", "-C"): _card("c"),
    ("ethtool", "-G"): _card("g"),
    ("ethtool", "-K"): _card("k"),
}
