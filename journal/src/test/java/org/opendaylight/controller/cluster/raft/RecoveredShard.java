package org.opendaylight.controller.cluster.raft;

import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.opendaylight.controller.cluster.raft.persisted.Snapshot;
import org.opendaylight.controller.cluster.raft.spi.DefaultLogEntry;
import org.opendaylight.controller.cluster.raft.spi.EntryJournalV1;
import org.opendaylight.controller.cluster.raft.spi.StateCommand;
import org.opendaylight.controller.cluster.raft.spi.StateSnapshot;
import org.opendaylight.raft.spi.CompressionType;
import org.opendaylight.raft.spi.RestrictedObjectStreams;
import org.opendaylight.yangtools.concepts.Identifier;

/**
 * A member's shard of OpenDaylight that keeps texts and is started again after a kill. It reads its journal as a shard
 * does, but unmapped, which works on every Java, and does not go on from there. It is here since all of that is
 * OpenDaylight's own.
 */
public final class RecoveredShard extends RaftActor implements RaftActorRecoveryCohort,
        RaftActorSnapshotCohort<Snapshot.State> {
    private static final String NAME = "member-1-shard";
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final ConcurrentLinkedQueue<String> applied = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<List<String>> recovered;
    private final Path folder;

    private RecoveredShard(Path state, boolean alone, CompletableFuture<List<String>> recovered) {
        super(state, NAME, alone ? Map.of() : Map.of("member-2-shard", "", "member-3-shard", ""),
            Optional.of(new DefaultConfigParamsImpl()), (short) 0,
            RestrictedObjectStreams.ofClassLoaders(RecoveredShard.class));
        folder = state.resolve(NAME);
        this.recovered = recovered;
    }

    /** Leaves what a member leaves that was killed after it had written texts and noted that some were applied. */
    public static void write(Path state, int noted, String... texts) throws IOException {
        try (EntryJournalV1 journal = journal(Files.createDirectories(state.resolve(NAME)))) {
            for (int i = 0; i < texts.length; i++) {
                journal.appendEntry(new DefaultLogEntry(i, 1, new StoredText(texts[i])));
            }
            journal.setApplyTo(noted);
        }
    }

    private static EntryJournalV1 journal(Path folder) throws IOException {
        return new EntryJournalV1(NAME, folder, CompressionType.NONE, false);
    }

    /** The texts that a member has when it has read its journal, alone or as one of three. */
    public static List<String> start(Path state, boolean alone) throws Exception {
        var config = ConfigFactory.parseMap(Map.of(
            "pekko.persistence.journal.plugin", "pekko.persistence.journal.inmem",
            "pekko.persistence.snapshot-store.plugin", "pekko.persistence.snapshot-store.local",
            "pekko.persistence.snapshot-store.local.dir", state.resolve("snapshots").toString()))
            .withFallback(ConfigFactory.load(RecoveredShard.class.getClassLoader()));
        var system = ActorSystem.create("recovered", config, RecoveredShard.class.getClassLoader());
        try {
            var recovered = new CompletableFuture<List<String>>();
            system.actorOf(Props.create(RaftActor.class, () -> new RecoveredShard(state, alone, recovered)));
            return recovered.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        } finally {
            system.terminate();
            system.getWhenTerminated().toCompletableFuture().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Override
    public void preStart() {
        try (EntryJournalV1 journal = journal(Files.createDirectories(folder))) {
            new JournalRecovery<>(this, this, this, new DefaultConfigParamsImpl(), journal)
                .recoverJournal(new RecoveryResult(new RecoveryLog(NAME), false));
            recovered.complete(List.copyOf(applied));
        } catch (IOException e) {
            recovered.completeExceptionally(e);
        }
    }

    @Override
    public void postStop() {
        // it was not started
    }

    @Override
    protected void applyCommand(Identifier identifier, StateCommand command) {
        applied.add(command.toString());
    }

    @Override
    public void appendRecoveredCommand(StateCommand command) {
        applied.add(command.toString());
    }

    @Override
    protected void onRecoveryComplete() {
        throw new UnsupportedOperationException("it does not go on");
    }

    @Override
    protected void onStateChanged() {
        throw new UnsupportedOperationException("it does not go on");
    }

    @Override
    public void startLogRecoveryBatch(int maxBatchSize) {
        // each is applied at once
    }

    @Override
    public void applyCurrentLogRecoveryBatch() {
        // each is applied at once
    }

    @Override
    protected RaftActorRecoveryCohort getRaftActorRecoveryCohort() {
        return this;
    }

    @Override
    protected RaftActorSnapshotCohort<?> getRaftActorSnapshotCohort() {
        return this;
    }

    @Override
    protected Snapshot getRestoreFromSnapshot() {
        return null;
    }

    @Override
    protected ActorRef roleChangeNotifier() {
        return null;
    }

    @Override
    public void applyRecoveredSnapshot(StateSnapshot snapshot) {
        throw new UnsupportedOperationException("there is none");
    }

    @Override
    public Snapshot.State takeSnapshot() {
        throw new UnsupportedOperationException("none is taken");
    }

    @Override
    public void applySnapshot(Snapshot.State snapshot) {
        throw new UnsupportedOperationException("there is none");
    }

    @Override
    public StateSnapshot.Support<Snapshot.State> support() {
        throw new UnsupportedOperationException("there is none");
    }
}
