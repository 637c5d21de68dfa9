package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Alarms are raised and cleared by what happens on the lab, and everything that tells them tells the same. Those of the
 * controller itself are in {@link ControllerAlarmsIT}, and others where what raises them is: daqring-drops in {@link
 * FullRingIT}, bridge-not-removed in {@link RemovalIT}.
 */
@ExtendWith(SharedController.class)
class AlarmsIT {
    private static LabFabric fabric;
    private static FabricFile file;
    private static AlarmWatch watch;

    @BeforeAll
    static void bringUp(final Lab lab, final Distribution controller) {
        file = lab.generate("alarms", "--planes 1 --spines 2 --pods 1 --ros 1 --racks 1 --dcms 2");
        file.fabric().getAsJsonObject("policy").add("placement", JsonParser.parseString("{\"return\":\"manual\"}"));
        watch = new AlarmWatch(controller);
        fabric = lab.converged(file);
    }

    @AfterAll
    static void close() {
        watch.close();
    }

    private static String resource(final String rest) {
        return "fabric/" + fabric.name() + (rest.isEmpty() ? "" : "/" + rest);
    }

    /** A link fails, returns and waits until it is taken into use. */
    @Test
    void linkFailsAndReturns() {
        final var link = resource("link/p1l1:to-p1s1");
        fabric.daqlab("cut", "p1l1", "to-p1s1");
        watch.awaitRaised("link-down", link);
        fabric.daqlab("restore", "p1l1", "to-p1s1");
        watch.awaitCleared("link-down", link);
        watch.awaitRaised("link-held-back", link);
        fabric.rebalance();
        watch.awaitCleared("link-held-back", link);
        fabric.awaitPhase("converged");
    }

    /** The only uplink of a rack fails; the alarm of its DCMs is shelved, and purged at last. */
    @Test
    void dcmsAreCutOff(final Restconf restconf) {
        final var link = resource("link/h1-1:to-p1l1");
        fabric.daqlab("cut", "h1-1", "to-p1l1");
        watch.awaitRaised("link-down", link);
        watch.awaitRaised("dcms-cut-off", resource(""));
        final var input = "{\"input\":{\"resource\":\"" + resource("") + "\",\"state\":\"shelved\"}}";
        assertThat(restconf.post("operations/daqfabric-alarms:set-operator-state", input).orFail().body())
            .contains("\"changed-alarms\":");
        assertThat(watch.text("daqfabric:alarms")).doesNotContain("dcms-cut-off").contains("shelved: --all");
        assertThat(watch.text("daqfabric:doctor")).contains("are not reached by every ROS: h1-1d1, h1-1d2 (shelved)");
        restconf.post("operations/daqfabric-alarms:set-operator-state", input.replace("shelved", "un-shelved"))
            .orFail();
        watch.awaitRaised("dcms-cut-off", resource(""));

        fabric.daqlab("restore", "h1-1", "to-p1l1");
        watch.awaitCleared("dcms-cut-off", resource(""));
        watch.awaitCleared("link-down", link);
        assertThat(restconf.post("operations/daqfabric-alarms:purge-alarms", "{\"input\":{\"resource\":\"" + link
            + "\"}}").orFail().json().getAsJsonObject("daqfabric-alarms:output").get("purged-alarms").getAsInt())
            .isEqualTo(1);
        assertThat(watch.text("daqfabric:alarms --all")).doesNotContain(link);
        assertThat(restconf.post("operations/daqfabric-alarms:set-operator-state",
            "{\"input\":{\"resource\":\"" + link + "\",\"state\":\"ack\"}}").errors())
            .contains("/input/resource: there is no such alarm of " + link);
        fabric.awaitPhase("converged");
    }

    /** A switch is not connected, then its Open vSwitch does not run. */
    @Test
    void switchIsAway() {
        final var manager = fabric.vsctl("p1s2", "get-manager").get(0);
        fabric.vsctl("p1s2", "del-manager");
        watch.awaitRaised("switch-away", resource("switch/p1s2"));
        fabric.vsctl("p1s2", "set-manager", manager);
        watch.awaitCleared("switch-away", resource("switch/p1s2"));
        fabric.daqlab("kill", "p1s2");
        watch.awaitRaised("switch-without-openflow", resource("switch/p1s2"));
        fabric.daqlab("restart", "p1s2");
        watch.awaitCleared("switch-without-openflow", resource("switch/p1s2"));
        fabric.awaitPhase("converged");
    }

    /** The ovs-vswitchd of a switch stands still, which its database does not tell. */
    @Test
    void switchAnswersLate() {
        fabric.daqlab("freeze", "p1s1");
        try {
            watch.awaitRaised("switch-late", resource("switch/p1s1"));
        } finally {
            fabric.daqlab("thaw", "p1s1");
        }
        watch.awaitCleared("switch-late", resource("switch/p1s1"));
        fabric.rebalance();
        fabric.awaitPhase("converged");
    }

