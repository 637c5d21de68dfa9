package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.InterfaceRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.PortRow;

/**
 * The {@code mtu_request} of one port. The port's {@code external_ids} remember that it is ours, so that it is taken
 * back with the fabric's MTU, and one that was set by hand stays where the fabric has none.
 *
 * @param mtu bytes; empty if the port is to have no request of ours
 */
record MtuRequest(OptionalInt mtu) {
    /** Key in {@code external_ids} of a Port whose Interface has a request of ours. */
    static final String MARK = "daqfabric-mtu";
    static final MtuRequest NONE = new MtuRequest(OptionalInt.empty());

    private static final String COLUMN = "mtu_request";

    /** Completes the columns of an Interface that is inserted. */
    void insert(JsonObject columns) {
        mtu.ifPresent(bytes -> columns.addProperty(COLUMN, bytes));
    }

    /** Completes the columns of an Interface that is changed. */
    void change(PortRow row, InterfaceRow existing, JsonObject columns) {
        if (mtu.isPresent()) {
            if (!existing.mtuRequest().equals(OptionalLong.of(mtu.getAsInt()))) {
                columns.addProperty(COLUMN, mtu.getAsInt());
            }
        } else if (isToForget(row) && existing.mtuRequest().isPresent()) {
            columns.add(COLUMN, OvsdbValues.set(List.of()));
        }
    }

    /** What the port's {@code external_ids} must have. */
    Map<String, String> marks() {
        return mtu.isPresent() ? Map.of(MARK, "set") : Map.of();
    }

    /** Whether the port has a request of ours that is to be taken back. */
    boolean isToForget(PortRow row) {
        return mtu.isEmpty() && row.externalIds().containsKey(MARK);
    }
}
