"""The libraries' own words are kept out of the tests' output."""
import logging

for library in ("asyncua", "daqfabric_gateway"):
    logging.getLogger(library).addHandler(logging.NullHandler())
    logging.getLogger(library).propagate = False
