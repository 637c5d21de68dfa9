"""The satellite as a program."""
import signal
import sys

from constellation.core.logging import setup_cli_logging
from constellation.core.satellite import SatelliteArgumentParser

from .access import Wrong, client
from .satellite import VERSION, DaqFabric

ENDING = (signal.SIGTERM, signal.SIGINT)


def main(arguments: list[str] | None = None) -> int:
    """
    Prepares, starts and stops runs through a daqfabric network. DAQFABRIC_URL, DAQFABRIC_USER and DAQFABRIC_PASSWORD_FILE in
    the environment name the controller and the login.
    """
    parser = SatelliteArgumentParser(description=main.__doc__, version=VERSION)
    options = vars(parser.parse_args(arguments))
    try:
        restconf = client()
    except Wrong as e:
        print(f"SatelliteDaqFabric: {e}", file=sys.stderr)
        return 2
    setup_cli_logging(options.pop("level"))
    # As Ctrl-C, which the satellite takes while it runs: it departs. Its threads, which it has before, must not get the signals.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    satellite = DaqFabric(**options, restconf=restconf)
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        satellite.run_satellite()
    except KeyboardInterrupt:  # before it ran
        satellite.reentry()
    return 0


if __name__ == "__main__":
    sys.exit(main())
