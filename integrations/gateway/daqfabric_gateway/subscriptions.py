"""What asyncua's server (2.1.0) does otherwise than OPC UA has it, for clients that have subscribed."""
import math
from datetime import UTC, datetime
from typing import Any

from asyncua import Server, ua
from asyncua.server.monitored_item_service import MonitoredItemService, MonitoredItemValues

VALUE = ua.AttributeIds.Value


class MonitoredItems(MonitoredItemService):
    """
    Those of one subscription. A deadband is from what the client was told last; asyncua compares with the value before, so that
    slow changes never arrive, nor one of the status with the same value.
    """

    def _is_deadband_exceeded(self, values: MonitoredItemValues, flt: ua.DataChangeFilter) -> bool:
        new, told = values.get_current_datavalue(), getattr(values, "told", None)
        exceeded = told is None or new.StatusCode != told.StatusCode or _differ(new.Value, told.Value, flt)
        if exceeded:
            values.told = new
        return exceeded


def _differ(new: ua.Variant | None, told: ua.Variant | None, flt: ua.DataChangeFilter) -> bool:
    old, now = (each.Value if each else None for each in (told, new))
    if flt.DeadbandType != ua.DeadbandType.Absolute:
        return True  # a percentage is of a range, which no value here has
    if not all(isinstance(each, int | float) and math.isfinite(each) for each in (old, now)):
        return True  # texts, and what is not known
    return abs(now - old) > flt.DeadbandValue


class Subscribers:
    """
    Those who have subscribed to a value. asyncua tells them nothing when its node is deleted, and not what becomes of one that
    comes in its place.
    """

    def __init__(self, server: Server):
        """Before the server is started."""
        self._aspace = server.iserver.aspace
        self._service = server.iserver.subscription_service
        self._create = self._service.create_subscription
        self._service.create_subscription = self._created
        self.waiting: dict[ua.NodeId, dict[int, Any]] = {}  # for nodes to come back: what calls each of them, by its handle

    async def _created(self, *arguments: Any, **named: Any) -> ua.CreateSubscriptionResult:
        result = await self._create(*arguments, **named)
        made = self._service.subscriptions[result.SubscriptionId]
        made.monitored_item_srv = MonitoredItems(made, self._aspace)
        return result

    async def leave(self, node: ua.NodeId) -> None:
        """A node is about to be deleted: says that there are no data, and notes who wants those of the next one."""
        callbacks = dict(self._callbacks(node))
        if callbacks:
            now = datetime.now(UTC)
            await self._aspace.write_attribute_value(
                node, VALUE, ua.DataValue(StatusCode=ua.StatusCode(ua.StatusCodes.BadNoData), SourceTimestamp=now, ServerTimestamp=now))
            for handle in callbacks:
                self._aspace.delete_datachange_callback(handle)
            self.waiting[node] = callbacks

    def back(self, node: ua.NodeId) -> None:
        """A node is there again: who waits for it is told what is written to it from now on."""
        for handle, callback in self.waiting.pop(node, {}).items():
            if _wanted(handle, callback):
                self._callbacks(node)[handle] = callback
                self._aspace._handle_to_attribute_map[handle] = (node, VALUE)

    def forget(self) -> None:
        """Those who have ended their subscriptions meanwhile."""
        waiting = {node: {handle: callback for handle, callback in callbacks.items() if _wanted(handle, callback)}
                   for node, callbacks in self.waiting.items()}
        self.waiting = {node: callbacks for node, callbacks in waiting.items() if callbacks}

    def _callbacks(self, node: ua.NodeId) -> dict[int, Any]:
        value = self._aspace[node].attributes.get(VALUE)
        return value.datachange_callbacks if value else {}


def _wanted(handle: int, callback: Any) -> bool:
    return handle in callback.__self__._monitored_datachange
