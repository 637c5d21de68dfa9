package org.daqfabric.impl.engine.check;

/**
 * One reason to refuse a fabric or an operation.
 *
 * @param location the offending node
 * @param message what is wrong, by name, and what to change
 */
public record Problem(Location location, String message) {
}
