"""Whether this host reaches a controller itself, where Open vSwitch does not say why it does not."""
import functools
import ipaddress
import re
import socket

TARGET = re.compile(r"(?:tcp|ssl):(?:\[(?P<six>[^]]+)]|(?P<host>[^:]+))(?::(?P<port>[0-9]+))?$")
SECONDS = 2
OVSDB, OPENFLOW = 6640, 6653  # what Open vSwitch takes where none is named


@functools.cache  # each controller is named once for each bridge
def why_not(target, port=OVSDB):
    """
    What Open vSwitch would say of a manager or controller if it said anything, by a connection of our own.

    port: where a target leads that names none
    """
    found = TARGET.match(target)
    if not found:
        return "no answer yet"
    host = found["six"] or found["host"]
    try:
        socket.create_connection((host, int(found["port"] or port)), timeout=SECONDS).close()
    except socket.gaierror as error:
        return f"'{host}' is not known on this host: {error.strerror}"
    except ConnectionRefusedError:
        return "connection refused"
    except TimeoutError:
        return f"no answer within {SECONDS} s"
    except OSError as error:
        return error.strerror or str(error)
    return "no answer yet" if _is_address(host) else "though this host reaches it by that name"


def _is_address(host):
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
