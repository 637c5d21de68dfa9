package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes that read out and build events, and the phases in which they do so. */
@ExtendWith(SharedController.class)
class BuildersIT {
    private static Distribution controller;
    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Lab lab, final Distribution shared) {
        controller = shared;
        fabric = lab.converged(lab.generate("builders",
            "--builders --planes 2 --spines 2 --pods 2 --ros 3 --racks 3 --dcms 1"));
    }

    /** All pairs answer, by rules that switches hold as they must; a cut changes the schedule, and removal is clean. */
    @Test
    void buildsInPhasesOnTheFabricAsItIs() {
        fabric.assertAllReachable();
        assertThat(fabric.state().switchNamed("r1-1").get("role").getAsString()).isEqualTo("builder");
        assertThat(fabric.state().reachableRos()).hasSize(6).allSatisfy((dcm, ros) -> assertThat(ros).isEqualTo(6));
        final var verified = fabric.verify();
        assertThat(verified.findings()).isEmpty();
        assertThat(verified.lost()).isEmpty();
        final var whole = valid(schedule());
        assertThat(whole.get("bound").getAsInt()).isEqualTo(5);
        assertThat(whole.get("generation").getAsLong()).isEqualTo(fabric.state().generation());

        final var place = fabric.state().placement().get("h1-1d1");
        fabric.cut("p" + place.plane() + "l1", "to-p" + place.plane() + "s" + place.spine());
        fabric.assertAllReachable();
        final var cut = valid(schedule());
        assertThat(rows(cut)).isNotEqualTo(rows(whole));
        assertThat(cut.get("generation").getAsLong()).isGreaterThan(whole.get("generation").getAsLong());
        fabric.restore("p" + place.plane() + "l1", "to-p" + place.plane() + "s" + place.spine());
        fabric.assertAllReachable();

        fabric.delete();
        fabric.awaitGone();
    }

    private static JsonObject schedule() {
        final var answer = controller.restconf().post("operations/daqfabric-operations:schedule",
            "{\"input\":{\"fabric\":\"" + fabric.name() + "\"}}").orFail();
        return answer.json().getAsJsonObject("daqfabric-operations:output");
    }

    private static SortedMap<String, List<String>> rows(final JsonObject schedule) {
        final var rows = new TreeMap<String, List<String>>();
        schedule.getAsJsonArray("ros").forEach(each -> rows.put(each.getAsJsonObject().get("name").getAsString(),
            List.of(each.getAsJsonObject().get("dcms").getAsString().split(" "))));
        return rows;
    }

    /** Every pair of different nodes once, each node once in a phase, each leaf-spine link once. */
    private static JsonObject valid(final JsonObject schedule) {
        final var rows = rows(schedule);
        final var placement = fabric.state().placement();
        final Set<List<String>> pairs = new HashSet<>();
        for (int phase = 0; phase < schedule.get("phases").getAsInt(); phase++) {
            final Set<String> used = new HashSet<>();
            for (var ros : rows.keySet()) {
                final var dcm = rows.get(ros).get(phase);
                if (!dcm.equals("-")) {
                    assertThat(pairs.add(List.of(ros, dcm))).as(ros + " " + dcm).isTrue();
                    assertThat(used.add(dcm)).as(dcm + " in phase " + phase).isTrue();
                    final var path = fabric.trace(ros, dcm);
                    assertThat(path.get(path.size() - 1)).isEqualTo(dcm.replace('h', 'r').replaceAll("d1$", ""));
                    if (path.size() == 5) {
                        assertThat(used.add(path.get(1) + path.get(2))).as(phase + ": " + path).isTrue();
                        assertThat(used.add(path.get(2) + path.get(3))).as(phase + ": " + path).isTrue();
                    }
                }
            }
        }
        assertThat(pairs).hasSize(30).hasSize(schedule.get("transfers").getAsInt());
        assertThat(placement).hasSize(6);
        assertThat(schedule.get("phases").getAsInt()).isGreaterThanOrEqualTo(schedule.get("bound").getAsInt());
        return schedule;
    }
}
