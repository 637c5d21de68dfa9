package org.daqfabric.impl.users;

import java.util.Map;
import java.util.Set;
import org.opendaylight.aaa.api.IDMStoreException;

/** The rows of a member. */
interface UserRows {
    /**
     * All rows.
     *
     * @param users ids of users who may be missing and have roles
     */
    Map<RowId, Row> read(Set<String> users) throws IDMStoreException;

    void apply(RowChange change) throws IDMStoreException;
}
