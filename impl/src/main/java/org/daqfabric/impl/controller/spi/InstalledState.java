package org.daqfabric.impl.controller.spi;

import java.util.List;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.engine.diff.ForeignRules.Foreign;

/**
 * The rules and groups that a switch has, as read from it.
 *
 * @param ours rules with our cookie mark and groups with our id mark
 * @param foreign the other rules and groups, which are left alone
 * @param opaque number of foreign rules that a {@link Program} cannot express
 * @param others the foreign rules that packets meet, both kinds
 */
public record InstalledState(Program ours, Program foreign, int opaque, List<Foreign> others) {
    public InstalledState {
        others = List.copyOf(others);
    }

    /** With no foreign rules that packets meet. */
    public InstalledState(Program ours, Program foreign, int opaque) {
        this(ours, foreign, opaque, List.of());
    }
}
