package org.daqfabric.impl.cli;

import java.util.List;
import org.daqfabric.api.BackupContents;

/** What was restored from a file. */
record RestoreView(String file, BackupContents contents, List<String> warnings) implements View {
    @Override
    public String text() {
        StringBuilder text = new StringBuilder("Restored: " + BackupView.count(contents)
            + ". daqfabric:show tells how far they are.");
        warnings.forEach(warning -> text.append('\n')
            .append(String.join("\n", TerminalText.wrap("WARNING  " + warning, 0))));
        return text.toString();
    }
}
