"""Where packets go in a fabric: what the controller's engine makes of the fabric file, whole and after failures."""
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .network import Ring

MAIN = "org.daqfabric.impl.northbound.FabricPaths"


@dataclass(frozen=True)
class Case:
    failure: str      # none, a switch, or switch:port
    bandwidth: float  # Gbps, as the controller reports it
    bottleneck: str
    unreachable: int  # pairs of a ROS's switch and a DCM, or the other way, without a path
    next: dict        # switch -> address -> (port, whether through the daqring)
    rings: dict       # address -> Ring


def of(document, *failures):
    """The cases, for a decoded fabric file. scripts/simulate sets the Java and its classes."""
    with tempfile.TemporaryDirectory() as folder:
        file, answers = Path(folder, "fabric.json"), Path(folder, "paths.json")
        file.write_text(json.dumps(document))
        java = os.environ["DAQ_JAVA_OF_PATHS"], "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"
        subprocess.run([*java, MAIN, file, answers, *failures], check=True, stdout=subprocess.DEVNULL)
        return [parse(json.loads(line)) for line in answers.read_text().splitlines()]


def parse(answer):
    """A case as FabricPaths prints it."""
    ways = {switch: {address: (way["port"], way["ring"]) for address, way in ways.items()} for switch, ways in answer["next"].items()}
    rings = {address: Ring(**ring) for address, ring in answer["rings"].items()}
    return Case(answer["failure"], answer["bandwidth"], answer["bottleneck"], answer["unreachable"], ways, rings)
