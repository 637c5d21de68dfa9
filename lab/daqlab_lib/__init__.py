"""The lab: emulates a daqfabric fabric on one machine with real Open vSwitch instances."""
