package org.daqfabric.impl.cli;

/** What placing anew came to. */
record RebalanceView(String fabric, int movedDcms) implements View {
    @Override
    public String text() {
        return movedDcms == 0 ? "Nothing moves: no other placement is better."
            : TerminalText.count(movedDcms, "DCM moves", "DCMs move") + ". daqfabric:show tells how far it is.";
    }
}
