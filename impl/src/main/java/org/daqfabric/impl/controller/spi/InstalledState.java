package org.daqfabric.impl.controller.spi;

import org.daqfabric.api.program.Program;

/**
 * The rules and groups that a switch has, as read from it.
 *
 * @param ours rules with our cookie mark and groups with our id mark
 * @param foreign the other rules and groups, which are left alone
 * @param opaque number of foreign rules that a {@link Program} cannot express
 */
public record InstalledState(Program ours, Program foreign, int opaque) {
}
