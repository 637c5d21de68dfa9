package org.daqfabric.impl.users;

import com.google.common.hash.Hashing;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Ledgers and rows as JSON. Reading throws an unchecked exception if it is none of ours. */
final class LedgerText {
    private static final String KIND = "kind";
    private static final String ID = "id";
    private static final String FIRST = "first";
    private static final String TIME = "time";
    private static final String MEMBER = "member";
    private static final String COLUMNS = "columns";

    private LedgerText() {
    }

    static JsonArray ledger(Ledger ledger) {
        JsonArray list = new JsonArray();
        ledger.entries().forEach((id, entry) -> {
            JsonObject each = row(id, entry.row());
            each.addProperty(FIRST, entry.stamp().first());
            each.addProperty(TIME, entry.stamp().time());
            each.addProperty(MEMBER, entry.stamp().member());
            list.add(each);
        });
        return list;
    }

    static JsonArray rows(Map<RowId, Row> rows) {
        JsonArray list = new JsonArray();
        new TreeMap<>(rows).forEach((id, row) -> list.add(row(id, Optional.of(row))));
        return list;
    }

    private static JsonObject row(RowId id, Optional<Row> row) {
        JsonObject each = new JsonObject();
        each.addProperty(KIND, id.kind().text());
        each.addProperty(ID, id.id());
        row.ifPresent(some -> {
            JsonObject columns = new JsonObject();
            new TreeMap<>(some.columns()).forEach(columns::addProperty);
            each.add(COLUMNS, columns);
        });
        return each;
    }

    static Ledger readLedger(JsonArray list) {
        SortedMap<RowId, Entry> entries = new TreeMap<>();
        for (JsonElement element : list) {
            JsonObject each = element.getAsJsonObject();
            entries.put(id(each), new Entry(row(each), new Stamp(each.get(FIRST).getAsBoolean(),
                each.get(TIME).getAsLong(), each.get(MEMBER).getAsString())));
        }
        return new Ledger(entries);
    }

    static SortedMap<RowId, Row> readRows(JsonArray list) {
        SortedMap<RowId, Row> rows = new TreeMap<>();
        for (JsonElement element : list) {
            JsonObject each = element.getAsJsonObject();
            rows.put(id(each), row(each).orElseThrow());
        }
        return rows;
    }

    private static RowId id(JsonObject each) {
        return new RowId(Kind.of(each.get(KIND).getAsString()), each.get(ID).getAsString());
    }

    private static Optional<Row> row(JsonObject each) {
        return Optional.ofNullable(each.getAsJsonObject(COLUMNS)).map(columns -> {
            Map<String, String> texts = new TreeMap<>();
            columns.entrySet().forEach(column -> texts.put(column.getKey(), column.getValue().getAsString()));
            return new Row(texts);
        });
    }

    /** Equal ledgers have the same. */
    static String digest(Ledger ledger) {
        return Hashing.sha256().hashString(ledger(ledger).toString(), StandardCharsets.UTF_8).toString();
    }
}
