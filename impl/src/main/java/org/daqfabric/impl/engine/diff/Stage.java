package org.daqfabric.impl.engine.diff;

/**
 * The stages of a change. All switches finish one before any begins the next, so that no switch sends a packet to one
 * that has no rule for it yet, and none removes a rule that another switch still relies on.
 */
public enum Stage {
    /** New groups, and rules for packets that no rule led anywhere. */
    ADD,
    /** Groups and rules that differ, and rules for prefixes that take packets from others or leave packets to them. */
    CHANGE,
    /** Rules and groups that are no longer desired. */
    REMOVE
}
