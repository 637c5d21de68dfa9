package org.daqfabric.impl.users;

import java.util.Optional;

/**
 * What is to be done to a member's own rows.
 *
 * @param row to be written; empty to delete it
 * @param member where that was decided
 */
record RowChange(RowId id, Optional<Row> row, String member) {
}
