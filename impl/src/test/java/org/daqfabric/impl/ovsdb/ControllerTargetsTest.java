package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.TreeMap;
import org.daqfabric.impl.ovsdb.ControllerTargets.Ports;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.ManagerRow;
import org.junit.jupiter.api.Test;

class ControllerTargetsTest {
    private static final Ports BOTH = new Ports(6653, 6654);

    /** A node reaches controllers at the addresses of its managers, whatever our own address is. */
    @Test
    void controllersHaveTheAddressesOfTheManagers() throws UnknownHostException {
        assertThat(ControllerTargets.of(managers("tcp:10.0.0.1:6640", "ssl:[2001:db8::1]:6640", "tcp:10.0.0.2",
            "tcp:10.0.0.1:6641", "ptcp:6640:10.0.0.9", "punix:/run/db.sock", "tcp:ctl.example:6640"), false,
            Optional.of(InetAddress.getByName("192.0.2.1")), BOTH))
            .containsExactly("ssl:[2001:db8::1]:6654", "tcp:10.0.0.1:6653", "tcp:10.0.0.2:6653",
                "tcp:ctl.example:6653");
    }

    /** A node we connect to needs no Manager row. */
    @Test
    void withoutManagersOurOwnAddressIsUsed() throws UnknownHostException {
        assertThat(ControllerTargets.of(managers("ptcp:6640"), false,
            Optional.of(InetAddress.getByName("192.0.2.1")), BOTH)).containsExactly("tcp:192.0.2.1:6653");
        assertThat(ControllerTargets.of(managers(), true, Optional.of(InetAddress.getByName("fe80::1")), BOTH))
            .containsExactly("ssl:[fe80:0:0:0:0:0:0:1]:6654");
        assertThat(ControllerTargets.of(managers(), false, Optional.empty(), BOTH)).isEmpty();
    }

    /** A node that uses TLS must not fall back to plain TCP, neither by a left-over manager nor by a missing port. */
    @Test
    void tlsDoesNotFallBackToPlainTcp() throws UnknownHostException {
        Optional<InetAddress> own = Optional.of(InetAddress.getByName("192.0.2.1"));
        assertThat(ControllerTargets.of(managers("tcp:10.0.0.1:6640", "ssl:10.0.0.1:6641"), false, own, BOTH))
            .containsExactly("ssl:10.0.0.1:6654");
        assertThat(ControllerTargets.of(managers("tcp:10.0.0.1:6640"), false, own, new Ports(0, 6653)))
            .containsExactly("ssl:10.0.0.1:6653");
        assertThat(ControllerTargets.of(managers("ssl:10.0.0.1:6640"), true, own, new Ports(6653, 0))).isEmpty();
    }

    private static OvsdbSnapshot managers(String... targets) {
        TreeMap<String, ManagerRow> rows = new TreeMap<>();
        for (String target : targets) {
            rows.put("uuid-" + rows.size(), new ManagerRow("uuid-" + rows.size(), target));
        }
        return new OvsdbSnapshot(Optional.empty(), rows, OvsdbSnapshot.EMPTY.controllers(),
            OvsdbSnapshot.EMPTY.bridges(), OvsdbSnapshot.EMPTY.ports(), OvsdbSnapshot.EMPTY.interfaces(),
            OvsdbSnapshot.EMPTY.mirrors());
    }
}
