package org.daqfabric.api;

import java.util.List;

/**
 * What was taken up from a backup.
 *
 * @param warnings what is unusual about the backup and did not prevent its use
 */
public record RestoreResult(BackupContents contents, List<String> warnings) {
    public RestoreResult {
        warnings = List.copyOf(warnings);
    }
}
