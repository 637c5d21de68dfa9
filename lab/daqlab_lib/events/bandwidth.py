"""What the links carry of event traffic: every DCM at the same rate, an equal part of it from every ROS.

Equation (6.1) for any fabric and any placement, as the controller computes `state/capacity/bandwidth`.
"""
from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True)
class Bandwidth:
    total: float     # Mbit/s that arrive at all DCMs together when the bottleneck is full
    bottleneck: str  # SWITCH:PORT


def of(paths, rates):
    """paths: (ROS, DCM) -> [(switch, port)]; rates: (switch, port) -> Mbit/s. None if nothing on the paths is limited."""
    flows = Counter(port for path in paths.values() for port in path)
    shares = [(rates[port] / count, f"{port[0]}:{port[1]}") for port, count in flows.items() if port in rates]
    if not shares:
        return None
    share, bottleneck = min(shares)  # of one pair
    return Bandwidth(round(share * len(paths), 3), bottleneck)
