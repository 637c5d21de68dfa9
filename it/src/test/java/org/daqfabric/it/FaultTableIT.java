package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What outside tools and persons do to nodes: loss ends where there is another way, or hosts are reported as cut off;
 * and the first finding of {@code doctor} names the cause. What {@link OpenFlowFaultsIT}, {@link ForwardingColumnsIT}
 * and {@link SwitchInDoubtIT} try is not tried here again.
 */
@ExtendWith(SharedController.class)
class FaultTableIT {
    private static final Logger LOG = LoggerFactory.getLogger(FaultTableIT.class);
    /** Two seconds, on a machine that does other things, too. */
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String RACK = "h1-1";
    private static final String DATABASE = "ovsdb-server";
    private static final Set<String> BEHIND_RACK = Set.of("h1-1d1", "h1-1d2");
    /** Says hello over OpenFlow 1.3, and answers echo requests. */
    private static final String FOREIGNER = String.join("\n", "import socket",
        "server = socket.create_server((\"127.0.0.1\", 6699))",
        "connection = server.accept()[0]",
        "connection.sendall(bytes([4, 0, 0, 8, 0, 0, 0, 1]))",
        "stream = connection.makefile(\"rb\")",
        "while head := stream.read(8):",
        "    body = stream.read(head[2] * 256 + head[3] - 8)",
        "    if head[1] == 2:",
        "        connection.sendall(bytes([4, 3]) + head[2:] + body)");

