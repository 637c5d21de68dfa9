"""Event traffic: readout nodes (ROS) that answer requests with fragments, and data collection managers (DCM) that ask all
ROS for an event's fragments over TCP connections that stay.

    with events.start(fabric_name, events.Load(size=2000)) as traffic:
        time.sleep(5)
        traffic.mark("cut")
        ...
        report = traffic.stop()
"""
from .load import Load
from .run import start

__all__ = ["Load", "start"]
