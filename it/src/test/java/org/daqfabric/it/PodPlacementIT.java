package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import org.daqfabric.it.FabricState.Place;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A fabric placed by pod: three DCMs in a rack use both planes of each evenly, and what fails is repaired. */
@ExtendWith(SharedController.class)
class PodPlacementIT {
    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Lab lab) {
        final var file = lab.generate("by-pod", "--planes 2 --spines 2 --pods 4 --ros 1 --racks 1 --dcms 3");
        policy(file, "pod");
        fabric = lab.converged(file);
    }

    private static void policy(final FabricFile file, final String granularity) {
        final var policy = file.fabric().getAsJsonObject("policy");
        if (!policy.has("placement")) {
            policy.add("placement", new JsonObject());
        }
        policy.getAsJsonObject("placement").addProperty("granularity", granularity);
    }

    /** By DCM, two of three DCMs of a rack would share an uplink: 60 of 80 Gbps. */
    @Test
    void splitsDcms() {
        fabric.assertAllReachable();
        assertThat(fabric.state().nominalBandwidth()).isEqualTo(80);
        assertThat(fabric.state().bandwidth()).isEqualTo(80);
        assertThat(fabric.state().fromPods()).isNotEmpty();
        assertThat(fabric.verify().findings()).isEmpty();
    }

    /** Packets take the way of the pod that they come from. */
    @Test
    void packetsTakeTheWayOfTheirPod() {
        final var state = fabric.state();
        state.placement().forEach((dcm, place) -> {
            for (int pod = 1; pod <= 4; pod++) {
                final var path = fabric.trace("r" + pod + "-1", dcm);
                final var way = state.fromPods().getOrDefault(dcm, new TreeMap<>()).getOrDefault(pod, place);
                assertThat(path.get(1)).as("%s from pod %d", dcm, pod).startsWith("p" + way.plane() + "l");
                if (!dcm.startsWith("h" + pod + "-")) {
                    assertThat(path.get(2)).as("%s from pod %d", dcm, pod)
                        .isEqualTo("p" + way.plane() + "s" + way.spine());
                }
            }
        });
    }

    /** A cut link between leaf and spine moves only what passed it. */
    @Test
    void cutOfALeafSpineLinkIsRepaired() {
        final var before = ways(fabric.state());
        final var cut = fabric.cut("p1l1", "to-p1s1");
        fabric.assertAllReachable();
        ways(cut).forEach((flow, way) -> {
            final var passed = before.get(flow).equals(new Place(1, 1))
                && (flow.startsWith("1 ") || flow.contains(" h1-")) && !flow.startsWith("1 h1-");
            assertThat(way.equals(before.get(flow))).as(flow).isEqualTo(!passed);
        });
        assertThat(fabric.verify().findings()).isEmpty();
        fabric.restore("p1l1", "to-p1s1");
        fabric.assertAllReachable();
    }

    /** Changing the granularity and back under traffic loses no packet. */
    @Test
    void granularityChangesUnderTraffic() {
        try (var ping = fabric.ping(10)) {
            for (var granularity : new String[] {"dcm", "pod"}) {
                final var generation = fabric.state().generation();
                policy(fabric.file(), granularity);
                fabric.put(fabric.file()).awaitState(granularity, state -> state.phase().equals("converged")
                    && state.generation() > generation);
                assertThat(fabric.state().fromPods().isEmpty()).isEqualTo(granularity.equals("dcm"));
            }
            ping.assertLostNothing(name -> true);
        }
        fabric.assertAllReachable();
        assertThat(fabric.verify().findings()).isEmpty();
    }

    /** By "pod dcm", the plane and spine of packets from the pod to the DCM; within a pod those of the DCM. */
    private static Map<String, Place> ways(final FabricState state) {
        final var ways = new TreeMap<String, Place>();
        state.placement().forEach((dcm, place) -> {
            for (int pod = 1; pod <= 4; pod++) {
                ways.put(pod + " " + dcm, dcm.startsWith("h" + pod + "-") ? new Place(0, 0)
                    : state.fromPods().getOrDefault(dcm, new TreeMap<>()).getOrDefault(pod, place));
            }
        });
        return ways;
    }
}
