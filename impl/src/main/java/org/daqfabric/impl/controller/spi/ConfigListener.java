package org.daqfabric.impl.controller.spi;

import org.daqfabric.api.spec.FabricSpec;

/** Receives every valid change of the configuration, in order; returns at once. */
public interface ConfigListener {
    void fabricChanged(FabricSpec spec);

    void fabricRemoved(String fabric);

    /** All stored fabrics have been reported; called again after every change. */
    void configurationRead();
}
