package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/** An in-memory node, connected to the driver; its vswitchd applies every change at once. */
final class FakeNode implements AutoCloseable {
    /** The number of a bridge's own port. */
    private static final int LOCAL = 65534;

    private final AtomicInteger transactions = new AtomicInteger();
    private final MemoryDatabase database;
    private final Socket socket;
    private final OutputStream out;
    private final Habit habit;
    private boolean hangs;

    /** How it differs from ovsdb-server. */
    enum Habit {
        NONE,
        /** Sends an update only after the answer to the transaction that caused it. */
        ANSWERS_FIRST,
        /** Refuses every transaction that concerns a bridge named "bad". */
        REFUSES_BAD,
        /** Never answers a transaction that changes something. */
        NEVER_ANSWERS,
        /** Answers nothing after the monitor request. */
        HANGS
    }

    FakeNode(int port, String systemId, Habit habit) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port), new MemoryDatabase(systemId), habit);
    }

    /** A node whose driver is at the other end of a socket. */
    FakeNode(Socket socket, MemoryDatabase database, Habit habit) throws IOException {
        this.habit = habit;
        this.database = database;
        this.socket = socket;
        socket.setTcpNoDelay(true);
        out = socket.getOutputStream();
        Thread.ofVirtual().start(this::run);
    }

    /** The number of transactions received that change something. */
    int transactions() {
        return transactions.get();
    }

    synchronized Set<String> bridges() {
        Set<String> names = new TreeSet<>();
        database.table("Bridge").values().forEach(row -> names.add(row.get("name").getAsString()));
        return names;
    }

    /** Rows of a table by uuid. */
    synchronized Map<String, JsonObject> rows(String table) {
        return database.copy().get(table);
    }

    /** Sends raw bytes; fails once the driver has disconnected it. */
    void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    boolean isEnded() {
        return socket.isClosed();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void run() {
        JsonFramer framer = new JsonFramer(1 << 24);
        byte[] buffer = new byte[1 << 16];
        try (socket) {
            for (int n = socket.getInputStream().read(buffer); n >= 0; n = socket.getInputStream().read(buffer)) {
                List<JsonObject> messages = new ArrayList<>();
                framer.feed(buffer, n, messages::add);
                for (JsonObject message : messages) {
                    receive(message);
                }
            }
        } catch (IOException e) {
            // disconnected by the driver
        }
    }

    private synchronized void receive(JsonObject message) throws IOException {
        if (hangs || !message.has("method")) {
            return;
        }
        JsonElement id = message.get("id");
        switch (message.get("method").getAsString()) {
            case "echo" -> answer(id, message.get("params"));
            case "monitor" -> {
                answer(id, database.tableUpdates(Map.of()));
                hangs = habit == Habit.HANGS;
            }
            case "transact" -> transact(id, message.getAsJsonArray("params"));
            default -> throw new IOException("unexpected " + message);
        }
    }

    private void transact(JsonElement id, JsonArray params) throws IOException {
        List<JsonObject> operations = new ArrayList<>();
        for (int at = 1; at < params.size(); at++) {
            operations.add(params.get(at).getAsJsonObject());
        }
        if (operations.size() == 1) {
            JsonObject row = database.table("Open_vSwitch").get(database.systemUuid()).deepCopy();
            row.add("_uuid", OvsdbValues.uuid(database.systemUuid()));
            JsonObject rows = new JsonObject();
            rows.add("rows", OvsdbValues.array(row));
            answer(id, OvsdbValues.array(rows));
            return;
        }
        transactions.incrementAndGet();
        if (habit == Habit.NEVER_ANSWERS) {
            return;
        }
        if (habit == Habit.REFUSES_BAD && operations.toString().contains("\"bad\"")) {
            JsonObject error = new JsonObject();
            error.addProperty("error", "constraint violation");
            error.addProperty("details", "bad is bad");
            answer(id, OvsdbValues.array(error));
            return;
        }
        Map<String, Map<String, JsonObject>> before = database.copy();
        JsonArray results = database.transact(operations);
        JsonObject system = database.table("Open_vSwitch").get(database.systemUuid());
        system.add("cur_cfg", system.get("next_cfg"));
        database.table("Interface").values().forEach(row -> row.addProperty("ofport",
            row.has("ofport_request") ? row.get("ofport_request").getAsInt() : LOCAL));
        if (habit == Habit.ANSWERS_FIRST) {
            answer(id, results);
        }
        JsonObject update = new JsonObject();
        update.addProperty("method", "update");
        update.add("params", OvsdbValues.array("daqfabric", database.tableUpdates(before)));
        update.add("id", JsonNull.INSTANCE);
        send(update);
        if (habit != Habit.ANSWERS_FIRST) {
            answer(id, results);
        }
    }

    private void answer(JsonElement id, JsonElement result) throws IOException {
        JsonObject answer = new JsonObject();
        answer.add("id", id);
        answer.add("result", result);
        answer.add("error", JsonNull.INSTANCE);
        send(answer);
    }

    private void send(JsonObject message) throws IOException {
        out.write(message.toString().getBytes(StandardCharsets.UTF_8));
    }
}
