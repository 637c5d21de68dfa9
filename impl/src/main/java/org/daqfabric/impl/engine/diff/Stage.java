package org.daqfabric.impl.engine.diff;

/**
 * The stages of a change. All switches finish one before any begins the next, so that a switch sends no packet where
 * the rules for it are not yet, and takes no rule away that another still counts on.
 */
public enum Stage {
    /** New groups, and rules for what had none. */
    ADD,
    /** Groups and rules that are otherwise than they must be, and rules that take packets from others or leave them to others. */
    CHANGE,
    /** Rules and groups that are not needed any more. */
    REMOVE
}
