package org.daqfabric.api.spec;

/** The Open vSwitch datapath a bridge runs on. */
public enum DatapathType {
    /** Userspace. */
    NETDEV,
    /** The kernel module. */
    SYSTEM
}
