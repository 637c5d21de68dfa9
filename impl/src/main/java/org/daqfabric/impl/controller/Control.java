package org.daqfabric.impl.controller;

import java.util.Optional;
import org.daqfabric.api.run.Selection;

/**
 * What run control wants of a fabric.
 *
 * @param frozen whether a run goes on: failures are repaired, and nothing else is changed
 * @param selection who takes part in runs; everybody if empty
 */
public record Control(boolean frozen, Optional<Selection> selection) {
    public static final Control FREE = new Control(false, Optional.empty());
}
