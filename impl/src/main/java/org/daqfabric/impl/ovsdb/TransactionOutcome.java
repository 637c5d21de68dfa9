package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/**
 * The result of a transaction that ended with {@link Operations#bump}.
 *
 * @param error in words; empty if the transaction was committed
 * @param overtaken whether it was refused only because the node had changed meanwhile
 * @param nextCfg value of {@code next_cfg} after it
 */
record TransactionOutcome(String error, boolean overtaken, long nextCfg) {
    static TransactionOutcome failed(String error) {
        return new TransactionOutcome(error, false, 0);
    }

    /** Reads the result of a {@code transact} with so many operations (RFC 7047, section 4.1.3). */
    static TransactionOutcome of(JsonArray results, int operations) {
        for (int at = 0; at < results.size(); at++) {
            JsonElement result = results.get(at);
            if (result.isJsonObject() && result.getAsJsonObject().has("error")) {
                JsonObject refusal = result.getAsJsonObject();
                String error = OvsdbValues.string(refusal, "error");
                String details = OvsdbValues.string(refusal, "details");
                return new TransactionOutcome("the node's database refused the change: " + error
                    + (details.isEmpty() ? "" : ": " + details), "timed out".equals(error), 0);
            }
        }
        if (results.size() != operations) {
            return failed("the node's database answered " + operations + " operations with " + results.size()
                + " results");
        }
        JsonArray rows = results.get(operations - 1).getAsJsonObject().getAsJsonArray("rows");
        return rows == null || rows.isEmpty() ? new TransactionOutcome("", false, 0)
            : new TransactionOutcome("", false,
            OvsdbValues.integer(rows.get(0).getAsJsonObject(), "next_cfg").orElse(0));
    }
}
