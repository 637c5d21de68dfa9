package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.ovsdb.ControllerTargets.Ports;
import org.daqfabric.impl.ovsdb.ControllerTargets.Way;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.ManagerRow;
import org.junit.jupiter.api.Test;

class ControllerTargetsTest {
    private static final Ports BOTH = new Ports(6653, 6654);

    /** A node reaches controllers at the addresses of its managers, whatever our own address is. */
    @Test
    void controllersHaveTheAddressesOfTheManagers() throws UnknownHostException {
        assertThat(ControllerTargets.of(managers("tcp:10.0.0.1:6640", "ssl:[2001:db8::1]:6640", "tcp:10.0.0.2",
            "tcp:10.0.0.1:6641", "ptcp:6640:10.0.0.9", "punix:/run/db.sock", "tcp:ctl.example:6640"),
            way(false, "192.0.2.1"), BOTH))
            .containsExactly("ssl:[2001:db8::1]:6654", "tcp:10.0.0.1:6653", "tcp:10.0.0.2:6653",
                "tcp:ctl.example:6653");
    }

    /** A node we connect to needs no Manager row. */
    @Test
    void withoutManagersOurOwnAddressIsUsed() throws UnknownHostException {
        assertThat(ControllerTargets.of(managers("ptcp:6640"),
            dialled("192.0.2.1"), BOTH))
            .containsExactly("tcp:192.0.2.1:6653");
        assertThat(ControllerTargets.of(managers(), way(true, "fe80::1"), BOTH))
            .containsExactly("ssl:[fe80:0:0:0:0:0:0:1]:6654");
        assertThat(ControllerTargets.of(managers(), behind(1), BOTH)).isEmpty();
    }

    /** A node that uses TLS must not fall back to plain TCP, neither by a left-over manager nor by a missing port. */
    @Test
    void tlsDoesNotFallBackToPlainTcp() throws UnknownHostException {
        assertThat(ControllerTargets.of(managers("tcp:10.0.0.1:6640", "ssl:10.0.0.1:6641"), way(false, "192.0.2.1"),
            BOTH))
            .containsExactly("ssl:10.0.0.1:6654");
        assertThat(ControllerTargets.of(managers("tcp:10.0.0.1:6640"), way(false, "192.0.2.1"), new Ports(0, 6653)))
            .containsExactly("ssl:10.0.0.1:6653");
        assertThat(ControllerTargets.of(managers("ssl:10.0.0.1:6640"), way(true, "192.0.2.1"), new Ports(6653, 0)))
            .isEmpty();
    }

    /**
     * Where a manager has the address of the connection, only that one and those that other members have marked are
     * controllers: a second manager of the node is a program of somebody else.
     */
    @Test
    void anotherProgramThatManagesTheNodeIsNoController() throws UnknownHostException {
        assertThat(ControllerTargets.of(managers("tcp:10.0.0.1:6640", "tcp:10.0.0.9:6640", "tcp:10.0.0.2:6640*"),
            way(false, "10.0.0.1"), BOTH)).containsExactly("tcp:10.0.0.1:6653", "tcp:10.0.0.2:6653");
        assertThat(ControllerTargets.of(managers("tcp:[2001:db8:0::1]:6640", "tcp:10.0.0.9:6640"),
            way(false, "2001:db8::1"), BOTH)).containsExactly("tcp:[2001:db8:0::1]:6653");
        assertThat(ControllerTargets.of(managers("ptcp:6640", "tcp:10.0.0.9:6640"),
            dialled("192.0.2.1"), BOTH))
            .containsExactly("tcp:192.0.2.1:6653");
    }

