package org.daqfabric.impl.cli;

/** What a command shows: a record whose components are its JSON. */
interface View {
    /** Text for people, in lines of at most {@link Table#WIDTH} characters. */
    String text();

    /** Why the command fails although it has something to show; empty if it succeeds. */
    default String failure() {
        return "";
    }
}
