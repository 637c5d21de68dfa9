package org.daqfabric.impl.cli;

/** What a command shows: a record, whose components are its JSON. */
interface View {
    /** For people, in lines of at most {@link Table#WIDTH} columns. */
    String text();

    /** Why the command fails though it has something to show; empty if it does not. */
    default String failure() {
        return "";
    }
}
