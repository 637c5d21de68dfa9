"""An inventory: hosts and cables, as they are documented or configured."""
import dataclasses
from collections.abc import Mapping
from decimal import Decimal

from .problems import Place

SWITCHES = ("ros", "rack", "leaf", "spine", "spare")  # roles of hosts that run a switch
DEFAULT_CAPACITY = Decimal(10)
LOCAL = "LOCAL"


@dataclasses.dataclass(frozen=True)
class Cell:
    """What a table says, and where."""

    text: str
    place: Place


@dataclasses.dataclass(frozen=True)
class Row:
    """The cells of one host or cable that are not empty, by column."""

    place: Place
    cells: Mapping[str, Cell]
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict)  # what columns are called there, if something else
    lacking: Mapping[str, str] = dataclasses.field(default_factory=dict)  # columns that have no default there, and what to change

    def text(self, column: str) -> str | None:
        """What the column says; None if nothing."""
        return self.cells[column].text if column in self.cells else None

    def at(self, *columns: str) -> Place:
        """The place of the first of these columns that says something, otherwise of the first in this row."""
        for column in columns:
            if column in self.cells:
                return self.cells[column].place
        return dataclasses.replace(self.place, column=self.labels.get(columns[0], columns[0]))


NOWHERE = Row(Place("the configuration"), {})


@dataclasses.dataclass(frozen=True)
class Port:
    """A port of a host."""

    host: str
    port: str

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclasses.dataclass(frozen=True)
class Host:
    """A switch or a DCM. What is None is as usual: the column is empty."""

    name: str
    role: str
    plane: int | None = None
    pod: int | None = None
    spine: int | None = None
    rack: str | None = None
    port: str | None = None  # of a DCM that is cabled to its rack: that end of the cable
    address: str | None = None
    mac: str | None = None
    weight: Decimal | None = None
    switch: str | None = None
    system_id: str | None = None
    bridge: str | None = None
    ovsdb_address: str | None = None
    ovsdb_port: int | None = None
    datapath_type: str | None = None
    row: Row = dataclasses.field(default=NOWHERE, compare=False, repr=False)

    @property
    def switch_name(self) -> str:
        """The name of its switch."""
        return self.switch or self.name


@dataclasses.dataclass(frozen=True)
class Cable:
    """A cable between the switches of two hosts."""

    a: Port
    b: Port
    capacity: Decimal = DEFAULT_CAPACITY
    row: Row = dataclasses.field(default=NOWHERE, compare=False, repr=False)

    @property
    def ends(self) -> frozenset[Port]:
        """Both, in no order."""
        return frozenset((self.a, self.b))

    def __str__(self) -> str:
        return f"{self.a} - {self.b}"


@dataclasses.dataclass(frozen=True)
class Inventory:
    """A whole fabric."""

    hosts: tuple[Host, ...]
    cables: tuple[Cable, ...]

    def switches(self) -> dict[str, Host]:
        """Hosts that run a switch, by the name of the switch."""
        return {host.switch_name: host for host in self.hosts if host.role != "dcm"}