    private static Distribution controller;
    private static Shell shell;
    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Distribution shared, final Lab lab) {
        controller = shared;
        shell = new Shell(shared);
        fabric = lab.converged(lab.generate("table", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2")
            .withBfd(true));
        fabric.assertAllReachable();
    }

    @AfterAll
    static void end() {
        if (shell != null) {
            shell.close();
        }
    }

    /** The first finding, as soon as it is of a switch and names a cause. */
    private static FirstFinding awaitFirst(final String switchName, final String cause) {
        final var found = FirstFinding.await(shell, fabric.name(), cause);
        assertThat(found.subject()).isEqualTo("switch " + switchName + " of " + fabric.name());
        return found;
    }

    private static void awaitSoon(final String what, final Predicate<FabricState> condition) {
        final var begun = Instant.now();
        await(what).atMost(SOON).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
            final var state = fabric.state();
            assertThat(condition.test(state)).as(state.summary() + ", reach " + state.reachableRos()).isTrue();
        });
        LOG.info("{} after {} ms", what, Duration.between(begun, Instant.now()).toMillis());
    }

    private static boolean isRackCutOff(final FabricState state) {
        return state.reachableRos().entrySet().stream()
            .allMatch(each -> each.getValue() == (BEHIND_RACK.contains(each.getKey()) ? 0 : 2));
    }

    private static boolean isConnected(final FabricState state, final String switchName, final String by) {
        final var connected = state.switchNamed(switchName).get(by + "-connected");
        return connected != null && connected.getAsBoolean();
    }

    private static void awaitAllWell() {
        fabric.awaitState("all well", state -> state.phase().equals("converged")
            && state.reachableRos().values().stream().allMatch(each -> each == 2)
            && state.links("up").size() == FabricFile.entries(state.json(), "link").size());
        fabric.assertAllReachable();
    }

    private static void vsctl(final String node, final String arguments) {
        fabric.vsctl(node, arguments.split(" "));
    }

    /** Runs something after which pings of all pairs are lost for a while at most. */
    private static void withoutLongLoss(final Runnable fault) {
        final var since = Instant.now();
        fault.run();
        fabric.awaitNoLoss(since, SOON);
    }

    /** A rack that was reset switches by itself: its DCMs are cut off, and what brings it back is named. */
    @Test
    void aRackThatWasReset() {
        vsctl(RACK, "emer-reset");
        awaitSoon("the rack is cut off", FaultTableIT::isRackCutOff);
        final var found = awaitFirst(RACK, "its managers were taken out");
        AlarmWatch.awaitIn(controller.restconf(), "dcms-cut-off", "fabric/" + fabric.name(), false);
        vsctl(RACK, found.command("set-manager \\S+"));
        awaitAllWell();
    }

    /** A network reload that deletes the bridge and makes one of its name is put right; nothing is lost for good. */
    @Test
    void aBridgeThatWasMadeAnew() {
        final var log = controller.logLines().size();
        withoutLongLoss(() -> {
            vsctl("p1l1", "-- del-br br-daq -- add-br br-daq -- set bridge br-daq datapath_type=netdev");
            awaitSoon("it is ours again", state -> String.join("", fabric.vsctl("p1l1", "get", "bridge", "br-daq",
                "fail_mode", "external_ids:daqfabric")).replace("\"", "").equals("secure" + fabric.name()));
        });
        awaitAllWell();
        final var lines = controller.logLines();
        assertThat(lines.subList(log, lines.size())).anyMatch(line -> line.contains("another tool has cleared"))
            .noneMatch(line -> line.contains("was not made by daqfabric"));
    }

    /** A bridge that somebody makes while the node is away may be his: it is no path, and the hand-over is named. */
    @Test
    void aBridgeOfSomebodyElse() {
        final var manager = fabric.vsctl(RACK, "get-manager").get(0);
        vsctl(RACK, "del-manager");
        fabric.awaitState("it is away", state -> !isConnected(state, RACK, "ovsdb"));
        vsctl(RACK, "-- del-br br-daq -- add-br br-daq -- set bridge br-daq datapath_type=netdev"
            + " -- add-port br-daq to-p1l1 -- add-port br-daq to-p2l1");
        awaitSoon("the rack is cut off", FaultTableIT::isRackCutOff);
        vsctl(RACK, "set-manager " + manager);
        final var found = awaitFirst(RACK, "bridge br-daq exists and was not made by daqfabric");
        assertThat(fabric.state()).matches(FaultTableIT::isRackCutOff);
        vsctl(RACK, found.command("set bridge br-daq external_ids:daqfabric=[\\w-]+"));
        awaitAllWell();
    }

    /** A node that calls itself otherwise still forwards: nothing is said that would take its bridge away. */
    @Test
    void aNodeWithAnotherName() {
        final var name = fabric.name() + "." + RACK;
        vsctl(RACK, "set Open_vSwitch . external_ids:system-id=other");
        final var remedy = awaitFirst(RACK, "the node now calls itself 'other'")
            .command("set Open_vSwitch . external_ids:system-id=[^,]+");
        assertThat(remedy).endsWith("=" + name);
        assertThat(shell.run("daqfabric:doctor").output()).doesNotContain("remove-orphans");
        assertThat(fabric.state().reachableRos().values()).containsOnly(2);
        assertThat(fabric.missingPairs()).isEmpty();
        vsctl(RACK, remedy);
        awaitAllWell();
    }

    /** A node that somebody gives to another controller forwards by what it holds; its manager is named. */
    @Test
    void aNodeWithOtherManagers() {
        vsctl("p1s1", "set-manager tcp:192.0.2.9:6640");
        final var found = awaitFirst("p1s1", "it has other managers now: tcp:192.0.2.9:6640");
        assertThat(fabric.missingPairs()).isEmpty();
        vsctl("p1s1", found.command("set-manager \\S+"));
        awaitAllWell();
    }

    /** A controller of somebody else that is connected is an alarm, which names what removes it. */
    @Test
    void aForeignController() throws IOException {
        fabric.daqlab("exec", "p2s1", "--", "ip", "link", "set", "lo", "up");
        final var command = new ArrayList<>(Lab.command("exec", "--fabric", fabric.name(), "p2s1", "--", "python3",
            "-c", FOREIGNER));
        final var foreigner = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        final var resource = "fabric/" + fabric.name() + "/switch/p2s1";
        try {
            fabric.vsctl("p2s1", "--", "--id=@c", "create", "controller", "target=\"tcp:127.0.0.1:6699\"",
                "connection_mode=out-of-band", "--", "add", "bridge", "br-daq", "controller", "@c");
            final var found = awaitFirst("p2s1", "controller tcp:127.0.0.1:6699 of bridge br-daq is connected and is"
                + " none of ours");
            AlarmWatch.awaitIn(controller.restconf(), "switch-error", resource, false);
            vsctl("p2s1", found.command("remove bridge br-daq controller [0-9a-f-]+"));
        } finally {
            foreigner.descendants().forEach(ProcessHandle::destroy);
            foreigner.destroy();
        }
        AlarmWatch.awaitIn(controller.restconf(), "switch-error", resource, true);
        awaitAllWell();
    }

    /** A listener of somebody else is an alarm before anybody connects, of which Open vSwitch says nothing. */
    @Test
    void aForeignListener() {
        final var resource = "fabric/" + fabric.name() + "/switch/p1l2";
        fabric.vsctl("p1l2", "--", "--id=@c", "create", "controller", "target=\"ptcp:6699\"",
            "connection_mode=out-of-band", "--", "add", "bridge", "br-daq", "controller", "@c");
        final var found = awaitFirst("p1l2", "controller ptcp:6699 of bridge br-daq is a listener and is none of ours");
        AlarmWatch.awaitIn(controller.restconf(), "switch-error", resource, false);
        vsctl("p1l2", found.command("remove bridge br-daq controller [0-9a-f-]+"));
        AlarmWatch.awaitIn(controller.restconf(), "switch-error", resource, true);
        awaitAllWell();
    }

    /** An Open vSwitch that waits for what nobody restores holds no rules: it is not used, and the key is named. */
    @Test
    void anOpenVSwitchThatWaits() {
        withoutLongLoss(() -> {
            vsctl("p1s2", "set Open_vSwitch . other_config:flow-restore-wait=true");
            fabric.daqlab("restart", "p1s2");
        });
        final var found = awaitFirst("p1s2", "flow-restore-wait");
        vsctl("p1s2", found.command("remove Open_vSwitch . other_config flow-restore-wait"));
        awaitAllWell();
    }

    /** One that hangs is named, not the cables to it; also when it is taken for lost over OpenFlow. */
    @Test
    void anOpenVSwitchThatHangs() {
        fabric.daqlab("freeze", "p2l2");
        try {
            assertThat(awaitFirst("p2l2", "all its links are down").advice()).contains("ovs-vswitchd");
            fabric.awaitState("its connection is lost", state -> !isConnected(state, "p2l2", "openflow"));
            assertThat(awaitFirst("p2l2", "not over OpenFlow, and all its links are down").advice())
                .contains("ovs-vswitchd");
            assertThat(fabric.missingPairs()).isEmpty();
        } finally {
            fabric.daqlab("thaw", "p2l2");
        }
        awaitAllWell();
    }

    /** What keeps a switch from the controller's port for OpenFlow is named by what Open vSwitch says of it. */
    @Test
    void anOpenFlowPortThatIsNotReached() {
        final var port = controller.port("openflow") + " tcp flags & rst != rst reject with ";
        final var to = "tcp dport " + port;
        // what the controller sends is reset, too, or it would notice only when it hears nothing for long
        nft("p1s2", "add table ip fault; add chain ip fault out { type filter hook output priority 0; };"
            + " add chain ip fault in { type filter hook input priority 0; };"
            + " add rule ip fault out " + to + "tcp reset; add rule ip fault in tcp sport " + port + "tcp reset");
        try {
            assertThat(awaitFirst("p1s2", "Connection refused").advice())
                .startsWith("nothing listens at that address, or a firewall rejects it");
            nft("p1s2", "flush chain ip fault out; add rule ip fault out " + to + "icmp type host-unreachable");
            assertThat(awaitFirst("p1s2", "No route to host").advice())
                .startsWith("the node does not reach that address: see its routes");
            assertThat(fabric.missingPairs()).isEmpty();
        } finally {
            nft("p1s2", "delete table ip fault");
        }
        awaitAllWell();
    }

    /** A node whose database takes no writes gets no controller and holds no rules: what the database says is named. */
    @Test
    void aDatabaseThatIsReadOnly() {
        nft("p1s2", "add table ip fault; add chain ip fault in { type filter hook input priority 0; };"
            + " add rule ip fault in tcp sport " + controller.port("ovsdb") + " reject with tcp reset");
        fabric.awaitState("it is away", state -> !isConnected(state, "p1s2", "ovsdb"));
        withoutLongLoss(() -> vsctl("p1s2", "del-controller br-daq"));
        fabric.appctlOf(DATABASE, "p1s2", "ovsdb-server/set-active-ovsdb-server", "unix:/nowhere");
        fabric.appctlOf(DATABASE, "p1s2", "ovsdb-server/connect-active-ovsdb-server");
        try {
            nft("p1s2", "delete table ip fault");
            awaitFirst("p1s2", "not allowed when database server is in read only mode");
            assertThat(shell.run("daqfabric:doctor").output().replaceAll("\\s+", " "))
                .contains("no controller is set on its bridge: see last-error of the switch");
            assertThat(fabric.missingPairs()).isEmpty();
        } finally {
            fabric.appctlOf(DATABASE, "p1s2", "ovsdb-server/disconnect-active-ovsdb-server");
        }
        awaitAllWell();
    }

    /** A cable that passes packets one way only is named as such, with the way. */
    @Test
    void aCableThatPassesOneWayOnly() {
        withoutLongLoss(() -> {
            nft("p2l1", "add table netdev fault; add chain netdev fault out"
                + " { type filter hook egress device \"to-p2s1\" priority 0; policy drop; }");
            fabric.awaitState("its link is down", state -> state.links("down").equals(Set.of("p2l1:to-p2s1")));
        });
        try {
            assertThat(FirstFinding.await(shell, fabric.name(), "BFD at p2l1:to-p2s1 is init").advice()).startsWith(
                "packets arrive one way only: what p2s1:to-p2l1 sends arrives, what p2l1:to-p2s1 sends does not");
        } finally {
            nft("p2l1", "delete table netdev fault");
        }
        awaitAllWell();
    }

    /** A device that a driver makes anew under its name is opened anew, which is logged, and its link is used again. */
    @Test
    void aDeviceThatWasMadeAnew() {
        final var log = controller.logLines().size();
        withoutLongLoss(() -> {
            fabric.daqlab("exec", "p2l1", "--", "ip", "link", "del", "to-p2s1");
            fabric.awaitState("its link is down", state -> state.links("down").equals(Set.of("p2l1:to-p2s1")));
            Processes.run(List.of("ip", "link", "add", "name", "to-p2s1", "netns", fabric.namespace("p2l1"),
                "type", "veth", "peer", "name", "to-p2l1", "netns", fabric.namespace("p2s1"))).orFail();
            fabric.daqlab("exec", "p2l1", "--", "ip", "link", "set", "to-p2s1", "up");
            fabric.daqlab("exec", "p2s1", "--", "ip", "link", "set", "to-p2l1", "up");
        });
        awaitAllWell();
        assertThat(controller.logLines().stream().skip(log)).anyMatch(line ->
            line.contains("port to-p2s1: its device was made anew under its name"));
    }

    /** A setting by which a running Open vSwitch overwrites packets is named, with what ends it. */
    @Test
    void aSettingThatOverwritesPackets() {
        withoutLongLoss(() -> vsctl("p1s1", "set Open_vSwitch . other_config:userspace-tso-enable=true"));
        final var found = awaitFirst("p1s1", "userspace-tso-enable true");
        assertThat(found.what() + found.advice()).contains("systemctl restart openvswitch-switch");
        vsctl("p1s1", found.command("remove Open_vSwitch . other_config \\S+"));
        fabric.daqlab("restart", "p1s1");
        awaitAllWell();
    }

    /** What a node's kernel dropped is shown as its host's, from when the controller first reads it. */
    @Test
    void aHostThatDropsPackets() {
        vsctl(RACK, "set interface to-p1l1 external_ids:daqfabric-socket-drops=\"100\"");
        fabric.awaitState("its counts are read", state -> droppedAtSockets(state).equals("0"));
        vsctl(RACK, "set interface to-p1l1 external_ids:daqfabric-socket-drops=\"157\"");
        fabric.awaitState("its drops are shown", state -> droppedAtSockets(state).equals("57"));
        assertThat(shell.run("daqfabric:doctor").output()).contains("57 at packet sockets on the host of " + RACK);
        vsctl(RACK, "remove interface to-p1l1 external_ids daqfabric-socket-drops");
        fabric.awaitState("nothing is known of it", state -> droppedAtSockets(state).isEmpty());
    }

    private static String droppedAtSockets(final FabricState state) {
        final var drops = state.switchNamed(RACK).getAsJsonObject("host-drops");
        return drops == null ? "" : drops.get("packet-sockets").getAsString();
    }

    /** A device that was renamed is named, and used again when it has its name. */
    @Test
    void aDeviceThatWasRenamed() {
        withoutLongLoss(() -> rename("to-p2s1", "renamed"));
        final var found = FirstFinding.await(shell, fabric.name(),
            "p2l1:to-p2s1 was taken down on its node, or renamed");
        assertThat(found.advice()).contains("'ip link set NAME down' and 'ip link set NAME name to-p2s1'");
        withoutLongLoss(() -> rename("renamed", "to-p2s1"));
        awaitAllWell();
    }

    /** Open vSwitch goes on with a device that is renamed while it is up, and sees no loss of carrier; BFD does. */
    @Test
    void aDeviceThatWasRenamedWhileUp() {
        assumeTrue(Processes.run(List.of("ip", "-n", fabric.namespace("p2l1"), "link", "set", "to-p2s1", "name",
            "renamed")).code() == 0, "this kernel renames a device only while it is down");
        withoutLongLoss(() -> {
            fabric.daqlab("exec", "p2s1", "--", "ip", "link", "set", "to-p2l1", "down");
            fabric.awaitState("its link is down", state -> state.links("down").equals(Set.of("p2l1:to-p2s1")));
        });
        assertThat(fabric.vsctl("p2l1", "get", "interface", "to-p2s1", "link_state")).containsExactly("up");
        fabric.daqlab("exec", "p2s1", "--", "ip", "link", "set", "to-p2l1", "up");
        fabric.daqlab("exec", "p2l1", "--", "ip", "link", "set", "renamed", "name", "to-p2s1");
        awaitAllWell();
    }

    /** Open vSwitch puts a device back at once that another program has taken out of the datapath. */
    @Test
    void aDeviceThatWasTakenOutOfTheDatapath() {
        final var log = controller.logLines().size();
        withoutLongLoss(() -> {
            fabric.appctl("p2l1", "dpctl/del-if", "netdev@ovs-netdev", "to-p2s1");
            await("its loss").atMost(SOON).until(() -> controller.logLines().stream().skip(log)
                .anyMatch(line -> line.contains("down: [p2l1:to-p2s1]")));
        });
        awaitAllWell();
    }

    private static void nft(final String node, final String commands) {
        fabric.daqlab("exec", node, "--", "nft", commands);
    }

    private static void rename(final String before, final String now) {
        for (final var each : List.of(before + " down", before + " name " + now, now + " up")) {
            fabric.daqlab(("exec p2l1 -- ip link set " + each).split(" "));
        }
    }
}
