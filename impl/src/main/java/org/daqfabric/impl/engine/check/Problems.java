package org.daqfabric.impl.engine.check;

import java.util.ArrayList;
import java.util.List;

/** Collects problems in the order they are found. */
final class Problems {
    private final List<Problem> found = new ArrayList<>();

    void add(String path, String message, Object... arguments) {
        found.add(new Problem(path, message.formatted(arguments)));
    }

    List<Problem> found() {
        return List.copyOf(found);
    }
}
