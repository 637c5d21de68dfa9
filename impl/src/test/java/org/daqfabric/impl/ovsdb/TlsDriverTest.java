package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.impl.async.LogLines;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Limits;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Tls;
import org.daqfabric.impl.tls.Certificates;
import org.daqfabric.impl.tls.TlsFiles;
import org.daqfabric.impl.tls.TlsIdentity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver over TLS against real Open vSwitch databases. */
@Tag("root")
class TlsDriverTest {
    private final RecordingListener listener = new RecordingListener();
    @TempDir
    private Path folder;
    private LogLines log;
    private OvsdbBridgeDriver driver;

    @BeforeEach
    void start() throws IOException {
        log = new LogLines();
        Certificates.make(folder, "ca", "RSA");
        Certificates.issue(folder, "ca", "controller");
        Certificates.issue(folder, "ca", "node");
        Certificates.issue(folder, "ca", "secured");
        Certificates.make(folder, "other", "RSA");
        TlsIdentity identity = TlsIdentity.read(new TlsFiles(folder.resolve("controller-key.pem"),
            folder.resolve("controller-cert.pem"), folder.resolve("ca-cert.pem")));
        Optional<InetSocketAddress> any = Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        driver = new OvsdbBridgeDriver(new OvsdbSettings(any, 6653, Set.of(),
            Optional.of(new Tls(identity.context(), any, 6654,
                id -> id.equals("renamed") ? "node" : id)), Limits.USUAL, TestSettings.QUICK), listener);
    }

    @AfterEach
    void end() {
        driver.close();
        assertThat(driver.isTerminated()).isTrue();
        log.close();
    }

    /** A node with a TLS manager gets a TLS controller; one with plain TCP gets plain TCP. */
    @Test
    void nodesConnectOverTlsAndPlainTcp() throws IOException {
        try (OvsNode secured = new OvsNode("secured", false, options("secured"));
                OvsNode plain = new OvsNode("plain", false)) {
            secured.vsctl("--no-wait", "set-manager", "ssl:127.0.0.1:" + port(true));
            plain.manager(port(false));
            for (String name : List.of("secured", "plain")) {
                driver.put(name, Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
            }
            await().until(() -> secured.vsctl("list-br").equals("br-daq") && plain.vsctl("list-br").equals("br-daq"));
            assertThat(secured.vsctl("get-controller", "br-daq")).isEqualTo("ssl:127.0.0.1:6654");
            assertThat(plain.vsctl("get-controller", "br-daq")).isEqualTo("tcp:127.0.0.1:6653");
        }
    }

    /** With certificates, the controller connects to nodes over TLS only. */
    @Test
    void theDriverConnectsToNodesOverTls() throws IOException {
        try (OvsNode secured = new OvsNode("secured", false, options("secured", "pssl:0:127.0.0.1"));
                OvsNode plain = new OvsNode("plain", false, "ptcp:0:127.0.0.1")) {
            for (OvsNode node : List.of(secured, plain)) {
                driver.put(node == plain ? "plain" : "secured",
                    Optional.of(new OvsdbAddress("127.0.0.1", node.listeningPort())),
                    TestBridges.bridge("br-daq", Map.of()));
            }
            await().until(() -> secured.vsctl("list-br").equals("br-daq"));
            assertThat(secured.vsctl("get-controller", "br-daq")).isEqualTo("ssl:127.0.0.1:6654");
            await().untilAsserted(() -> assertThat(listener.error("plain", "br-daq")).isNotEmpty());
            assertThat(plain.vsctl("list-br")).isEmpty();
        }
    }

    /** The log has the peer, and the setting that decides who is trusted. */
    @Test
    void aCertificateOfAnotherCaIsRefused() throws IOException {
        try (OvsNode stranger = new OvsNode("stranger", false, options("other"))) {
            stranger.vsctl("--no-wait", "set-manager", "ssl:127.0.0.1:" + port(true));
            await().untilAsserted(() -> assertThat(log.with("no TLS: ")).isNotEmpty());
            assertThat(log.with("no TLS: ").get(0)).contains("/127.0.0.1:", "tls-ca-certificate");
            assertThat(listener.isConnected("stranger")).isFalse();
        }
    }

    /** A node is who its certificate says, and no other one; its switches may name another certificate. */
    @Test
    void aCertificateIsForOneNode() throws IOException {
        try (OvsNode thief = new OvsNode("secured", false, options("node"));
                OvsNode named = new OvsNode("renamed", false, options("node"))) {
            thief.vsctl("--no-wait", "set-manager", "ssl:127.0.0.1:" + port(true));
            await().untilAsserted(() -> assertThat(driver.refusedPeers()).containsEntry("127.0.0.1",
                "its certificate is for node, not for secured: give the node secured one for that name, or set"
                    + " certificate-name at its switches"));
            assertThat(listener.isConnected("secured")).isFalse();
            named.vsctl("--no-wait", "set-manager", "ssl:127.0.0.1:" + port(true));
            await().until(() -> listener.isConnected("renamed"));
        }
    }

    /** Peers that do not complete the TLS handshake are disconnected, as are those that send plain TCP. */
    @Test
    void unfinishedHandshakesEnd() throws IOException {
        try (HostilePeer silent = new HostilePeer(port(true), "", 0, 0);
                HostilePeer halfway = new HostilePeer(port(true), "\u0016\u0003\u0001\u0002", 1, 0);
                HostilePeer slow = new HostilePeer(port(true), "\u0016\u0003\u0001\u0002", 1, 100);
                HostilePeer plain = new HostilePeer(port(true), "{\"id\":1}", 1, 0);
                OvsNode node = new OvsNode("node", false, options("node"))) {
            node.vsctl("--no-wait", "set-manager", "ssl:127.0.0.1:" + port(true));
            await().until(() -> listener.isConnected("node"));
            await().until(() -> silent.isEnded() && halfway.isEnded() && slow.isEnded() && plain.isEnded());
            driver.put("node", Optional.empty(), TestBridges.bridge("br-daq", Map.of()));
            await().until(() -> node.vsctl("list-br").equals("br-daq"));
        }
    }

    private String[] options(String name, String... remotes) {
        String[] all = new String[remotes.length + 3];
        all[0] = "--private-key=" + folder.resolve(name + "-key.pem");
        all[1] = "--certificate=" + folder.resolve(name + "-cert.pem");
        all[2] = "--ca-cert=" + folder.resolve("ca-cert.pem");
        System.arraycopy(remotes, 0, all, 3, remotes.length);
        return all;
    }

    private int port(boolean secured) {
        return driver.listenAddresses().get(secured ? 1 : 0).getPort();
    }
}
