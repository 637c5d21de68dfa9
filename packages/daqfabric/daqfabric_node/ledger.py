"""What the kernel of this host drops before Open vSwitch has it: the host's part of the ledger of losses."""
import re
from pathlib import Path

from .kernel import answer

SOCKETS = "daqfabric-socket-drops"   # of a port: packets for which its packet socket had no room
HOST = "daqfabric-softnet-drops"     # of a bridge: packets for which a processor's backlog had none, all interfaces together
KEYS = (SOCKETS, HOST)
SOFTNET = Path("/proc/net/softnet_stat")
# The filter of every packet socket of Open vSwitch, which leaves out what is sent, and takes all else with a length that
# differs by release. A capture on the port has another filter or none.
FILTER = ((0x28, 0, 0, 0xfffff004), (0x15, 0, 1, 4), (0x06, 0, 0, 0))
INTERFACE = re.compile(r"p_raw\s.*?:(\S+)\s")
DROPS = re.compile(r"skmem:\([^)]*\bd(\d+)\)")
INSTRUCTIONS = re.compile(r"bpf filter \(\d+\):((?:\s+[^,\s]+\s+\d+\s+\d+\s+\d+,?)+)")


def drops(switch, sockets, softnet):
    """name of a port -> key -> text, of the answers of the kernel."""
    found = {name: {SOCKETS: str(count)} for name, count in of_sockets(sockets).items() if name in switch.userspace}
    return found | {name: {HOST: str(of_softnet(softnet))} for name in switch.bridges}


def read(switch):
    """As the kernel has it now."""
    return drops(switch, answer("ss", "-0", "-a", "-n", "-m", "-b"), SOFTNET.read_text())


def of_sockets(text):
    """Of `ss -0 -a -n -m -b`: interface -> packets that sockets of Open vSwitch on it dropped."""
    found = {}
    for part in re.split(r"^(?=p_)", text, flags=re.M):
        interface, dropped = INTERFACE.match(part), DROPS.search(part)
        if interface and dropped and _is_open_vswitch(part):
            found[interface[1]] = found.get(interface[1], 0) + int(dropped[1])
    return found


def _is_open_vswitch(text):
    found = INSTRUCTIONS.search(text)
    if not found:
        return False
    *first, last = [tuple(int(word, 0) for word in each.split()) for each in found[1].split(",") if each.strip()]
    return tuple(first) == FILTER and last[:3] == (0x06, 0, 0)


def of_softnet(text):
    """Of /proc/net/softnet_stat: the second column, in hexadecimal, added up over processors."""
    return sum(int(line.split()[1], 16) for line in text.splitlines() if line)
