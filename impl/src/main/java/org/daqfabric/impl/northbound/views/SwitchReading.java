package org.daqfabric.impl.northbound.views;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.impl.controller.spi.PortReading;

/** The ports of a switch as they were read at one time, by name. */
record SwitchReading(Instant when, SortedMap<String, PortReading> ports) {
    SwitchReading {
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
    }

    SwitchReading(Instant when, Map<String, PortReading> ports) {
        this(when, new TreeMap<>(ports));
    }
}
