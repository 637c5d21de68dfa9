package org.daqfabric.impl.users;

import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.opendaylight.aaa.api.IDMStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users of one member. What it decides it remembers before it changes anything, so that whenever it is killed the
 * next run does not take a change of another member for one of its own. For one thread.
 */
final class SharedUsers {
    private static final Logger LOG = LoggerFactory.getLogger(SharedUsers.class);

    private final String member;
    private final UserRows rows;
    private final LedgerFile file;
    private final Consumer<RowChange> applied;
    private final InstantSource clock;
    private Remembered all;

    /**
     * Begins with what was remembered, or with what there is.
     *
     * @param applied is told of what other members have changed, when it is changed here
     */
    SharedUsers(String member, UserRows rows, LedgerFile file, Consumer<RowChange> applied, InstantSource clock)
            throws IDMStoreException, IOException {
        this.member = member;
        this.rows = rows;
        this.file = file;
        this.applied = applied;
        this.clock = clock;
        var remembered = file.read();
        if (remembered.isPresent()) {
            all = remembered.get();
        } else {
            Map<RowId, Row> now = rows.read(Ledger.EMPTY.users());
            all = new Remembered(Ledger.first(now, member, clock.millis()), now);
            file.write(all);
        }
    }

    Ledger ledger() {
        return all.ledger();
    }

    /**
     * Looks for what was changed here, and does what is left to be done.
     *
     * @return whether something was changed here
     */
    boolean look() throws IDMStoreException, IOException {
        Map<RowId, Row> now = rows.read(all.ledger().users());
        Ledger next = all.ledger().observed(all.seen(), now, member, clock.millis());
        boolean changed = !next.equals(all.ledger());
        remember(new Remembered(next, now));
        apply(next.changes(now));
        return changed;
    }

    /** Another member tells what it knows. */
    void receive(Ledger other) throws IDMStoreException, IOException {
        look();
        remember(new Remembered(all.ledger().merged(other), all.seen()));
        apply(all.ledger().changes(all.seen()));
    }

    private void apply(List<RowChange> changes) throws IDMStoreException, IOException {
        if (changes.isEmpty()) {
            return;
        }
        // Not what there is now: in the meantime somebody may have changed another row here, which is to be found.
        Map<RowId, Row> seen = new HashMap<>(all.seen());
        for (RowChange change : changes) {
            try {
                rows.apply(change);
            } catch (IDMStoreException e) {
                LOG.error("{} could not be made what it is at {}; it is tried again", change.id(), change.member(), e);
                continue;
            }
            change.row().ifPresentOrElse(row -> seen.put(change.id(), row), () -> seen.remove(change.id()));
            String what = change.row().isPresent() ? "was changed" : "was deleted";
            LOG.info("{} {} {} at {}, and is now here as well", change.id().kind().text(), change.id().id(), what,
                change.member());
            applied.accept(change);
        }
        remember(new Remembered(all.ledger(), seen));
    }

    private void remember(Remembered next) throws IOException {
        if (!next.equals(all)) {
            all = next;
            file.write(all);
        }
    }
}
