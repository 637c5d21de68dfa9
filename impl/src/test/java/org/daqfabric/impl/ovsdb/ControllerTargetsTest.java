package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.TreeMap;
import org.daqfabric.impl.ovsdb.Picture.ManagerRow;
import org.junit.jupiter.api.Test;

class ControllerTargetsTest {
    /** A node reaches the controllers where it reaches its managers, whatever the address looks like from here. */
    @Test
    void controllersAreWhereTheManagersAre() throws UnknownHostException {
        assertThat(ControllerTargets.of(managers("tcp:10.0.0.1:6640", "ssl:[2001:db8::1]:6640", "tcp:10.0.0.2",
            "tcp:10.0.0.1:6641", "ptcp:6640:10.0.0.9", "punix:/run/db.sock", "tcp:ctl.example:6640"), "tcp",
            Optional.of(InetAddress.getByName("192.0.2.1")), 6653))
            .containsExactly("ssl:[2001:db8::1]:6653", "tcp:10.0.0.1:6653", "tcp:10.0.0.2:6653",
                "tcp:ctl.example:6653");
    }

    /** A node we connect to needs no Manager row. */
    @Test
    void withoutManagersItIsOurOwnAddress() throws UnknownHostException {
        assertThat(ControllerTargets.of(managers("ptcp:6640"), "tcp",
            Optional.of(InetAddress.getByName("192.0.2.1")), 6653)).containsExactly("tcp:192.0.2.1:6653");
        assertThat(ControllerTargets.of(managers(), "ssl", Optional.of(InetAddress.getByName("fe80::1")), 6653))
            .containsExactly("ssl:[fe80:0:0:0:0:0:0:1]:6653");
        assertThat(ControllerTargets.of(managers(), "tcp", Optional.empty(), 6653)).isEmpty();
    }

    private static Picture managers(String... targets) {
        TreeMap<String, ManagerRow> rows = new TreeMap<>();
        for (String target : targets) {
            rows.put("uuid-" + rows.size(), new ManagerRow("uuid-" + rows.size(), target));
        }
        return new Picture(Optional.empty(), rows, Picture.EMPTY.controllers(), Picture.EMPTY.bridges(),
            Picture.EMPTY.ports(), Picture.EMPTY.interfaces());
    }
}
