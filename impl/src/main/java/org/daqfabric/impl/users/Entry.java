package org.daqfabric.impl.users;

import java.util.Optional;

/**
 * The newest that is known of a row.
 *
 * @param row empty if it was deleted
 */
record Entry(Optional<Row> row, Stamp stamp) {
}
