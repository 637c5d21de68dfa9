"""What the kernel has in force, read once and kept for one comparison."""
import functools
import ipaddress
import json
import subprocess
from pathlib import Path


def answer(*command):
    """What a command prints, empty if it fails: an interface that is gone, a card that has no such setting."""
    try:
        done = subprocess.run(command, text=True, capture_output=True, check=False)
    except FileNotFoundError:
        return ""
    return "" if done.returncode else done.stdout


def contents(pattern):
    """What is in the files whose names match, such as a setting of each processor; empty if there are none."""
    found = set()
    for file in Path("/").glob(pattern.lstrip("/")):
        try:
            found.add(file.read_text().strip())
        except OSError:
            continue  # its processor has just been taken out
    return found


def value(key):
    """A setting of the kernel, such as net.ipv4.tcp_rmem; None if it has none."""
    try:
        return " ".join(Path("/proc/sys", key.replace(".", "/")).read_text().split())
    except OSError:
        return None


class Kernel:
    """The answers of this host's kernel, or, in tests, recorded ones."""

    def __init__(self, ask=answer, sysctl=value, files=contents):
        self.ask = ask
        self.sysctl = sysctl
        self.files = files
        self._devices, self.routes, self.neighbours, self.card = map(functools.cache, (
            self._read_devices, self._read_routes, self._read_neighbours, self._read_card))

    def link(self, device):
        """The interface, None if there is none."""
        return self._devices().get(device)

    def _read_devices(self):
        return {each["ifname"]: each for each in json.loads(self.ask("ip", "-j", "address", "show") or "[]") if each}

    def addresses(self, device):
        """Such as 10.2.1.1/32."""
        return {f"{each['local']}/{each['prefixlen']}" for each in (self.link(device) or {}).get("addr_info", [])
                if "local" in each}

    def _read_routes(self, device):
        """Of the main table: destination -> words of the route, without 'lock', which says that the kernel keeps a value."""
        lines = "".join(self.ask("ip", *family, "route", "show", "dev", device) for family in ((), ("-6",))).splitlines()
        return {network(words[0]): [word for word in words[1:] if word != "lock"] for words in map(str.split, lines) if words}

    def _read_neighbours(self, device):
        """The permanent ones: address -> MAC address."""
        lines = self.ask("ip", "neigh", "show", "dev", device, "nud", "permanent").splitlines()
        return {words[0]: words[words.index("lladdr") + 1] for words in map(str.split, lines) if "lladdr" in words}

    def most(self, device, name):
        """The largest ring of a card, in packets; None if it does not tell."""
        text = self.ask("ethtool", "-g", device).partition("Current hardware settings:")[0]
        lines = (line.split() for line in text.lower().splitlines())
        return next((words[1] for words in lines if words[:1] == [f"{name}:"] and words[-1].isdigit()), None)

    def _read_card(self, device, what):
        """What ethtool says: name -> value, in lower case; empty if the device has nothing of the kind.

        `what` is the small letter: a (pause), c (coalescing), g (rings), k (offloads).
        """
        text = self.ask("ethtool", f"-{what}", device)
        found = {}
        for line in text.partition("Current hardware settings:")[2].splitlines() if what == "g" else text.splitlines()[1:]:
            name, colon, rest = line.partition(":")
            if name == "Adaptive RX":  # two on a line
                receive, _, transmit = rest.partition("TX:")
                found |= {"adaptive-rx": receive.strip(), "adaptive-tx": transmit.strip()}
            elif colon and rest.strip() != "n/a":
                found[name.strip().lower().replace(" ", "-")] = rest.strip()
        return found


def network(text):
    """A destination in one form, however it is written."""
    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        return text
