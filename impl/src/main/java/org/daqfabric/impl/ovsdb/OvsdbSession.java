package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.controller.spi.PortReading;

/** A connection to a node's database, and the snapshot of its rows that the connection keeps up to date. */
final class OvsdbSession {
    private static final String DATABASE = "Open_vSwitch";
    /** Characters of updates after which even a small snapshot is measured again. */
    private static final int MEASURE_AFTER = 64 << 10;

    private final AtomicLong updates = new AtomicLong();
    private final JsonRpcConnection connection;
    private final boolean dialled;
    private volatile Identity identity;
    /** Null until the node has answered {@code monitor}. */
    private volatile OvsdbSnapshot snapshot;
    /**
     * Characters of the snapshot when it was last measured, and of updates since; only the reading thread uses them.
     */
    private long measuredSize;
    private long updatedSince;

    /**
     * Who is at the other end.
     *
     * @param systemId empty if the node has none
     * @param systemUuid of its Open_vSwitch row, by which databases are told apart; empty if it has no such row
     */
    record Identity(String systemId, String systemUuid) {
    }

    /**
     * Creates a session.
     *
     * @param dialled whether the controller connected to the node
     */
    OvsdbSession(JsonRpcConnection connection, boolean dialled) {
        this.connection = connection;
        this.dialled = dialled;
    }

    JsonRpcConnection connection() {
        return connection;
    }

    boolean isDialled() {
        return dialled;
    }

    /** Null until it is known. */
    Identity identity() {
        return identity;
    }

    OvsdbSnapshot snapshot() {
        return snapshot;
    }

    /** Number of updates since {@link #monitor}. */
    long updates() {
        return updates.get();
    }

    /** Asks the peer for its system-id. */
    CompletableFuture<Identity> identify() {
        return select(DATABASE, new JsonArray(), "_uuid", "external_ids").thenApply(rows -> {
            identity = new Identity("", "");
            for (JsonElement row : rows) {
                identity = new Identity(
                    OvsdbValues.map(row.getAsJsonObject(), "external_ids").getOrDefault("system-id", ""),
                    OvsdbValues.uuidOf(row.getAsJsonObject().get("_uuid")));
            }
            return identity;
        });
    }

    /**
     * Starts to monitor the node's rows.
     *
     * @param changed called after every change of {@link #snapshot}, on the connection's reading thread
     */
    void monitor(Runnable changed) {
        connection.onUpdate(update -> {
            OvsdbSnapshot before = snapshot;
            if (before != null) {
                updates.incrementAndGet();
                snapshot = before.apply(update);
                account(update);
                changed.run();
            }
        });
        connection.call("monitor", OvsdbValues.array(DATABASE, "daqfabric", OvsdbSnapshot.monitorRequests()))
            .thenAccept(rows -> {
                snapshot = OvsdbSnapshot.EMPTY.apply(rows.getAsJsonObject());
                account(rows);
                changed.run();
            })
            .whenComplete((done, failure) -> {
                if (failure != null) {
                    connection.close("its database cannot be followed: " + Causes.of(failure).getMessage());
                }
            });
    }

    /** Reads all ports, including daqrings. They are not monitored: statistics change all the time. */
    CompletableFuture<SortedMap<String, PortReading>> readPorts() {
        JsonArray noRings = OvsdbValues.array(OvsdbValues.array("type", "!=", "daqring"));
        return select("Interface", new JsonArray(), PortReadings.COUNTED)
            .thenCombine(select("Interface", noRings, PortReadings.DESCRIBED), PortReadings::of);
    }

    /** Reads the state of the node's OpenFlow connections and BFD sessions. Not monitored: BFD changes all the time. */
    CompletableFuture<ConnectionHealth> health() {
        return select("Controller", new JsonArray(), "target", "is_connected", "status").thenCombine(
            select("Interface", new JsonArray(), "name", "bfd_status"), ConnectionHealth::of);
    }

    /** Reads the state of the bridges' OpenFlow connections, which changes all the time. */
    CompletableFuture<JsonArray> controllers() {
        return select("Controller", new JsonArray(), "external_ids", "is_connected", "status");
    }

    /** Reads columns of a table's rows once. */
    private CompletableFuture<JsonArray> select(String table, JsonArray where, Object... columns) {
        JsonObject select = new JsonObject();
        select.addProperty("op", "select");
        select.addProperty("table", table);
        select.add("where", where);
        select.add("columns", OvsdbValues.array(columns));
        return connection.call("transact", OvsdbValues.array(DATABASE, select)).thenApply(result -> {
            JsonObject answer = result.getAsJsonArray().get(0).getAsJsonObject();
            JsonArray rows = answer.getAsJsonArray("rows");
            if (rows == null) {
                throw new IllegalArgumentException("it refused to be read: " + answer);
            }
            return rows;
        });
    }

    /** Tells the connection how much memory the rows take. Measured seldom: updates are many and small. */
    private void account(JsonElement received) {
        updatedSince += received.toString().length();
        if (updatedSince > MEASURE_AFTER + measuredSize / 2) {
            measuredSize = snapshot.toString().length();
            updatedSince = 0;
        }
        connection.rows(measuredSize + updatedSince);
    }

    /** Sends a transaction. */
    CompletableFuture<TransactionOutcome> transact(Iterable<JsonObject> operations) {
        JsonArray params = OvsdbValues.array(DATABASE);
        operations.forEach(params::add);
        int count = params.size() - 1;
        return connection.call("transact", params)
            .thenApply(result -> TransactionOutcome.of(result.getAsJsonArray(), count));
    }
}
