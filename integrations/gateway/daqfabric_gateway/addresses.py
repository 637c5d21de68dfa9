"""Addresses as people write them: the one reader of this program. Pure."""
import ipaddress
import re

LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
NAME = re.compile(rf"(?=.{{1,253}}$)(?:{LABEL}\.)*(?![0-9]+$){LABEL}")  # one that ends in a number would be an address


def host_of(text: str) -> str:
    """The host, without []: a name, or an address of IPv4 or IPv6. Raises ValueError for anything else, as one with a port."""
    inside = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    try:
        address = ipaddress.ip_address(inside)
    except ValueError:
        if NAME.fullmatch(text):
            return text
        address = None
    if address is None or "%" in text or (address.version == 4 and inside != text):
        raise ValueError(f"{text!r} is no address: give one as 10.0.0.1 or fd00:73::1, without a port, or a name")
    return str(address)


def with_port(host: str, port: int) -> str:
    """Both, as in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only programs on the same machine reach it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
