package org.daqfabric.impl.cli;

/** The result of a rebalance. */
record RebalanceView(String fabric, int movedDcms) implements View {
    @Override
    public String text() {
        return movedDcms == 0 ? "Nothing moves: no other placement is better."
            : TerminalText.count(movedDcms, "DCM moves", "DCMs move") + ". daqfabric:show tells how far it is.";
    }
}
