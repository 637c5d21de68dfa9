package org.daqfabric.impl.northbound.views;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.engine.compile.Daqrings;

/** The ports of a switch as they were read at one time, by name. */
record SwitchReading(Instant when, SortedMap<String, PortReading> ports) {
    SwitchReading {
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
    }

    /** What was read, without daqrings, which are most and are not shown. */
    static SwitchReading of(Instant when, Map<String, PortReading> read) {
        SortedMap<String, PortReading> ports = new TreeMap<>();
        read.forEach((name, reading) -> {
            if (Daqrings.addressOf(name).isEmpty()) {
                ports.put(name, reading);
            }
        });
        return new SwitchReading(when, ports);
    }
}
