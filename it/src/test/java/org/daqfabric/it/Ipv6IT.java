package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** ROS and DCMs with IPv6 addresses, and other hosts with IPv4 addresses beside them, on Open vSwitch. */
@ExtendWith(SharedController.class)
class Ipv6IT {
    private static final String PREFIX = ".*ipv6_dst=[0-9a-f:]+/[0-9]+ .*";

    /**
     * Every pair is connected and events arrive, also after a link between a leaf and a spine and one of a ROS fail,
     * and by rules for prefixes; switches hold what they must. Control passes daqrings by, and hosts with IPv4
     * addresses behind the same switches are connected, too.
     */
    @Test
    void everyPairIsConnected(final Lab lab) {
        final var file = lab.generate("six", "--planes 2 --spines 2 --pods 2 --ros 2 --racks 1 --dcms 4 --ipv6");
        file.pod(1).add("host", JsonParser.parseString("""
            [{"name": "supervisor", "address": "10.9.1.1", "switch": "r1-1"},
             {"name": "run-control", "address": "fd00::a:9:1:1", "switch": "r1-2"}]"""));
        file.pod(2).add("host", JsonParser.parseString("""
            [{"name": "storage", "address": "10.9.2.1", "switch": "h2-1"}]"""));
        file.fabric().add("flow", JsonParser.parseString("""
            [{"name": "four", "from": "supervisor", "to": "storage", "kind": "control", "rate": "0.1"},
             {"name": "six", "from": "run-control", "to": "all-dcms", "kind": "control", "rate": "0.1"}]"""));
        final var fabric = lab.fabric(file).upWithRings().put(file).awaitPhase("converged");
        assertConnected(fabric);
        // a daqring and the rules by which packets enter and leave it
        final var dcm = file.hosts().get("h2-1d1").address();
        assertThat(fabric.contents("p1l2").rules().keySet()).anyMatch(rule -> rule.contains("ipv6_dst=" + dcm + " "))
            .anyMatch(rule -> rule.contains("ipv6_src=fd00::a:9:1:1,ipv6_dst=" + dcm + " "));
        assertThat(fabric.vsctl("p1l2", "list-ports", "br-daq")).contains("ring-" + dcm + "-br-daq");
        assertEventsArrive(fabric);

        final var path = fabric.trace("r1-1", "h2-1d1");
        assertThat(path).hasSize(5);
        cutUnderTraffic(fabric, path.get(1), "to-" + path.get(2));
        assertThat(fabric.trace("r1-1", "h2-1d1")).hasSize(5).doesNotContain(path.get(2));
        assertEventsArrive(fabric);
        fabric.restore(path.get(1), "to-" + path.get(2));
        cutUnderTraffic(fabric, "r1-1", "to-" + path.get(1));
        assertThat(fabric.trace("r1-1", "h2-1d1")).hasSize(5).doesNotContain(path.get(1));
        fabric.restore("r1-1", "to-" + path.get(1));

        assertThat(fabric.contents("r1-1").rules().keySet()).noneMatch(rule -> rule.matches(PREFIX));
        final var compressed = file.copy();
        final var policy = new JsonObject();
        policy.addProperty("rules", "compressed");
        compressed.fabric().add("policy", policy);
        final var generation = fabric.state().generation();
        fabric.put(compressed).awaitState("rules for prefixes", state -> state.phase().equals("converged")
            && state.generation() > generation);
        assertThat(fabric.contents("r1-1").rules().keySet()).anyMatch(rule -> rule.matches(PREFIX));
        assertConnected(fabric);
    }

    /**
     * DCMs behind ports of their own are connected as well, and control reaches them: with what hosts have by
     * themselves, and with the profile that the controller prints, whose routes packets take then. Events arrive with
     * it.
     */
    @Test
    void dcmsBehindPortsTakeTheirProfile(final Lab lab, final Distribution controller) {
        final var file = lab.generate("sixport",
            "--planes 2 --spines 1 --pods 2 --ros 1 --racks 1 --dcms 2 --dcm-ports --ipv6");
        file.pod(1).add("host", JsonParser.parseString("""
            [{"name": "supervisor", "address": "10.9.1.1", "switch": "r1-1"},
             {"name": "run-control", "address": "fd00::a:9:1:1", "switch": "r1-1"}]"""));
        file.pod(2).add("host", JsonParser.parseString("""
            [{"name": "storage", "address": "10.9.2.1", "switch": "r2-1"}]"""));
        file.fabric().add("flow", JsonParser.parseString("""
            [{"name": "four", "from": "supervisor", "to": "storage", "kind": "control", "rate": "0.1"},
             {"name": "six", "from": "run-control", "to": "all-dcms", "kind": "control", "rate": "0.1"}]"""));
        final var fabric = lab.fabric(file).upWithRings().put(file).awaitPhase("converged");
        assertConnected(fabric);
        Lab.daqlab("profile", fabric.name(), "--restconf",
            "http://127.0.0.1:" + controller.port("restconf") + "/rests");
        for (var host : file.hosts().values()) {
            final var peer = file.hosts().get(host.name().startsWith("r") ? "h2-1d2" : "r1-1").address();
            assertRoute(fabric, host.name(), "-6", host.address(), peer);
        }
        // on the node of a ROS with an IPv6 address
        assertRoute(fabric, "r1-1", "-4", "10.9.1.1", "10.9.2.1");
        assertConnected(fabric);
        assertEventsArrive(fabric);
    }

    /** There is a route to a peer besides the default route, which hosts of the lab have by themselves. */
    private static void assertRoute(final LabFabric fabric, final String host, final String kind, final String address,
            final String peer) {
        assertThat(fabric.daqlab("exec", host, "--", "ip", kind, "route", "show", "match", peer).lines())
            .as(host + " to " + peer).anyMatch(route -> !route.startsWith("default")
                && route.contains(" src " + address + " ") && route.contains(" rto_min "));
    }

    /** Nothing is lost from when the fabric has converged again. */
    private static void cutUnderTraffic(final LabFabric fabric, final String switchName, final String port) {
        try (var ping = fabric.ping(20)) {
            fabric.cut(switchName, port);
            final var repaired = Instant.now();
            assertConnected(fabric);
            ping.assertLostNothingSince(repaired);
        }
    }

    /** Over TCP, which needs no neighbours either, and by daqrings that drop nothing. */
    private static void assertEventsArrive(final LabFabric fabric) {
        final var report = Lab.daqlab("events", fabric.name(), "--duration", "3", "--json").output();
        final var total = JsonParser.parseString(report).getAsJsonObject().getAsJsonObject("total");
        assertThat(total.get("events").getAsInt()).as(total.toString()).isPositive();
        assertThat(total.get("ring-drops").getAsInt()).as(total.toString()).isZero();
    }

    /** The lab gives hosts their addresses a moment after the bridge is there. */
    private static void assertConnected(final LabFabric fabric) {
        await("answers").atMost(LabFabric.TIMEOUT).untilAsserted(fabric::assertAllReachable);
        Lab.daqlab("ping", fabric.name(), "--control");
        final var found = fabric.verify();
        assertThat(found.findings()).isEmpty();
        assertThat(found.lost()).isEmpty();
    }
}
