package org.daqfabric.api;

/** How much a backup holds. */
public record BackupContents(int fabrics, int dcms, int partitions) {
}
