package org.daqfabric.impl.users;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;

/** What members say to each other: a text of JSON, which Pekko sends without settings of its own. */
sealed interface Told {
    /** The digest of the sender's ledger: who has another one answers with it. */
    record Digest(String digest) implements Told {
    }

    /** Entries of the sender's ledger. */
    record Entries(Ledger ledger) implements Told {
    }

    /** Entries in one message, which stays far below what Pekko takes. */
    int MOST = 50;
    /** Names of members. */
    String DIGEST = "digest";
    /** Names of members. */
    String ENTRIES = "entries";

    static String digest(Ledger ledger) {
        JsonObject text = new JsonObject();
        text.addProperty(DIGEST, LedgerText.digest(ledger));
        return text.toString();
    }

    static List<String> entries(Ledger ledger) {
        return ledger.parts(MOST).stream().map(part -> {
            JsonObject text = new JsonObject();
            text.add(ENTRIES, LedgerText.ledger(part));
            return text.toString();
        }).toList();
    }

    /** Reads a message; throws an unchecked exception if it is none. */
    static Told read(String text) {
        JsonObject message = JsonParser.parseString(text).getAsJsonObject();
        return message.has(DIGEST) ? new Digest(message.get(DIGEST).getAsString())
            : new Entries(LedgerText.readLedger(message.getAsJsonArray(ENTRIES)));
    }
}
