package org.daqfabric.impl.controller.spi;

import org.daqfabric.api.spec.FabricSpec;

/** Hears of every valid change of the configuration, in order; returns at once. */
public interface ConfigListener {
    void fabricChanged(FabricSpec spec);

    void fabricRemoved(String fabric);

    /** All fabrics that were stored have been told, and again after every change. */
    void configurationRead();
}
