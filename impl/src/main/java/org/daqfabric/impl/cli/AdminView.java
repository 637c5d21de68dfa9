package org.daqfabric.impl.cli;

import java.util.List;
import java.util.Optional;

/**
 * What was written, and what it does.
 *
 * @param effect absent if nothing was to be done
 */
record AdminView(String fabric, String adminState, List<String> changed, Optional<EffectView> effect) implements View {
    @Override
    public String text() {
        return changed.isEmpty() ? "Nothing to do: so it is already."
            : "Now " + adminState + ": " + String.join(", ", changed) + ". daqfabric:show tells how far it is.";
    }
}
