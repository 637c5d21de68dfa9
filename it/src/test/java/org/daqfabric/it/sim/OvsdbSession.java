package org.daqfabric.it.sim;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.daqfabric.it.sim.Database.Change;
import org.daqfabric.it.sim.Database.Changes;

/** The node's side of an OVSDB connection (RFC 7047, section 4). */
final class OvsdbSession implements TcpConnection.Handler {
    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);

    private final Map<JsonElement, JsonObject> monitors = new HashMap<>();
    private final Consumer<Changes> watcher = this::sendUpdates;
    private final EventLoop loop;
    private final Database database;
    private final Runnable disconnect;
    private TcpConnection connection;
    private boolean probed;
    private long lastReceived;
    /** State of the scanner that finds the end of a message: nesting depth, quoting, and bytes scanned so far. */
    private int depth;
    private boolean quoted;
    private boolean escaped;
    private int scanned;

    /**
     * A session that is not connected yet.
     *
     * @param disconnect closes the connection, as the manager does not answer
     */
    OvsdbSession(final EventLoop loop, final Database database, final Runnable disconnect) {
        this.loop = loop;
        this.database = database;
        this.disconnect = disconnect;
    }

    @Override
    public void opened(final TcpConnection opened) {
        connection = opened;
        lastReceived = System.nanoTime();
        database.watch(watcher);
        loop.later(PROBE_INTERVAL, this::probe);
    }

    @Override
    public void lost() {
        database.unwatch(watcher);
    }

    private void probe() {
        if (connection.isClosed()) {
            return;
        }
        if (System.nanoTime() - lastReceived >= PROBE_INTERVAL.toNanos()) {
            if (probed) {
                disconnect.run();
                return;
            }
            probed = true;
            final var echo = new JsonObject();
            echo.addProperty("method", "echo");
            echo.add("params", new JsonArray());
            echo.addProperty("id", "echo");
            send(echo);
        }
        loop.later(PROBE_INTERVAL, this::probe);
    }

    @Override
    public void received(final ByteBuffer bytes) {
        lastReceived = System.nanoTime();
        probed = false;
        int at = bytes.position() + scanned;
        while (at < bytes.limit() && !connection.isClosed()) {
            final byte each = bytes.get(at++);
            if (escaped) {
                escaped = false;
            } else if (quoted) {
                escaped = each == '\\';
                quoted = each != '"';
            } else if (each == '"') {
                quoted = true;
            } else if (each == '{') {
                depth++;
            } else if (each == '}' && --depth == 0) {
                final var text = new byte[at - bytes.position()];
                bytes.get(text);
                message(JsonParser.parseString(new String(text, StandardCharsets.UTF_8)).getAsJsonObject());
            }
        }
        scanned = bytes.remaining();
    }

    private void message(final JsonObject message) {
        if (!message.has("method")) {
            return;
        }
        final var params = message.getAsJsonArray("params");
        final var id = message.get("id");
        switch (message.get("method").getAsString()) {
            case "echo" -> answer(id, params);
            case "list_dbs" -> answer(id, Json.array(Json.text(Schema.SYSTEM)));
            case "get_schema" -> answer(id, Schema.describe());
            case "monitor" -> monitor(id, params);
            case "monitor_cancel" -> {
                monitors.remove(params.get(0));
                answer(id, new JsonObject());
            }
            case "transact" -> answer(id, database.transact(params.asList().subList(1, params.size())));
            default -> {
                final var answer = new JsonObject();
                answer.add("result", JsonNull.INSTANCE);
                answer.addProperty("error", "unknown method");
                answer.add("id", id);
                send(answer);
            }
        }
    }

    private void monitor(final JsonElement id, final JsonArray params) {
        final var requests = params.get(2).getAsJsonObject();
        monitors.put(params.get(1), requests);
        final var all = new JsonObject();
        for (var table : requests.keySet()) {
            if (!Schema.has(table)) {
                continue; // such as mirrors, of which a simulated node has none
            }
            final var rows = new JsonObject();
            database.table(table).forEach((uuid, row) -> {
                final var update = new JsonObject();
                update.add("new", selectColumns(table, row, columns(requests, table)));
                rows.add(uuid, update);
            });
            if (!rows.isEmpty()) {
                all.add(table, rows);
            }
        }
        answer(id, all);
    }

    private void sendUpdates(final Changes changes) {
        monitors.forEach((id, requests) -> {
            final var updates = new JsonObject();
            changes.tables().forEach((table, rows) -> {
                if (requests.has(table)) {
                    final var columns = columns(requests, table);
                    final var rowUpdates = new JsonObject();
                    rows.forEach((uuid, change) -> {
                        final var update = update(table, change, columns);
                        if (!update.isEmpty()) {
                            rowUpdates.add(uuid, update);
                        }
                    });
                    if (!rowUpdates.isEmpty()) {
                        updates.add(table, rowUpdates);
                    }
                }
            });
            if (!updates.isEmpty()) {
                final var update = new JsonObject();
                update.addProperty("method", "update");
                update.add("params", Json.array(id, updates));
                update.add("id", JsonNull.INSTANCE);
                send(update);
            }
        });
    }

    /**
     * A row-update (section 4.1.6): the whole new row, and the old values of columns that changed; empty for no change.
     */
    private static JsonObject update(final String table, final Change change, final List<String> columns) {
        final var update = new JsonObject();
        if (change.before() == null) {
            update.add("new", selectColumns(table, change.after(), columns));
        } else if (change.after() == null) {
            update.add("old", selectColumns(table, change.before(), columns));
        } else {
            final var old = selectColumns(table, change.before(), columns);
            final var now = selectColumns(table, change.after(), columns);
            columns.stream().filter(column -> old.get(column).equals(now.get(column))).forEach(old::remove);
            if (!old.isEmpty()) {
                update.add("old", old);
                update.add("new", now);
            }
        }
        return update;
    }

    private static JsonObject selectColumns(final String table, final JsonObject row, final List<String> columns) {
        final var selectColumns = new JsonObject();
        columns.forEach(column -> selectColumns.add(column, Database.value(table, row, column)));
        return selectColumns;
    }

    private static List<String> columns(final JsonObject requests, final String table) {
        final var each = requests.get(table);
        final var columns = new ArrayList<String>();
        for (var request : each.isJsonArray() ? each.getAsJsonArray().asList() : List.of(each)) {
            if (request.getAsJsonObject().has("columns")) {
                // a column that is not simulated has its default for good
                request.getAsJsonObject().getAsJsonArray("columns").asList().stream().map(JsonElement::getAsString)
                    .filter(Schema.columns(table)::containsKey).forEach(columns::add);
            } else {
                columns.addAll(Schema.columns(table).keySet());
            }
        }
        return columns;
    }

    private void answer(final JsonElement id, final JsonElement result) {
        final var answer = new JsonObject();
        answer.add("result", result);
        answer.add("error", JsonNull.INSTANCE);
        answer.add("id", id);
        send(answer);
    }

    private void send(final JsonObject message) {
        connection.send(ByteBuffer.wrap(message.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