    /** The database of a switch stands still, and that of another names an old Open vSwitch. */
    @Test
    void nodesAreOldOrSilent() {
        final var version = fabric.vsctl("p1s1", "get", "Open_vSwitch", ".", "ovs_version").get(0);
        fabric.vsctl("p1s1", "set", "Open_vSwitch", ".", "ovs_version=2.17.9");
        fabric.signalDatabase("p1l1", "STOP");
        try {
            watch.look();
            watch.awaitRaised("switch-silent", resource("switch/p1l1"));
            watch.awaitRaised("ovs-version", resource("switch/p1s1"));
        } finally {
            fabric.signalDatabase("p1l1", "CONT");
            fabric.vsctl("p1s1", "set", "Open_vSwitch", ".", "ovs_version=" + version);
        }
        watch.look();
        watch.awaitCleared("switch-silent", resource("switch/p1l1"));
        watch.awaitCleared("ovs-version", resource("switch/p1s1"));
    }

    /** A configuration that the switches and cables do not agree with, in four ways; then it is corrected. */
    @Test
    void configurationAndFabricDiffer() {
        final var wrong = file.copy();
        final var one = wrong.link("p1l1", "to-p1s1");
        final var other = wrong.link("p1l1", "to-p1s2");
        for (var leaf : Set.of("peer-switch", "peer-port")) {
            final var value = one.get(leaf);
            one.add(leaf, other.get(leaf));
            other.add(leaf, value);
        }
        wrong.link("r1-1", "to-p1l1").addProperty("capacity", "25");
        wrong.addLink("p1l1", "ghost", "p1s1", "ghost");
        fabric.put(wrong);
        watch.awaitRaised("daqrings-unsupported", resource("switch/p1l1"));
        watch.awaitRaised("switch-error", resource("switch/p1s1"));
        watch.awaitRaised("link-miscabled", resource("link/p1l1:to-p1s1"));
        watch.awaitRaised("link-miscabled", resource("link/p1l1:to-p1s2"));
        watch.awaitRaised("port-fault", resource("port/r1-1:to-p1l1"));

        final var right = file.copy();
        right.fabric().getAsJsonObject("policy").add("daqring", JsonParser.parseString("{\"on\":\"none\"}"));
        fabric.put(right);
        watch.awaitCleared("switch-error", resource("switch/p1s1"));
        watch.awaitCleared("daqrings-unsupported", resource("switch/p1l1"));
        watch.awaitCleared("link-miscabled", resource("link/p1l1:to-p1s1"));
        watch.awaitCleared("link-miscabled", resource("link/p1l1:to-p1s2"));
        watch.awaitCleared("port-fault", resource("port/r1-1:to-p1l1"));
        fabric.put(file).rebalance();
        fabric.awaitPhase("converged");
    }

    /** A node says that it has the system-id of another one, then that it has none. */
    @Test
    void systemIdsAreWrong() {
        final var own = fabric.name() + ".p1s2";
        fabric.vsctl("p1s2", "set", "Open_vSwitch", ".", "external_ids:system-id=" + fabric.name() + ".p1s1");
        final String peer;
        try {
            watch.awaitRaised("switch-away", resource("switch/p1s2"));
            watch.awaitRaised("system-id-taken", resource("switch/p1s1"));
            fabric.vsctl("p1s2", "remove", "Open_vSwitch", ".", "external_ids", "system-id");
            fabric.reconnect("p1s2");
            peer = watch.awaitResource("peer-refused");
            watch.awaitRaised("peer-refused", peer);
        } finally {
            fabric.vsctl("p1s2", "set", "Open_vSwitch", ".", "external_ids:system-id=" + own);
        }
        fabric.reconnect("p1s2");
        watch.awaitCleared("peer-refused", peer);
        watch.awaitCleared("switch-away", resource("switch/p1s2"));
        fabric.reconnect("p1s1");
        watch.look();
        watch.awaitCleared("system-id-taken", resource("switch/p1s1"));
        fabric.awaitPhase("converged");
    }

    /** A partition asks for more than there is; another one loses its fabric. */
    @Test
    void partitionsAreNotServed(final Restconf restconf, final Lab lab) {
        final var partition = new RunPartition(restconf, "alarms", fabric.name());
        partition.prepared(",\"required-bandwidth\":\"1000\"");
        watch.awaitRaised("run-insufficient", resource("partition/alarms"));
        partition.ask("release", "").orFail();
        watch.awaitCleared("run-insufficient", resource("partition/alarms"));

        final var other = lab.fabric(lab.generate("gone", "--prefix x- --address-base 10.5 --planes 1 --spines 1"
            + " --pods 1 --ros 1 --racks 1 --dcms 1"));
        other.put(other.file());
        final var lost = new RunPartition(restconf, "lost", other.name());
        lost.prepare("").orFail();
        other.delete();
        final var resource = "fabric/" + other.name() + "/partition/lost";
        watch.awaitRaised("partition-error", resource);
        lost.ask("release", "").orFail();
        watch.awaitCleared("partition-error", resource);
    }
}
