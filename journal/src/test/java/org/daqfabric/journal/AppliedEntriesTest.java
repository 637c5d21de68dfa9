package org.daqfabric.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opendaylight.controller.cluster.raft.RaftActor;
import org.opendaylight.controller.cluster.raft.RecoveredShard;

/** With a shard of the OpenDaylight that the distribution has, killed after it answered and before it noted so. */
class AppliedEntriesTest {
    /** The shard and all of its library. */
    private static final Predicate<String> IS_LIBRARY = name -> name.startsWith(RaftActor.class.getPackageName() + '.');

    @TempDir
    private Path state;

    @BeforeEach
    void kill() throws IOException {
        RecoveredShard.write(state, 1, "noted", "answered", "last");
    }

    /** What it leaves here the next leader does not apply; {@link AppliedEntries} says why. */
    @Test
    void opendaylightsOwnLeavesWhatWasAnswered() throws Exception {
        assertEquals(List.of("noted"), start(original(), true));
    }

    @Test
    void correctedAppliesAllThatIsThere() throws Exception {
        assertEquals(List.of("noted", "answered", "last"), start(corrected(), true));
        assertEquals(List.of("noted", "answered", "last"), start(corrected(), true), "once more");
    }

    /** What others have not got yet may have to go. */
    @Test
    void oneOfThreeWaitsForItsLeader() throws Exception {
        assertEquals(List.of("noted"), start(corrected(), false));
    }

    @Test
    void anEmptyJournalIsStarted(@TempDir Path empty) throws Exception {
        state = empty;
        assertEquals(List.of(), start(corrected(), true));
        assertEquals(List.of(), start(corrected(), true), "once more");
    }

    @Test
    void whatIsUnknownIsLeftAlone() throws IOException {
        assertEquals(Optional.empty(), AppliedEntries.of(corrected()));
        assertEquals(Optional.empty(), AppliedEntries.of(ExchangedClass.original(RaftActor.class.getName())));
    }

    @SuppressWarnings("unchecked") // it is what start returns
    private List<String> start(byte[] recovery, boolean alone) throws Exception {
        var start = new ExchangedClass(AppliedEntries.CLASS, recovery, IS_LIBRARY)
            .loadClass(RecoveredShard.class.getName())
            .getMethod("start", Path.class, boolean.class);
        return (List<String>) start.invoke(null, state, alone);
    }

    private static byte[] corrected() throws IOException {
        return AppliedEntries.of(original()).orElseThrow();
    }

    private static byte[] original() throws IOException {
        return ExchangedClass.original(AppliedEntries.CLASS);
    }
}
