package org.daqfabric.impl.cli;

/** A document of RFC 8345, which is printed as it is. */
record TopologyView(String fabric, String document) implements View {
    @Override
    public String text() {
        return document;
    }
}
