"""Whether this host reaches a controller itself, where Open vSwitch does not say why it does not."""
import ipaddress
import re
import socket

TARGET = re.compile(r"(?:tcp|ssl):(?:\[(?P<six>[^]]+)]|(?P<host>[^:]+))(?::(?P<port>[0-9]+))?$")
SECONDS = 2
PORT = 6640


def why_not(target):
    """What Open vSwitch would say of a manager or controller if it said anything, by a connection of our own."""
    found = TARGET.match(target)
    if not found:
        return "no answer yet"
    host = found["six"] or found["host"]
    try:
        socket.create_connection((host, int(found["port"] or PORT)), timeout=SECONDS).close()
    except socket.gaierror as error:
        return f"'{host}' is not known on this host: {error.strerror}"
    except ConnectionRefusedError:
        return "connection refused"
    except OSError:
        return f"no answer within {SECONDS} s"
    return "no answer yet" if _is_address(host) else "though this host reaches it by that name"


def _is_address(host):
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
