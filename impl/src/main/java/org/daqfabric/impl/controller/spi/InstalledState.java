package org.daqfabric.impl.controller.spi;

import org.daqfabric.api.program.Program;

/**
 * What a switch holds.
 *
 * @param ours rules with our cookie mark and groups with our id mark
 * @param foreign the other rules and groups, which are left alone
 * @param opaque number of rules of others that a {@link Program} cannot hold
 */
public record InstalledState(Program ours, Program foreign, int opaque) {
}
