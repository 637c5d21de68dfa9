package org.daqfabric.impl.users;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opendaylight.aaa.api.IDMStoreException;

/** A member whose rows are in memory; its file is a file. */
final class MemberInMemory implements UserRows {
    final Map<RowId, Row> rows = new HashMap<>();
    final List<RowChange> applied = new ArrayList<>();
    final String name;
    private final Path file;
    private final ClockByHand clock;
    SharedUsers users;
    /** So many changes are applied until it is killed; it works for ever if negative. */
    int killedAfter = -1;
    /** What somebody does at this member while it is changed. */
    Runnable meanwhile = () -> { };
    /** Whether nothing can be written. */
    boolean fails;

    /** The present time, which only moves when it is told to. */
    static final class ClockByHand implements InstantSource {
        long millis = 1_000;

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis);
        }
    }

    /** What kills it. */
    static final class KilledException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    MemberInMemory(String name, Path folder, ClockByHand clock) {
        this.name = name;
        this.clock = clock;
        file = folder.resolve(name + ".json");
    }

    void start() throws IDMStoreException, IOException {
        users = new SharedUsers(name, this, new LedgerFile(file), applied::add, clock);
    }

    void loseFile() throws IOException {
        Files.delete(file);
    }

    /** All that another member knows, in parts, is told to this one. */
    void hear(MemberInMemory other) throws IDMStoreException, IOException {
        for (String each : Told.entries(other.users.ledger())) {
            users.receive(((Told.Entries) Told.read(each)).ledger());
        }
    }

    @Override
    public Map<RowId, Row> read(Set<String> missing) {
        return new HashMap<>(rows);
    }

    @Override
    public void apply(RowChange change) throws IDMStoreException {
        if (fails) {
            throw new IDMStoreException("disk full");
        }
        if (killedAfter == 0) {
            throw new KilledException();
        }
        killedAfter--;
        if (change.row().isPresent()) {
            rows.put(change.id(), change.row().get());
        } else {
            rows.remove(change.id());
        }
        meanwhile.run();
    }
}
