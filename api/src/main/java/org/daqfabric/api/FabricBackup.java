package org.daqfabric.api;

/**
 * All that the controller stores.
 *
 * @param text a JSON document, to be kept as it is
 */
public record FabricBackup(String text, BackupContents contents) {
}
