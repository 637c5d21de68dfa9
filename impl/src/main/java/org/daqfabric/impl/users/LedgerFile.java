package org.daqfabric.impl.users;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member remembers, in a file that its owner alone may read. Losing it is no harm: the member begins to share
 * anew, and the others' entries count before its own.
 */
record LedgerFile(Path file) {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerFile.class);
    private static final String LEDGER = "ledger";
    private static final String SEEN = "seen";

    @SuppressWarnings("checkstyle:illegalCatch") // whatever is wrong with its text
    Optional<Remembered> read() {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            JsonObject text = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
            return Optional.of(new Remembered(LedgerText.readLedger(text.getAsJsonArray(LEDGER)),
                LedgerText.readRows(text.getAsJsonArray(SEEN))));
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} cannot be read: where users differ, the other members' count", file, e);
            return Optional.empty();
        }
    }

    void write(Remembered all) throws IOException {
        JsonObject text = new JsonObject();
        text.add(LEDGER, LedgerText.ledger(all.ledger()));
        text.add(SEEN, LedgerText.rows(all.seen()));
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(next, text.toString());
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
