"""Network namespaces: entering them from Python, and `ip` in batches."""
import contextlib
import ctypes
import fcntl
import os
import socket
import struct
import subprocess

from .errors import LabError

CLONE_NEWNET = 0x40000000
SIOCETHTOOL = 0x8946
# ETHTOOL_S* commands: tx checksum, scatter-gather, TSO, GSO, GRO
OFFLOADS = (0x17, 0x19, 0x1F, 0x24, 0x2C)
_libc = ctypes.CDLL(None, use_errno=True)


def path(namespace):
    return f"/run/netns/{namespace}"


def exists(namespace):
    return os.path.exists(path(namespace))


@contextlib.contextmanager
def inside(namespace):
    """Run the body with this thread in the namespace; sockets and processes made there stay there."""
    home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        try:
            there = os.open(path(namespace), os.O_RDONLY)
        except FileNotFoundError as error:
            raise LabError(f"namespace {namespace} is gone: run `daqlab down` and `up` again") from error
        try:
            _setns(there)
        finally:
            os.close(there)
        try:
            yield
        finally:
            _setns(home)
    finally:
        os.close(home)


def _setns(fd):
    if _libc.setns(fd, CLONE_NEWNET) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"setns: {os.strerror(error)}")


def ip_batch(lines, force=False):
    """Run many `ip` commands in one process; force goes on after errors and ignores them."""
    if not lines:
        return
    command = ["ip", "-batch", "-"] if not force else ["ip", "-force", "-batch", "-"]
    done = subprocess.run(command, input="\n".join(lines) + "\n", text=True, capture_output=True, check=False)
    if done.returncode and not force:
        raise LabError(f"ip: {done.stderr.strip()}")


def write_sysctl(name, value):
    """In the namespace of the calling thread."""
    with open("/proc/sys/" + name.replace(".", "/"), "w", encoding="ascii") as file:
        file.write(str(value))


def read_sysctl(name):
    with open("/proc/sys/" + name.replace(".", "/"), encoding="ascii") as file:
        return file.read().strip()


def default_buffers():
    """sysctl -> bytes that a new socket gets; asked from a socket, as other namespaces than the machine's own have no such file."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as new:
        return {"net.core.rmem_default": new.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF),
                "net.core.wmem_default": new.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)}


def quiet():
    """No IPv6 chatter and no reverse path checks in the calling thread's namespace."""
    for scope in ("all", "default"):
        if os.path.exists("/proc/sys/net/ipv6"):
            write_sysctl(f"net.ipv6.conf.{scope}.disable_ipv6", 1)
        write_sysctl(f"net.ipv4.conf.{scope}.rp_filter", 0)


def allow_ipv6(interface):
    """On one interface of the calling thread's namespace: only addresses that are given to it, and no router is asked."""
    for name, value in (("addr_gen_mode", 1), ("accept_ra", 0), ("disable_ipv6", 0)):
        with open(f"/proc/sys/net/ipv6/conf/{interface}/{name}", "w", encoding="ascii") as file:  # its name may have dots
            file.write(str(value))


def offloads_off(interfaces):
    """As `ethtool -K IF tx off sg off tso off gso off gro off`, in the calling thread's namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        for interface in interfaces:
            for command in OFFLOADS:
                value = ctypes.create_string_buffer(struct.pack("II", command, 0))
                fcntl.ioctl(handle, SIOCETHTOOL, struct.pack("16sP", interface.encode(), ctypes.addressof(value)))


def processes_in(namespaces):
    """pid -> namespace, of every process whose network namespace is one of these."""
    inodes = {}
    for namespace in namespaces:
        with contextlib.suppress(OSError):
            inodes[os.stat(path(namespace)).st_ino] = namespace
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                namespace = inodes.get(os.stat(f"/proc/{entry}/ns/net").st_ino)
                if namespace:
                    found[int(entry)] = namespace
    return found
