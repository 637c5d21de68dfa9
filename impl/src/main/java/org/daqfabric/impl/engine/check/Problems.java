package org.daqfabric.impl.engine.check;

import java.util.ArrayList;
import java.util.List;

/** Collects problems in the order they are found. */
final class Problems {
    private final List<Problem> found = new ArrayList<>();

    void add(Location location, String message, Object... arguments) {
        found.add(new Problem(location, message.formatted(arguments)));
    }

    List<Problem> found() {
        return List.copyOf(found);
    }
}
