"""A window that all connections of a DCM share, as in DIATCP (TCP paper, section IV-D): what one does not need another has.

DIATCP divides it in the receiver's TCP. Here the DCM does, by the clamps of its sockets' windows: whoever is asked gets an
equal part, a whole segment at least; while nothing is left requests wait, and what a complete answer leaves goes to the
connections with the smallest parts.
"""


class SharedWindow:

    def __init__(self, segments):
        self._free = segments
        self._parts = {}  # connection -> segments, while it is waited for

    def part(self, connection):
        return self._parts.get(connection, 0)

    def take(self, connection, waiting):
        """Whether the connection has a part now; waiting: connections that want one, with this."""
        if connection not in self._parts and self._free:
            self._parts[connection] = max(1, self._free // max(1, waiting))
            self._free -= self._parts[connection]
        return connection in self._parts

    def give_back(self, connection):
        self._free += self._parts.pop(connection)

    def grow(self):
        """Divides what is free; returns the connections that have more now."""
        grown = set()
        while self._free and self._parts:
            smallest = min(self._parts, key=self._parts.get)
            self._parts[smallest] += 1
            self._free -= 1
            grown.add(smallest)
        return grown
