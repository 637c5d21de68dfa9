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

/** A node's end of an OVSDB connection (RFC 7047, section 4). */
final class OvsdbPeer implements Wire.Handler {
    private static final Duration PROBE = Duration.ofSeconds(5);

    private final Map<JsonElement, JsonObject> monitors = new HashMap<>();
    private final Consumer<Changes> watcher = this::tell;
    private final Loop loop;
    private final Database database;
    private final Runnable leave;
    private Wire wire;
    private boolean probed;
    private long heard;
    /** How the text so far is nested, and how much of what has not been taken yet was looked at. */
    private int depth;
    private boolean quoted;
    private boolean escaped;
    private int looked;

    /**
     * Describes a connection.
     *
     * @param leave ends it because the manager does not answer
     */
    OvsdbPeer(final Loop loop, final Database database, final Runnable leave) {
        this.loop = loop;
        this.database = database;
        this.leave = leave;
    }

    @Override
    public void opened(final Wire opened) {
        wire = opened;
        heard = System.nanoTime();
        database.watch(watcher);
        loop.later(PROBE, this::probe);
    }

    @Override
    public void lost() {
        database.unwatch(watcher);
    }

    private void probe() {
        if (wire.isClosed()) {
            return;
        }
        if (System.nanoTime() - heard >= PROBE.toNanos()) {
            if (probed) {
                leave.run();
                return;
            }
            probed = true;
            final var echo = new JsonObject();
            echo.addProperty("method", "echo");
            echo.add("params", new JsonArray());
            echo.addProperty("id", "echo");
            send(echo);
        }
        loop.later(PROBE, this::probe);
    }

    @Override
    public void received(final ByteBuffer bytes) {
        heard = System.nanoTime();
        probed = false;
        int at = bytes.position() + looked;
        while (at < bytes.limit() && !wire.isClosed()) {
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
        looked = bytes.remaining();
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
            final var rows = new JsonObject();
            database.table(table).forEach((uuid, row) -> {
                final var update = new JsonObject();
                update.add("new", chosen(table, row, columns(requests, table)));
                rows.add(uuid, update);
            });
            if (!rows.isEmpty()) {
                all.add(table, rows);
            }
        }
        answer(id, all);
    }

    private void tell(final Changes changes) {
        monitors.forEach((id, requests) -> {
            final var updates = new JsonObject();
            changes.tables().forEach((table, rows) -> {
                if (requests.has(table)) {
                    final var columns = columns(requests, table);
                    final var told = new JsonObject();
                    rows.forEach((uuid, change) -> {
                        final var update = update(table, change, columns);
                        if (!update.isEmpty()) {
                            told.add(uuid, update);
                        }
                    });
                    if (!told.isEmpty()) {
                        updates.add(table, told);
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

    /** A row-update (section 4.1.6): the whole new row, and the old values of columns that changed; empty for no change. */
    private static JsonObject update(final String table, final Change change, final List<String> columns) {
        final var update = new JsonObject();
        if (change.before() == null) {
            update.add("new", chosen(table, change.after(), columns));
        } else if (change.after() == null) {
            update.add("old", chosen(table, change.before(), columns));
        } else {
            final var old = chosen(table, change.before(), columns);
            final var now = chosen(table, change.after(), columns);
            columns.stream().filter(column -> old.get(column).equals(now.get(column))).forEach(old::remove);
            if (!old.isEmpty()) {
                update.add("old", old);
                update.add("new", now);
            }
        }
        return update;
    }

    private static JsonObject chosen(final String table, final JsonObject row, final List<String> columns) {
        final var chosen = new JsonObject();
        columns.forEach(column -> chosen.add(column, Database.value(table, row, column)));
        return chosen;
    }

    private static List<String> columns(final JsonObject requests, final String table) {
        final var each = requests.get(table);
        final var columns = new ArrayList<String>();
        for (var request : each.isJsonArray() ? each.getAsJsonArray().asList() : List.of(each)) {
            if (request.getAsJsonObject().has("columns")) {
                request.getAsJsonObject().getAsJsonArray("columns").forEach(column -> columns.add(column.getAsString()));
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
        wire.send(ByteBuffer.wrap(message.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
