"""Tests of daqfabric-inventory."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / "inventory" / "daqfabric-inventory"
sys.path[:0] = [str(ROOT / "inventory"), str(ROOT / "lab")]
