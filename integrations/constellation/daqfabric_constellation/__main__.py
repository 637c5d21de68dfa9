"""The satellite as a program."""
from constellation.core.logging import setup_cli_logging
from constellation.core.satellite import SatelliteArgumentParser

from .satellite import VERSION, DaqFabric


def main(arguments: list[str] | None = None) -> None:
    """Prepares, starts and stops runs through a daqfabric network"""
    parser = SatelliteArgumentParser(description=main.__doc__, version=VERSION)
    options = vars(parser.parse_args(arguments))
    setup_cli_logging(options.pop("level"))
    DaqFabric(**options).run_satellite()


if __name__ == "__main__":
    main()
