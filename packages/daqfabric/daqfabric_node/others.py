"""Tells the programs that set up a host's interfaces by themselves to leave those of the fabric alone."""
import re
import subprocess
from pathlib import Path

HEAD = "# Written by daqfabric-node: these interfaces carry a data-acquisition fabric. It is written anew when they change.\n"
ORDINARY = re.compile(r"[A-Za-z0-9_.@+-]{1,15}")  # no sign that means something in the files


class Manager:
    """A program that takes an interface for its own, and its file."""

    def __init__(self, name, service, file, text, named, listing):
        """named: finds the names in the file again."""
        self.name, self.service, self.file, self._text, self._named, self._listing = name, service, Path(file), text, named, listing

    def text(self, names):
        """What the file must say, None for nothing."""
        names = [each for each in names if ORDINARY.fullmatch(each)]
        return HEAD + self._text(names) if names else None

    def told(self):
        """The names in the file."""
        text = self.file.read_text() if self.file.exists() else ""
        return {name for found in re.findall(self._named, text, re.MULTILINE) for name in found.split()}

    def tell(self, names):
        """Writes the file if it says something else, and has the program read it. Returns whether it did."""
        text = self.text(names)
        there = self.file.read_text() if self.file.exists() else None
        if text == there or (text and not self.file.parent.is_dir()):
            return False
        if text is None:
            self.file.unlink()
        else:
            new = self.file.with_suffix(".new")  # a suffix that neither program reads
            new.write_text(text)
            new.replace(self.file)
        if self.runs():
            subprocess.run(["systemctl", "reload", self.service], check=False, capture_output=True)
        return True

    def runs(self):
        """Whether it does."""
        try:
            return subprocess.run(["systemctl", "is-active", "--quiet", self.service], check=False, capture_output=True).returncode == 0
        except FileNotFoundError:
            return False

    def has(self, names):
        """Those of the interfaces that it takes for its own."""
        if not self.runs():
            return []
        command, name, state = self._listing
        try:
            done = subprocess.run(command, text=True, check=False, capture_output=True)
        except FileNotFoundError:
            return []
        lines = (re.split(r"[:\s]+", line.strip()) for line in done.stdout.splitlines())
        managed = {words[name] for words in lines if len(words) > state and words[state] not in ("unmanaged", "strictly-unmanaged")}
        return sorted(managed & set(names))


MANAGERS = (
    Manager("NetworkManager", "NetworkManager.service", "/etc/NetworkManager/conf.d/daqfabric-node.conf",
            lambda names: "[keyfile]\nunmanaged-devices+=" + ";".join(f"interface-name:={each}" for each in names) + "\n",
            r"interface-name:=([^;\n]+)",
            (["nmcli", "-t", "-f", "DEVICE,STATE", "device"], 0, 1)),
    # Before the files of the host, of which the first one that matches counts. Of an interface that it does not manage it takes no
    # routes away, so its ManageForeignRoutes, which is for all interfaces of the host, stays as the host has it.
    Manager("systemd-networkd", "systemd-networkd.service", "/etc/systemd/network/00-daqfabric-node.network",
            lambda names: f"[Match]\nName={' '.join(names)}\n\n[Link]\nUnmanaged=yes\n",
            r"^Name=(.*)$",
            (["networkctl", "list", "--no-legend"], 1, 4)),
)


def tell(names):
    """Tells all of them. Returns the names of those whose file has changed."""
    return [each.name for each in MANAGERS if each.tell(names)]


def tell_also(names):
    """Tells them of more interfaces, which stay beside those that they were told of."""
    return [each.name for each in MANAGERS if each.tell(sorted({*names, *each.told()}))]


def takers(names):
    """name of a program -> the interfaces of the fabric that it has in spite of that."""
    return {each.name: taken for each in MANAGERS if (taken := each.has(names))}
