package org.daqfabric.impl.cli;

import java.util.List;
import java.util.Optional;

/**
 * What was written to the configuration, and its effect.
 *
 * @param effect absent if there was nothing to do
 */
record AdminView(String fabric, String adminState, List<String> changed, Optional<EffectView> effect) implements View {
    @Override
    public String text() {
        return changed.isEmpty() ? "Nothing to do: already in that state."
            : "Now " + adminState + ": " + String.join(", ", changed) + ". daqfabric:show tells how far it is.";
    }
}
