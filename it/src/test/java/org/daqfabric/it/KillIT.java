package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What has been answered survives {@code kill -9}, and what has not is there wholly or not at all. All kinds of
 * requests are made at the same time, each one as soon as the one before it is answered, until the controller is killed
 * in the moment in which one of them is answered: of each kind another round.
 */
@ExtendWith(SharedController.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillIT {
    private static final int KILLS = Integer.getInteger("kill.count", 3);
    /** How many of its requests each kind has had answered before a kill. */
    private static final int ANSWERS = 2;
    private static final Duration LONGEST = Duration.ofMinutes(2);
    /** How long what is refused for the moment is asked for again. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Distribution controller;
    private LabFabric fabric;
    private FabricFile history;
    private FabricFile drained;
    private AnsweredChange.Roles roles;
    private AnsweredChange.Large large;
    private List<AnsweredChange> changes;

    @BeforeAll
    void bringUp(final Lab lab, final Distribution shared, final Restconf restconf) {
        controller = shared;
        final var absent = "--planes 1 --spines 4 --pods 1 --ros 1 --racks 1 --dcms 1";
        history = lab.generate("kill-written", absent);
        drained = lab.generate("kill-drained", absent);
        fabric = lab.converged(lab.generate("kill-runs", "--planes 1 --spines 2 --pods 1 --ros 1 --racks 1 --dcms 1"));
        roles = new AnsweredChange.Roles(restconf);
        large = new AnsweredChange.Large(restconf);
        final var drains = new AnsweredChange.Drains(restconf, drained);
        final var resource = "fabric/" + drained.name() + "/switch/p1l1";
        AlarmWatch.awaitIn(restconf, "switch-away", resource, false);
        changes = List.of(new AnsweredChange.Runs(restconf, fabric.name()), roles,
            new AnsweredChange.Alarms(restconf, "switch-away", resource),
            new AnsweredChange.Configuration(restconf, history), drains, large);
    }

    /** The nodes of two fabrics were never there: nothing waits for them to remove their bridges. */
    @AfterAll
    void remove() {
        roles.remove();
        large.remove();
        for (var file : List.of(history, drained)) {
            controller.restconf().delete("data/daqfabric:fabrics/fabric=" + file.name()).orFail();
            final var nodes = FabricFile.entries(file.fabric(), "switch").stream()
                .map(each -> each.get("system-id").toString()).collect(Collectors.joining(","));
            await("removals of " + file.name()).atMost(PATIENCE).until(() -> controller.restconf().post(
                "operations/daqfabric-operations:forget-removals", "{\"input\":{\"node\":[" + nodes + "]}}").status()
                    == 200);
        }
    }

    /** Makes requests of one kind until the controller is killed. */
    private void work(final AnsweredChange change, final AtomicBoolean killed, final Runnable told) {
        while (!killed.get()) {
            change.asked = change.answered + 1;
            try {
                // a fabric that is being changed, or a collision of writes, is refused for the moment
                await(change.getClass().getSimpleName()).atMost(PATIENCE).pollDelay(Duration.ZERO)
                    .pollInterval(Polls.GROWING).until(() -> change.make(change.asked), answer ->
                        answer.status() != 409).orFail();
            } catch (UncheckedIOException e) {
                if (!killed.get()) {
                    throw e;
                }
                return;
            }
            change.answered = change.asked;
            told.run();
        }
    }

    /** Killed in the moment in which a change of some kind is answered, of runs first. */
    @Test
    void whatIsAnsweredSurvives() throws Exception {
        assertSurvives(KILLS);
    }

    @Test
    @Tag("long") // kills it for each kind, and each time takes a start of the controller
    void whatIsAnsweredOfEachKindSurvives() throws Exception {
        assertSurvives(changes.size());
    }

    private void assertSurvives(final int kills) throws Exception {
        for (int round = 0; round < kills; round++) {
            killAsSoonAsAnswered(changes.get(round % changes.size()));
            controller.start();
            for (var change : changes) {
                assertSurvived(round, change);
            }
            assertHistoryFollows();
            fabric.awaitPhase("converged");
        }
        fabric.assertAllReachable();
    }

    private void killAsSoonAsAnswered(final AnsweredChange last) throws Exception {
        final var killed = new AtomicBoolean();
        final var before = changes.stream().map(each -> each.answered).toList();
        final var works = new ArrayList<CompletableFuture<Void>>();
        try (var threads = Executors.newFixedThreadPool(changes.size())) {
            for (var change : changes) {
                works.add(CompletableFuture.runAsync(() -> work(change, killed, () -> {
                    if (change == last && areAnswered(before) && killed.compareAndSet(false, true)) {
                        controller.kill();
                    }
                }), threads));
            }
            CompletableFuture.allOf(works.toArray(CompletableFuture[]::new)).orTimeout(LONGEST.toSeconds(),
                TimeUnit.SECONDS).whenComplete((done, failure) -> killed.set(true)).get();
        }
    }

    private boolean areAnswered(final List<Integer> before) {
        for (int index = 0; index < changes.size(); index++) {
            if (changes.get(index).answered < before.get(index) + ANSWERS) {
                return false;
            }
        }
        return true;
    }

    /** It is as the last answered request has made it, or as the one has that was under way. */
    private static void assertSurvived(final int round, final AnsweredChange change) {
        // not all is read when RESTCONF answers
        await(change.getClass().getSimpleName()).atMost(Duration.ofSeconds(60)).pollDelay(Duration.ZERO)
            .pollInterval(Polls.GROWING).ignoreExceptions().untilAsserted(() -> assertThat(
                change.isDone(change.answered) || change.isDone(change.asked)).as(() ->
                    "kill %d: of %s %d were answered, %d asked for: %s".formatted(round + 1,
                        change.getClass().getSimpleName(), change.answered, change.asked, change.known())).isTrue());
        if (change.isDone(change.asked)) {
            change.answered = change.asked;
        }
    }

    /** Every configuration there is becomes a version. */
    private void assertHistoryFollows() {
        final var rpc = "operations/daqfabric-operations:";
        final var input = "{\"input\":{\"fabric\":\"" + history.name() + "\"";
        await("history").atMost(Duration.ofSeconds(60)).pollDelay(Duration.ZERO).pollInterval(Polls.GROWING)
            .untilAsserted(() -> {
                final var newest = controller.restconf().post(rpc + "list-versions", input + "}}").orFail().json()
                    .getAsJsonObject("daqfabric-operations:output").getAsJsonArray("version").get(0).getAsJsonObject();
                assertThat(controller.restconf().post(rpc + "compare-versions", input + ",\"from\":"
                    + newest.get("version").getAsInt() + "}}").orFail().body()).doesNotContain("\"difference\"");
            });
    }
}
