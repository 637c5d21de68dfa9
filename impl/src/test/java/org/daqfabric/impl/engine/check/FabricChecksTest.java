package org.daqfabric.impl.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.daqfabric.impl.engine.check.Draft.dcm;
import static org.daqfabric.impl.engine.check.Draft.node;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.DpdkSettings;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FabricChecksTest {
    /** A contradiction is reported once, at the node that causes it, with the names involved and a way out. */
    @ParameterizedTest(name = "{0}")
    @MethodSource
    void refusesContradictions(String what, Consumer<Draft> spoil, String path, List<String> words) {
        assertRefused(spoil, path, words);
    }

    /** That a fabric has one problem once it is spoilt. */
    static void assertRefused(Consumer<Draft> spoil, String path, List<String> words) {
        Draft draft = Draft.small("x");
        spoil.accept(draft);

        List<Problem> problems = FabricChecks.check(draft.build());

        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(steps(problem.location())).isEqualTo("/fabric[name='x']" + path);
            assertThat(problem.message()).contains(words);
        });
    }

    static Stream<Arguments> refusesContradictions() {
        return Stream.of(
            wrong("a plane without spines", draft -> {
                draft.spines.put(2, List.of());
                draft.unlink("s-2-1").unlink("s-2-2");
            }, "/plane[id='2']", "plane 2 has no spine"),
            wrong("a leaf missing", draft -> {
                draft.leaves.get(1).removeIf(leaf -> leaf.pod() == 2);
                draft.unlink("l-1-2");
            }, "/plane[id='1']", "plane 1 has no leaf for pod 2"),
            wrong("a leaf of an unknown pod", draft -> draft.leaf(1, 9, "l-1-9"),
                "/plane[id='1']/leaf[pod='9']/pod", "unknown pod 9"),
            wrong("an unknown spine switch", draft -> {
                draft.switches.removeIf(sw -> sw.name().equals("s-1-1"));
                draft.unlink("s-1-1");
            }, "/plane[id='1']/spine[id='1']/switch", "spine 1 of plane 1", "unknown switch 's-1-1'"),
            wrong("an unknown rack switch", draft -> draft.rack(1, "r", "nowhere"),
                "/pod[id='1']/hlt-rack[name='r']/switch", "HLT rack 'r' of pod 1", "unknown switch 'nowhere'"),
            wrong("a switch with two roles", draft -> draft.spine(1, 3, "s-2-1"),
                "/plane[id='2']/spine[id='1']/switch",
                "switch 's-2-1' is spine 3 of plane 1 and also spine 1 of plane 2"),
            wrong("a switch that is spine and edge", draft -> draft.spine(1, 3, "ros-1"),
                "/pod[id='1']/ros[name='ros-1']/switch", "spine 3 of plane 1 and also ROS 'ros-1'"),
            wrong("a node that is both, of two pods", draft -> draft.rack(2, "r", "ros-1"),
                "/pod[id='2']/hlt-rack[name='r']/switch",
                "switch 'ros-1' is ROS 'ros-1' of pod 1 and also HLT rack 'r' of pod 2", "in one pod"),
            wrong("a node of two ROS", draft -> draft.ros(1, new Ros("again", Address.parse("10.0.9.1"), "ros-1", 1)),
                "/pod[id='1']/ros[name='ros-1']/switch", "ROS 'again' of pod 1 and also ROS 'ros-1'",
                "unless it is that of one ROS and one HLT rack"),
            wrong("a ROS without uplink", draft -> draft.unlink("ros-1"),
                "/pod[id='1']/ros[name='ros-1']", "ROS 'ros-1' of pod 1 has no uplink", "'l-1-1', 'l-2-1'"),
            wrong("a rack without uplink", draft -> draft.unlink("rack-2"),
                "/pod[id='2']/hlt-rack[name='rack-2']", "HLT rack 'rack-2' of pod 2 has no uplink"),
            wrong("a port used by two links", draft -> draft.link("l-1-1", "again", "s-1-1", "l-1-2"),
                "/link[switch='l-1-2'][port='s-1-1']/peer-port", "port s-1-1:l-1-2 is used by"),
            wrong("an unknown switch at a link's end", draft -> draft.link("nowhere", "p", "l-1-1", "p"),
                "/link[switch='nowhere'][port='p']/switch", "unknown switch 'nowhere'"),
            wrong("an unknown switch at a link's other end", draft -> draft.link("l-1-1", "p", "nowhere", "p"),
                "/link[switch='l-1-1'][port='p']/peer-switch", "unknown switch 'nowhere'"),
            wrong("a link to itself", draft -> draft.link("l-1-1", "p", "l-1-1", "q"),
                "/link[switch='l-1-1'][port='p']", "back to itself"),
            wrong("a link declared from both ends", draft -> draft.link("s-1-1", "l-1-1"),
                "/link[switch='s-1-1'][port='l-1-1']", "declared from both ends", "remove one"),
            wrong("a link between two spines", draft -> draft.link("s-1-1", "s-1-2"),
                "/link[switch='s-1-1'][port='s-1-2']", "spine 1 of plane 1 and spine 2 of plane 1",
                "spines are not linked"),
            wrong("a link between two leaves", draft -> draft.link("l-1-1", "l-1-2"),
                "/link[switch='l-1-1'][port='l-1-2']", "leaves are not linked"),
            wrong("a link between leaves of two planes", draft -> draft.link("l-1-1", "l-2-1"),
                "/link[switch='l-1-1'][port='l-2-1']", "leaves are not linked"),
            wrong("a link from a leaf to a spine of another plane", draft -> draft.link("l-1-1", "s-2-1"),
                "/link[switch='l-1-1'][port='s-2-1']", "planes are independent", "a spine of plane 1"),
            wrong("a link from an edge switch to a spine", draft -> draft.link("s-1-1", "ros-1"),
                "/link[switch='s-1-1'][port='ros-1']", "an edge switch is not linked to a spine"),
            wrong("a link from an edge switch to a leaf of another pod", draft -> draft.link("rack-1", "l-1-2"),
                "/link[switch='rack-1'][port='l-1-2']", "its own pod", "'l-1-1', 'l-2-1'"),
            wrong("a link between edge switches", draft -> draft.link("rack-1", "ros-1"),
                "/link[switch='rack-1'][port='ros-1']", "edge switches are not linked"),
            wrong("a link to a switch without a role", draft -> draft.switches("spare").link("spare", "l-1-1"),
                "/link[switch='spare'][port='l-1-1']", "switch 'spare', which has no role"),
            wrong("a link at the port LOCAL", draft -> draft.link("rack-1", Dcm.LOCAL, "l-1-1", "p"),
                "/link[switch='rack-1'][port='LOCAL']/port", "LOCAL"),
            wrong("a link at the bridge's own port", draft -> draft.link("rack-1", "p", "l-1-1", "br-daq"),
                "/link[switch='rack-1'][port='p']/peer-port", "l-1-1:br-daq, which is the bridge itself"),
            wrong("an address of two DCMs", draft -> draft.rack(1, "r", "r", dcm("d", "10.1.2.2"))
                .switches("r").link("r", "l-1-1"),
                "/pod[id='2']/hlt-rack[name='rack-2']/dcm[name='dcm-2-2']/address", "10.1.2.2", "'d'", "'dcm-2-2'"),
            wrong("an address of a DCM and a ROS", draft -> draft.rack(1, "r", "r", dcm("d", "10.0.1.1"))
                .switches("r").link("r", "l-1-1"),
                "/pod[id='1']/hlt-rack[name='r']/dcm[name='d']/address", "ROS 'ros-1'", "DCM 'd'"),
            address("0.0.0.0"), address("0.1.2.3"), address("127.0.0.1"), address("224.0.0.1"),
            address("240.0.0.1"), address("255.255.255.255"),
            wrong("a DCM name in two racks", draft -> draft.rack(1, "r", "r", dcm("dcm-2-1", "10.9.9.9"))
                .switches("r").link("r", "l-1-1"),
                "/pod[id='2']/hlt-rack[name='rack-2']/dcm[name='dcm-2-1']/name", "'r'", "'rack-2'"),
            wrong("a ROS name in two pods", draft -> draft.ros(1, new Ros("ros-2", Address.parse("10.9.9.9"), "r", 1))
                .switches("r").link("r", "l-1-1"),
                "/pod[id='2']/ros[name='ros-2']/name", "pod 1 and again in pod 2"),
            dcms("a DCM behind a port without mac", "/dcm[name='a']", "has no mac",
                dcm("a", "10.9.9.1", "p", null)),
            dcms("a mac behind two ports", "/dcm[name='b']/mac", "02:00:00:00:00:01",
                dcm("a", "10.9.9.1", "p", "02:00:00:00:00:01"), dcm("b", "10.9.9.2", "q", "02:00:00:00:00:01")),
            dcms("two hosts behind one port", "/dcm[name='b']/port", "different mac",
                dcm("a", "10.9.9.1", "p", "02:00:00:00:00:01"), dcm("b", "10.9.9.2", "p", "02:00:00:00:00:02")),
            dcms("a DCM behind a port with a link", "/dcm[name='a']/port", "a port with a link leads to no host",
                dcm("a", "10.9.9.1", "l-1-1", "02:00:00:00:00:01")),
            dcms("a DCM behind the bridge's own port", "/dcm[name='a']/port", "which is the bridge itself",
                dcm("a", "10.9.9.1", "br-daq", "02:00:00:00:00:01")),
            dcms("a multicast mac", "/dcm[name='a']/mac", "no host's own",
                dcm("a", "10.9.9.1", "p", "03:00:00:00:00:01")),
            dcms("a weight of 0", "/dcm[name='a']/weight", "the weight of DCM 'a' is 0.0", weight(0)),
            dcms("a negative weight", "/dcm[name='a']/weight", "above 0", weight(-1)),
            dcms("a weight that is no number", "/dcm[name='a']/weight", "NaN", weight(Double.NaN)),
            dcms("a weight beyond measure", "/dcm[name='a']/weight", "up to 1000000", weight(1e300)),
            wrong("a fragment weight of 0", draft -> draft.ros(1, new Ros("r", Address.parse("10.9.9.9"), "r", 0))
                .switches("r").link("r", "l-1-1"),
                "/pod[id='1']/ros[name='r']/fragment-weight", "the fragment-weight of ROS 'r' is 0.0"),
            capacity(0), capacity(-10), capacity(Double.POSITIVE_INFINITY),
            wrong("plane 0", draft -> draft.spine(0, 1, "s").leaf(0, 1, "l").leaf(0, 2, "m"),
                "/plane[id='0']/id", "from 1 to 255"),
            wrong("plane 256", draft -> draft.spine(256, 1, "s").leaf(256, 1, "l").leaf(256, 2, "m"),
                "/plane[id='256']/id", "from 1 to 255"),
            wrong("spine 0", draft -> draft.spine(1, 0, "s"), "/plane[id='1']/spine[id='0']/id", "from 1 to 65535"),
            wrong("pod 0", draft -> draft.leaf(1, 0, "l").leaf(2, 0, "m").racks.put(0, List.of()),
                "/pod[id='0']/id", "from 1 to 65535"),
            wrong("two leaves for one pod", draft -> draft.leaf(1, 2, "l"),
                "/plane[id='1']/leaf[pod='2']", "declared twice"),
            wrong("a switch declared twice", draft -> draft.switches.add(node("s-1-1", "other", "br-daq")),
                "/switch[name='s-1-1']", "declared twice"),
            wrong("a daqring without room", draft -> draft.policy = rings(draft.policy, 0, 32, 0),
                "/policy/daqring/ring-size", "ring-size is 0"),
            wrong("a burst of 0", draft -> draft.policy = rings(draft.policy, 4096, 0, 0),
                "/policy/daqring/max-burst", "max-burst is 0"),
            wrong("a negative polling interval", draft -> draft.policy = rings(draft.policy, 4096, 32, -1),
                "/policy/daqring/polling-interval", "polling-interval is -1"),
            wrong("a BFD interval of 0", draft -> draft.policy = new Policy(draft.policy.placement(),
                draft.policy.daqring(), new Policy.Protection(true, true, 0), Policy.Rules.HOST),
                "/policy/protection/bfd-interval", "bfd-interval is 0"),
            wrong("an mtu too small for IP hosts", draft -> draft.policy = new Policy(draft.policy.placement(),
                draft.policy.daqring(), draft.policy.protection(), Policy.Rules.HOST, OptionalInt.of(575)),
                "/mtu", "mtu is 575"),
            wrong("an mtu too small for IPv6", draft -> {
                draft.policy = new Policy(draft.policy.placement(), draft.policy.daqring(), draft.policy.protection(),
                    Policy.Rules.HOST, OptionalInt.of(1279));
                draft.host(1, "h", "fd00::1", "rack-1");
            }, "/mtu", "mtu is 1279 and host 'h' has IPv6 address fd00::1: IPv6 needs at least 1280"),
            wrong("ROS with IPv4 and DCMs with IPv6 addresses", draft -> draft.rack(1, "r", "r", dcm("d", "fd00::1"),
                dcm("e", "fd00::2")).switches("r").link("r", "l-1-1"),
                "/pod[id='1']/hlt-rack[name='r']/dcm[name='d']/address", "DCM 'd' has IPv6 address fd00::1",
                "ROS 'ros-1' has IPv4 address 10.0.1.1", "of one kind"),
            wrong("an empty system-id", draft -> draft.changeSwitch("s-1-1", sw -> node("s-1-1", " ", "br-daq")),
                "/switch[name='s-1-1']/system-id", "empty system-id"),
            wrong("one bridge as two switches", draft -> draft
                .changeSwitch("s-1-1", sw -> node("s-1-1", "node", "br-daq"))
                .changeSwitch("s-1-2", sw -> node("s-1-2", "node", "br-daq")),
                "/switch[name='s-1-2']", "switch 's-1-2' and switch 's-1-1' are both bridge 'br-daq'", "'node'"),
            wrong("one OVSDB server as two nodes", draft -> draft
                .changeSwitch("s-1-1", sw -> at(sw, "192.0.2.1", 6640))
                .changeSwitch("s-1-2", sw -> at(sw, "192.0.2.1", 6640)),
                "/switch[name='s-1-2']/ovsdb-address", "same OVSDB server 192.0.2.1:6640"),
            wrong("a node with two dpdk", draft -> draft
                .changeSwitch("s-1-1", sw -> dpdk(node("s-1-1", "node", "br-1"), "1024", "1"))
                .changeSwitch("s-2-1", sw -> dpdk(node("s-2-1", "node", "br-2"), "2048", "1")),
                "/switch[name='s-2-1']/dpdk", "another dpdk", "'node'"),
            wrong("processors that cannot be", draft -> draft
                .changeSwitch("s-1-1", sw -> dpdk(sw, "1024", "4-2")),
                "/switch[name='s-1-1']/dpdk/pmd-cpus", "'4-2'"),
            wrong("one port on two bridges of a node", draft -> draft
                .changeSwitch("s-1-1", sw -> node("s-1-1", "node", "br-1"))
                .changeSwitch("s-2-1", sw -> node("s-2-1", "node", "br-2"))
                .link("l-1-1", "p", "s-1-1", "twice").link("l-2-1", "p", "s-2-1", "twice"),
                "/switch[name='s-2-1']", "port 'twice' of switch 's-2-1' is also a port of switch 's-1-1'"),
            wrong("more ports than numbers", draft -> draft.rack(1, "r", "r", manyDcms(9999, true))
                .switches("r").link("r", "l-1-1"), "/switch[name='r']", "10000 ports", "numbers for 9999"),
            wrong("more daqrings in a pod than numbers", draft -> draft.rack(1, "r", "r", manyDcms(55_280, false))
                .switches("r").link("r", "l-1-1").policy = rings(draft.policy, Policy.RingsOn.DESTINATION_LEAF),
                "/pod[id='1']", "numbers for 55280 daqrings", "other pods"),
            wrong("more daqrings in a spine than numbers", draft -> draft.rack(1, "r", "r", manyDcms(55_278, false))
                .switches("r").link("r", "l-1-1").policy = rings(draft.policy, Policy.RingsOn.ALL_SWITCHES),
                "/policy/daqring/on", "a spine can need", "destination-leaf"));
    }

    /** An irregular fabric is accepted, so that it can be built step by step. */
    @ParameterizedTest(name = "{0}")
    @MethodSource
    void acceptsUnevenFabrics(String what, Consumer<Draft> change) {
        Draft draft = Draft.small("x");
        change.accept(draft);

        assertThat(FabricChecks.check(draft.build())).isEmpty();
    }

    static Stream<Arguments> acceptsUnevenFabrics() {
        return Stream.of(
            right("the example itself", draft -> { }),
            right("a node that reads out and builds events",
                draft -> draft.rack(1, "r", "ros-1", dcm("dcm-r", "10.1.9.1"), dcm("dcm-s", "10.1.9.2", "d1",
                    "02:00:00:00:00:01"))),
            right("planes with different numbers of spines",
                draft -> draft.spine(2, 3, "s-2-3").link("l-2-1", "s-2-3").link("l-2-2", "s-2-3")),
            right("an edge switch with an uplink in one plane only",
                draft -> draft.links.removeIf(link -> link.end().equals(new PortId("ros-1", "l-2-1")))),
            right("parallel links", draft -> draft.link("l-1-1", "p1", "s-1-1", "p1")
                .link("rack-1", "p2", "l-1-1", "p2")),
            right("a link declared from its upper end", draft -> draft.link("s-1-1", "p1", "l-1-1", "p1")),
            right("a rack without DCMs", draft -> draft.rack(1, "r", "r").switches("r").link("r", "l-1-1")),
            right("a pod without ROS", draft -> draft.unlink("ros-1").ros.remove(1)),
            right("an empty pod", draft -> draft.leaf(1, 3, "l-1-3").leaf(2, 3, "l-2-3").racks.put(3, List.of())),
            right("spare switches", draft -> draft.switches("spare-1", "spare-2")),
            right("a spine without links yet", draft -> draft.spine(1, 3, "s-1-3")),
            right("drained parts", draft -> draft.links.replaceAll(link ->
                new Link(link.end(), link.peer(), link.capacity(), AdminState.DRAINED))),
            right("different weights and capacities", draft -> {
                draft.links.replaceAll(link -> new Link(link.end(), link.peer(), 0.001, link.adminState()));
                draft.rack(1, "r", "r", weight(2.5)).switches("r").link("r", "l-1-1");
            }),
            right("DCMs behind ports", draft -> draft.rack(1, "r", "r",
                dcm("a", "10.9.9.1", "p", "02:00:00:00:00:01"), dcm("b", "10.9.9.2", "q", "02:00:00:00:00:02"))
                .switches("r").link("r", "l-1-1")),
            right("several addresses of one host behind a port", draft -> draft.rack(1, "r", "r",
                dcm("a", "10.9.9.1", "p", "02:00:00:00:00:01"), dcm("b", "10.9.9.2", "p", "02:00:00:00:00:01"))
                .switches("r").link("r", "l-1-1")),
            right("several bridges on one node", draft -> draft
                .changeSwitch("s-1-1", sw -> node("s-1-1", "node", "br-1"))
                .changeSwitch("l-2-1", sw -> node("l-2-1", "node", "br-2"))),
            right("more DCMs than numbers without daqrings", draft -> draft.rack(1, "r", "r", manyDcms(55_280, false))
                .switches("r").link("r", "l-1-1").policy = rings(draft.policy, Policy.RingsOn.NONE)),
            right("an OVSDB server at one of several bridges of a node", draft -> draft
                .changeSwitch("s-1-1", sw -> at(node("s-1-1", "node", "br-1"), "192.0.2.1", 6640))
                .changeSwitch("l-2-1", sw -> node("l-2-1", "node", "br-2"))),
            right("one OVSDB server for several bridges of a node", draft -> draft
                .changeSwitch("s-1-1", sw -> at(node("s-1-1", "node", "br-1"), "192.0.2.1", 6640))
                .changeSwitch("l-2-1", sw -> at(node("l-2-1", "node", "br-2"), "192.0.2.1", 6640))));
    }

    /** A fabric with a name only is accepted. */
    @Test
    void acceptsAnEmptyFabric() {
        assertThat(FabricChecks.check(new Draft("x").build())).isEmpty();
    }

    /** Several fabrics are accepted if they share no bridge. */
    @Test
    void acceptsTwoFabricsApart() {
        assertThat(FabricChecks.check(List.of(Draft.small("x").build(), Draft.small("y").build()))).isEmpty();
    }

    /** Two fabrics with the same bridge are refused: each would undo the rules of the other. */
    @Test
    void refusesOneBridgeInTwoFabrics() {
        Draft one = Draft.small("x").changeSwitch("s-1-1", sw -> node("s-1-1", "node", "br-daq"));
        Draft other = Draft.small("y").changeSwitch("s-2-2", sw -> node("s-2-2", "node", "br-daq"));

        assertThat(FabricChecks.check(List.of(one.build(), other.build()))).singleElement().satisfies(problem -> {
            assertThat(steps(problem.location())).isEqualTo("/fabric[name='y']/switch[name='s-2-2']");
            assertThat(problem.message()).contains("switch 's-1-1' of fabric 'x'", "'br-daq'", "'node'");
        });
    }

    /** The controller connects to a node once, wherever its switches belong. */
    @Test
    void refusesTwoOvsdbServersOfOneNode() {
        Draft one = Draft.small("x").changeSwitch("s-1-1", sw -> at(node("s-1-1", "node", "a"), "192.0.2.1", 6640));
        Draft other = Draft.small("y").changeSwitch("s-2-2", sw -> at(node("s-2-2", "node", "b"), "192.0.2.2", 6641));

        assertThat(FabricChecks.check(List.of(one.build(), other.build())))
            .extracting(problem -> steps(problem.location()), Problem::message)
            .containsExactly(tuple("/fabric[name='y']/switch[name='s-2-2']/ovsdb-address",
                "switch 's-2-2' has the OVSDB server 192.0.2.2:6641 and switch 's-1-1' of fabric 'x', on the same node "
                + "(system-id 'node'), 192.0.2.1:6640: give both the same address, or leave it out at one of them"),
                tuple("/fabric[name='x']/switch[name='s-1-1']/ovsdb-address",
                "switch 's-1-1' has the OVSDB server 192.0.2.1:6640 and switch 's-2-2' of fabric 'y', on the same node "
                + "(system-id 'node'), 192.0.2.2:6641: give both the same address, or leave it out at one of them"));
    }

    /** All mistakes are shown at once, so that a file is corrected in one go. */
    @Test
    void reportsAllProblemsAtOnce() {
        Draft draft = Draft.small("x").unlink("ros-1").link("s-1-1", "s-1-2");

        assertThat(FabricChecks.check(draft.build())).hasSize(2);
    }

    /** The steps of a location as one text, to compare. */
    static String steps(Location location) {
        assertThat(location.tree()).isEqualTo(Location.Tree.CONFIGURATION);
        return location.steps().stream().map(step -> "/" + step.node() + step.keys().stream()
            .map(key -> "[" + key.leaf() + "='" + key.value() + "']").collect(Collectors.joining()))
            .collect(Collectors.joining());
    }

    static Arguments wrong(String what, Consumer<Draft> spoil, String path, String... words) {
        return arguments(what, spoil, path, List.of(words));
    }

    private static Arguments right(String what, Consumer<Draft> change) {
        return arguments(what, change);
    }

    /** A rack 'r' of pod 1 with these DCMs; the path begins below the rack. */
    private static Arguments dcms(String what, String path, String word, Dcm... dcms) {
        return wrong(what, draft -> draft.rack(1, "r", "r", dcms).switches("r").link("r", "l-1-1"),
            "/pod[id='1']/hlt-rack[name='r']" + path, word);
    }

    private static Arguments address(String address) {
        return dcms("the address " + address, "/dcm[name='a']/address", "no host can have", dcm("a", address));
    }

    private static Arguments capacity(double capacity) {
        PortId end = new PortId("l-1-1", "p");
        return wrong("a capacity of " + capacity, draft -> draft.link(
            new Link(end, new PortId("s-1-1", "p"), capacity, AdminState.IN_SERVICE)),
            "/link[switch='l-1-1'][port='p']/capacity", "the capacity of link l-1-1:p - s-1-1:p", "drained");
    }

    private static Dcm weight(double weight) {
        return new Dcm("a", Address.parse("10.9.9.1"), weight, Dcm.LOCAL, Optional.<Mac>empty());
    }

    private static Switch at(Switch sw, String host, int port) {
        return new Switch(sw.name(), sw.systemId(), Optional.of(new OvsdbAddress(host, port)), sw.bridge(),
            sw.datapathType(), sw.adminState());
    }

    /** So many DCMs, each behind a port of its own or all on the switch's node. */
    private static Dcm[] manyDcms(int count, boolean withPorts) {
        return IntStream.range(0, count).mapToObj(number -> dcm("many-" + number,
            "10.200.%d.%d".formatted(number / 256, number % 256), withPorts ? "p" + number : Dcm.LOCAL,
            withPorts ? "02:00:00:00:%02x:%02x".formatted(number / 256, number % 256) : null)).toArray(Dcm[]::new);
    }

    private static Policy rings(Policy policy, Policy.RingsOn on) {
        return new Policy(policy.placement(), new Policy.Daqring(on, Policy.Backend.DAQRING,
            policy.daqring().options()), policy.protection(), policy.rules());
    }

    private static Policy rings(Policy policy, int size, int burst, int interval) {
        return new Policy(policy.placement(),
            new Policy.Daqring(policy.daqring().on(), policy.daqring().backend(),
                new DaqringOptions(size, burst, interval)),
            policy.protection(), policy.rules());
    }

    private static Switch dpdk(Switch sw, String socketMem, String pmdCpus) {
        return new Switch(sw.name(), sw.systemId(), sw.ovsdbAddress(), sw.bridge(), sw.datapathType(), sw.adminState(),
            sw.ports(), new DpdkSettings(Optional.of(socketMem), Optional.of(pmdCpus), Optional.empty(),
            Optional.empty()));
    }
}