    /**
     * Behind address translation all managers are ours while there are no more than members; one that comes later is
     * not, as long as anything is known.
     */
    @Test
    void behindAddressTranslationTheNumberOfMembersDecides() {
        OvsdbSnapshot two = managers("tcp:10.0.0.1:6640", "tcp:10.0.0.9:6640");
        assertThat(ControllerTargets.of(two, behind(2), BOTH)).hasSize(2);
        assertThat(ControllerTargets.of(two, behind(1, "tcp:10.0.0.1:6640"), BOTH))
            .containsExactly("tcp:10.0.0.1:6653");
        assertThat(ControllerTargets.of(managers("tcp:10.0.0.1:6640*", "tcp:10.0.0.9:6640"), behind(1), BOTH))
            .containsExactly("tcp:10.0.0.1:6653");
        assertThat(ControllerTargets.of(two, behind(1), BOTH)).hasSize(2);
        assertThat(ControllerTargets.certain(two, behind(2))).hasSize(2);
        assertThat(ControllerTargets.certain(two, behind(1))).isEmpty();
        assertThat(ControllerTargets.certain(two, behind(1, "tcp:10.0.0.1:6640"))).hasSize(1);
    }

    /** A controller marks the managers that lead to it, once. */
    @Test
    void aControllerMarksItsManagers() throws UnknownHostException {
        OvsdbSnapshot managers = managers("tcp:10.0.0.1:6640", "tcp:10.0.0.9:6640", "tcp:10.0.0.2:6640*");
        assertThat(mark(managers, way(false, "10.0.0.1"))).singleElement()
            .satisfies(each -> assertThat(each.toString()).contains("uuid-0", "Manager"));
        assertThat(mark(managers, way(false, "10.0.0.2"))).isEmpty();
        assertThat(mark(managers, way(false, "192.0.2.1"))).isEmpty();
    }

    /** Managers that another installation has marked are no controllers of ours; those of our own former id neither. */
    @Test
    void marksOfOtherInstallationsDoNotCount() throws UnknownHostException {
        OvsdbSnapshot managers = managers("tcp:10.0.0.1:6640", "tcp:10.0.0.2:6640*");
        Way way = way(false, "10.0.0.1");
        Way own = new Way(false, false, way.own(), 1, Set.of(), Installation.of("b").takenOver(List.of("a")));
        assertThat(ControllerTargets.of(managers, own, BOTH)).as("by a version without ids").hasSize(2);
        assertThat(mark(managers, own)).hasSize(1);
        managers.managers().values().stream().filter(each -> each.target().equals("tcp:10.0.0.2:6640"))
            .forEach(each -> each.externalIds().replace("daqfabric", "a"));
        assertThat(ControllerTargets.of(managers, own, BOTH)).containsExactly("tcp:10.0.0.1:6653");
        assertThat(ControllerTargets.of(managers, way, BOTH)).as("as long as it is not known").hasSize(2);
    }

    private static List<JsonObject> mark(OvsdbSnapshot managers, Way way) {
        return ControllerTargets.mark(ControllerTargets.certain(managers, way), way);
    }

    private static Way behind(int members, String... trusted) {
        return new Way(false, false, Optional.empty(), members, Set.of(trusted), Installation.UNKNOWN);
    }

    private static Way dialled(String own) throws UnknownHostException {
        return new Way(false, true, Optional.of(InetAddress.getByName(own)), 1, Set.of(), Installation.UNKNOWN);
    }

    private static Way way(boolean secured, String own) throws UnknownHostException {
        return new Way(secured, false, Optional.of(InetAddress.getByName(own)), 1, Set.of(), Installation.UNKNOWN);
    }

    private static OvsdbSnapshot managers(String... targets) {
        TreeMap<String, ManagerRow> rows = new TreeMap<>();
        for (String target : targets) {
            rows.put("uuid-" + rows.size(), new ManagerRow("uuid-" + rows.size(), target.replace("*", ""),
                new TreeMap<>(target.endsWith("*") ? Map.of(BridgePlan.MARK, "controller") : Map.of())));
        }
        return new OvsdbSnapshot(Optional.empty(), rows, OvsdbSnapshot.EMPTY.controllers(),
            OvsdbSnapshot.EMPTY.bridges(), OvsdbSnapshot.EMPTY.ports(), OvsdbSnapshot.EMPTY.interfaces(),
            OvsdbSnapshot.EMPTY.mirrors());
    }
}
