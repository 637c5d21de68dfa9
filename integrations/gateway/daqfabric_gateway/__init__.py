"""Serves the state of daqfabric to control systems: EPICS over PVAccess, and OPC UA."""
