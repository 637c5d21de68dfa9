"""Tests of the packages; pages_walk of the documentation can be imported after this."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "site"))
