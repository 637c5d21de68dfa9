package org.daqfabric.impl.cli;

import org.daqfabric.api.BackupContents;

/** What was written to a file. */
record BackupView(String file, BackupContents contents) implements View {
    @Override
    public String text() {
        return count(contents) + " in " + TerminalText.clean(file);
    }

    static String count(BackupContents contents) {
        return TerminalText.count(contents.fabrics(), "fabric", "fabrics") + " with "
            + TerminalText.count(contents.dcms(), "DCM", "DCMs") + " and "
            + TerminalText.count(contents.partitions(), "partition", "partitions");
    }
}
