"""Serves values as variables over OPC UA."""
import asyncio
import hmac
import math
from collections.abc import Awaitable, Iterator
from typing import Any

from asyncua import Server, ua
from asyncua.common.manage_nodes import delete_nodes
from asyncua.crypto.permission_rules import User, UserRole
from asyncua.ua import ObjectIds

from .addresses import with_port
from .names import join
from .settings import OpcUa
from .subscriptions import Subscribers
from .values import Difference, Kind, Path, Status, Value

APPLICATION = "urn:daqfabric:gateway"
NAMESPACE = "urn:daqfabric:values"  # is number 2, after OPC UA's own and the application's
ROOT = "daqfabric"
# Changes after which clients are answered: a large fabric has thousands, and clients give up a server that is silent for a second.
STEPS = 50
TYPES = {Kind.TEXT: ua.VariantType.String, Kind.CHOICE: ua.VariantType.String, Kind.INTEGER: ua.VariantType.Int64,
         Kind.NUMBER: ua.VariantType.Double, Kind.FLAG: ua.VariantType.Boolean, Kind.TABLE: ua.VariantType.String}
# What a variable has instead of 'not known', as clients stumble over a null.
ABSENT = {Kind.TEXT: "", Kind.INTEGER: -1, Kind.NUMBER: math.nan, Kind.FLAG: False}


class Readers:
    """Lets everybody read, or those who know the login; nobody changes anything."""

    def __init__(self, login: str | None):
        self._login = login

    def get_user(self, iserver: Any, username: str | None = None, password: str | None = None, certificate: Any = None) -> User | None:
        """The user of a session; None refuses it."""
        if self._login is not None and not hmac.compare_digest(f"{username}:{password}".encode(), self._login.encode()):
            return None
        return User(role=UserRole.User, name=username)


class OpcUaServer:
    """Runs from `start` until `stop`, all within one event loop."""

    def __init__(self, settings: OpcUa):
        self._settings = settings
        self._server = Server(user_manager=Readers(settings.login))
        self.subscribers = Subscribers(self._server)
        self._space = 0
        self._folders: dict[Path, int] = {}  # and how many nodes are in it

    async def start(self) -> None:
        """Listens; there are no values yet."""
        settings, server = self._settings, self._server
        await server.init()
        server.set_endpoint(f"opc.tcp://{with_port(settings.address, settings.port)}/")
        server.set_server_name("daqfabric gateway")
        await server.set_application_uri(APPLICATION)
        server.set_identity_tokens([ua.AnonymousIdentityToken if settings.login is None else ua.UserNameIdentityToken])
        if settings.certificate is None:
            server.set_security_policy([ua.SecurityPolicyType.NoSecurity])
        else:
            server.set_security_policy([ua.SecurityPolicyType.Basic256Sha256_SignAndEncrypt])
            await server.load_certificate(str(settings.certificate))
            await server.load_private_key(str(settings.private_key))
        self._space = await server.register_namespace(NAMESPACE)
        await server.get_node(ObjectIds.ObjectsFolder).add_folder(self._id(()), ua.QualifiedName(ROOT, self._space))
        self._folders[()] = 1  # stays
        try:
            await server.start()
        except OSError as e:
            raise OSError(f"OPC UA cannot listen on {with_port(settings.address, settings.port)}: {e}. Give opcua.address an address of "
                          "this machine, and opcua.port a free port") from e

    async def stop(self) -> None:
        """Disconnects all clients."""
        await self._server.stop()

    async def apply(self, difference: Difference) -> None:
        """Serves what the difference leads to."""
        self.subscribers.forget()
        for number, step in enumerate(self._steps(difference), 1):
            await step
            if number % STEPS == 0:
                await asyncio.sleep(0)

    def _steps(self, difference: Difference) -> Iterator[Awaitable[None]]:
        for value in difference.changed:
            yield self._server.write_attribute_value(self._id(value.path), data_of(value))
        for path in difference.gone:
            yield self._remove(path, ObjectIds.HasComponent)
        for value in difference.come:
            yield self._add(value)

    def _id(self, path: Path) -> ua.NodeId:
        return ua.NodeId(join(path) or ROOT, self._space)

    async def _add(self, value: Value) -> None:
        parent = await self._folder(value.path[:-1])
        data = data_of(value)
        node = await parent.add_variable(self._id(value.path), ua.QualifiedName(value.path[-1], self._space), data.Value)
        if value.type.unit:
            await node.write_attribute(ua.AttributeIds.Description, ua.DataValue(ua.LocalizedText(f"in {value.type.unit}")))
        self.subscribers.back(node.nodeid)
        await self._server.write_attribute_value(node.nodeid, data)

    async def _folder(self, path: Path) -> Any:
        node = self._server.get_node(self._id(path))
        if path not in self._folders:
            parent = await self._folder(path[:-1])
            await parent.add_folder(node.nodeid, ua.QualifiedName(path[-1], self._space))
            self._folders[path] = 0
        self._folders[path] += 1
        return node

    async def _remove(self, path: Path, reference: int) -> None:
        """Takes a node from its folder first: deleted with its references, asyncua would search all nodes for those."""
        await self.subscribers.leave(self._id(path))
        session = self._server.iserver.isession
        await session.delete_references([ua.DeleteReferencesItem(
            self._id(path[:-1]), ua.NodeId(reference), True, self._id(path), True)])
        await delete_nodes(session, [self._server.get_node(self._id(path))], delete_target_references=False)
        await self._leave(path[:-1])

    async def _leave(self, folder: Path) -> None:
        """One node fewer is in a folder: an empty one goes, too."""
        self._folders[folder] -= 1
        if not self._folders[folder]:
            del self._folders[folder]
            await self._remove(folder, ObjectIds.Organizes)


def data_of(value: Value) -> ua.DataValue:
    """A value with status and time."""
    kind = value.type.kind
    content: Any = ABSENT.get(kind) if value.value is None else value.value
    if kind is Kind.TABLE:
        content = [": ".join(cell for cell in row if cell) for row in content]
    status = ua.StatusCodes.UncertainLastUsableValue if value.status is Status.LAST_KNOWN else ua.StatusCodes.Good
    return ua.DataValue(ua.Variant(content, TYPES[kind], is_array=kind is Kind.TABLE), ua.StatusCode(status), value.time, value.time)
