package org.daqfabric.api.history;

import java.util.Optional;

/**
 * One difference between two configurations of a fabric.
 *
 * @param part what differs, in words, such as {@code DCM pu-3-2}
 * @param property which of its properties differs, such as {@code rack}; empty if the part was added or removed
 * @param before the value before, or the properties of the removed part; empty if it is added
 * @param after the value after, or the properties of the added part; empty if it is removed
 */
public record Difference(String part, Optional<String> property, Optional<String> before, Optional<String> after) {
    /** The difference as a line of text. */
    public String text() {
        if (property.isPresent()) {
            return part + ": " + property.get() + " " + before.orElse("(none)") + " -> " + after.orElse("(none)");
        }
        return before.isPresent() ? part + " removed" + details(before.get()) : part + " added"
            + details(after.orElse(""));
    }

    private static String details(String properties) {
        return properties.isEmpty() ? "" : ": " + properties;
    }
}
