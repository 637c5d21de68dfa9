"""The satellite as a program."""
import sys

from constellation.core.logging import setup_cli_logging
from constellation.core.satellite import SatelliteArgumentParser

from .access import Wrong, client
from .satellite import VERSION, DaqFabric


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
    DaqFabric(**options, restconf=restconf).run_satellite()
    return 0


if __name__ == "__main__":
    sys.exit(main())
