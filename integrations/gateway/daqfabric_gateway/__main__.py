"""The gateway as a program."""
import argparse
import asyncio
import contextlib
import logging
import re
import signal
import sys
import urllib.parse
from pathlib import Path

from .addresses import is_loopback, with_port
from .service import Gateway
from .settings import Settings, Wrong, read_settings

CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class OneLine(logging.Formatter):
    """What others said cannot begin a line of its own in the log; a trace of ours has as many as it needs."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (logging's own name)
        return CONTROLS.sub(lambda found: ascii(found[0])[1:-1], super().formatMessage(record))


def main(arguments: list[str] | None = None) -> int:
    """Serves alarms, fabrics, links, switches and partitions of daqfabric over PVAccess (EPICS) and OPC UA."""
    parser = argparse.ArgumentParser(prog="daqfabric-gateway", description=main.__doc__)
    parser.add_argument("configuration", type=Path, help="a file in TOML, see docs/control-systems.md")
    options = parser.parse_args(arguments)
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger(__package__).setLevel(logging.INFO)
    try:
        settings = read_settings(options.configuration)
        gateway = Gateway(settings)
    except (Wrong, ValueError, OSError) as e:
        print(f"daqfabric-gateway: {e}", file=sys.stderr)
        return 2
    try:
        asyncio.run(_until_told(gateway, settings))
    except (OSError, RuntimeError) as e:  # of a listener; p4p's are RuntimeErrors
        print(f"daqfabric-gateway: cannot serve: {e}", file=sys.stderr)
        return 1
    except Exception as e:  # whatever it is, systemd starts it anew
        logging.getLogger(__package__).exception("an error of this program, or of a library of it")
        print(f"daqfabric-gateway: cannot serve: {e}", file=sys.stderr)
        return 1
    return 0


async def _until_told(gateway: Gateway, settings: Settings) -> None:
    running = asyncio.ensure_future(gateway.run(lambda: _announce(settings)))
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, running.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await running


def _announce(settings: Settings) -> None:
    log = logging.getLogger(__package__)
    for url in settings.controllers:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
            log.warning("the login goes to %s without encryption: use https", url)
    if settings.epics:
        log.info("PVAccess on %s, searches on UDP port %d, prefix %s", with_port(settings.epics.address, settings.epics.port),
                 settings.epics.search_port, settings.epics.prefix)
    if settings.opcua:
        log.info("OPC UA on opc.tcp://%s/", with_port(settings.opcua.address, settings.opcua.port))
        if not is_loopback(settings.opcua.address) and not settings.opcua.certificate:
            log.warning("OPC UA is served without encryption and login: set opcua.certificate, private_key and login")


if __name__ == "__main__":
    sys.exit(main())
