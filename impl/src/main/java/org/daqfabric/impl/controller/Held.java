package org.daqfabric.impl.controller;

import org.daqfabric.api.program.Program;

/**
 * What a switch holds.
 *
 * @param ours rules with our cookie mark, and all groups
 * @param foreign number of rules without it, which are left alone
 */
public record Held(Program ours, int foreign) {
}
