package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.run.Answer;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.RunLosses;
import org.daqfabric.api.run.RunRecord;
import org.daqfabric.api.run.RunState;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.PortId;
import org.junit.jupiter.api.Test;

/** A restarted controller reads every partition exactly as it was stored. */
class DatastoreRunStoreTest {
    private static final Instant NOW = Instant.parse("2026-11-21T03:00:00.123456Z");

    private final InMemoryBroker broker = new InMemoryBroker();
    private final DatastoreRunStore store = new DatastoreRunStore(broker.broker());

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private List<Partition> read() throws Exception {
        return get(new DatastoreRunStore(broker.broker()).load());
    }

    private static Partition prepared(String name) {
        Selection chosen = new Selection(new TreeSet<>(List.of("r1", "r2")), new TreeSet<>(List.of("d1")));
        return Partition.idle(name, NOW).prepared("f", "physics", chosen, 12.5,
            new Operation("p1", "prepare", Operation.Status.RUNNING, 40, "not confirmed: leaf-1-1"), NOW);
    }

    @Test
    void nothingIsStoredAtFirst() throws Exception {
        assertThat(read()).isEmpty();
    }

    @Test
    void readsEveryStateAsItWasSaved() throws Exception {
        Partition prepared = prepared("det");
        RunRecord begun = RunRecord.begin(4294967295L, NOW, new Condition(99.5, 100, List.of()));
        Partition running = prepared.armed(true, NOW).started(begun, NOW.plusSeconds(3));
        Partition stopped = running.with(begun.repaired(7).lost(new RunLosses(
            new TreeMap<>(Map.of(new PortId("p1l1", "to-p1s1"), 3L)), 5))).stopped(NOW.plusSeconds(9));
        Partition failed = prepared.failed("it did not work", NOW);
        for (Partition partition : List.of(Partition.idle("det", NOW), prepared, prepared.armed(false, NOW), running,
                stopped, stopped.released(NOW), failed)) {
            get(store.save(partition));
            assertThat(read()).containsExactly(partition);
        }
    }

    @Test
    void remembersAnswersInTheirOrder() throws Exception {
        RunRecord run = RunRecord.begin(1, NOW, new Condition(1, 1, List.of())).end(NOW, false);
        Partition partition = prepared("det")
            .with(new Answer("z", "det", "Arm[z]", Optional.of(new Answer.Refusal(Answer.Refusal.Kind.MISSING,
                List.of(new Answer.Reason(Optional.empty(), "one: two"), new Answer.Reason(Optional.of("dcm"), "three"),
                    new Answer.Reason(Optional.of(""), "four")))), RunState.PREPARED, false, Optional.empty()))
            .with(new Answer("a", "det", "Stop[a]", Optional.empty(), RunState.READY, true, Optional.of(run)));
        get(store.save(partition));
        assertThat(read()).containsExactly(partition);
    }

    @Test
    void forgetsWhatIsDeleted() throws Exception {
        get(store.save(prepared("one")));
        get(store.save(prepared("two")));
        get(store.delete("one"));
        assertThat(read()).extracting(Partition::name).containsExactly("two");
    }
}
