"""Names of values, as EPICS and OPC UA have them. Pure."""
import re

ESCAPED = re.compile(r"[^A-Za-z0-9_-]")
ESCAPES = re.compile(r"(?:\+[0-9A-F]{2})+")


def encode(name: str) -> str:
    """A name as a part of a PV's name: letters, digits, _ and - stay, other characters are +XX for each byte of UTF-8."""
    return ESCAPED.sub(lambda found: "".join(f"+{byte:02X}" for byte in found[0].encode()), name)


def decode(part: str) -> str:
    """The name that was encoded."""
    return ESCAPES.sub(lambda found: bytes.fromhex(found[0].replace("+", "")).decode(), part)


def join(path: tuple[str, ...]) -> str:
    """The identifier of a path: its parts, encoded, with colons between. No two paths have the same."""
    return ":".join(map(encode, path))


def split(identifier: str) -> tuple[str, ...]:
    """The path of an identifier."""
    return tuple(map(decode, identifier.split(":")))
