"""A Constellation satellite that drives the run control of daqfabric."""
