package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Switches and controller that authenticate each other by certificates. */
@Tag("long") // starts controllers
class TlsIT {
    private static final String SIZE = "--planes 2 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 2";
    /** As many switches as the page names. */
    private static final String SIZE_OF_PAGE = "--planes 1 --spines 1 --pods 1 --ros 1 --racks 1 --dcms 2";
    private static final List<String> ONLY_TLS =
        List.of("openflow-port=0", "openflow-tls-port=6653", "ovsdb-port=0", "ovsdb-tls-port=6640");
    private static final List<String> BOTH = List.of("openflow-tls-port=6654", "ovsdb-tls-port=6641");

    @TempDir
    private Path pki;
    @TempDir
    private Path otherPki;

    /** A fabric set up by the page works over TLS; a switch without a certificate of the CA is refused and named. */
    @Test
    void onlySwitchesOfTheConfiguredCaAreAccepted() throws IOException {
        try (var controller = Distribution.daqfabric("tls"); var lab = new Lab(controller)) {
            final var fabric = lab.fabric(lab.generate("tls", SIZE_OF_PAGE));
            follow(controller, fabric, "Certificates", "The controller");
            controller.configure(List.of()).start(); // reads what its ports are now
            fabric.up();
            follow(controller, fabric, "The nodes");
            fabric.put(fabric.file()).awaitPhase("converged");
            fabric.assertAllReachable();
            final var expected = "ssl:" + controller.addressForSwitches() + ":6653";
            assertThat(fabric.file().switches()).allSatisfy(each ->
                assertThat(fabric.controllers(each)).containsExactly(expected));

            Lab.daqlab("pki", otherPki.toString());
            // these switches trust the controller, so that it is the controller that refuses
            Files.write(otherPki.resolve("ca-cert.pem"), Files.readAllBytes(pki.resolve("pki/ca.pem")),
                StandardOpenOption.APPEND);
            final var strangers = lab.fabric(lab.generate("strangers", "--prefix x- --address-base 10.5 " + SIZE))
                .upWithTls(otherPki, 6640);
            final var plain = lab.fabric(lab.generate("plain", "--prefix y- --address-base 10.7 " + SIZE)).up();
            strangers.put(strangers.file());
            plain.put(plain.file());
            awaitLogged(controller, "no TLS: ", "PKIX path"); // some Javas have the alert's name between
            awaitLogged(controller, "no TLS: ", "Unsupported or unrecognized");
            assertThat(strangers.state().phase()).isEqualTo("waiting");
            assertThat(plain.state().phase()).isEqualTo("waiting");
            assertThat(strangers.file().switches()).allMatch(each -> strangers.bridges(each).isEmpty());
            assertThat(plain.file().switches()).allMatch(each -> plain.bridges(each).isEmpty());
            fabric.awaitPhase("converged");
            assertCertificateIsForOneNode(controller, fabric);
        }
    }

    /** A node whose certificate is for another name is refused, unless its switch says that this is its name. */
    private static void assertCertificateIsForOneNode(final Distribution controller, final LabFabric fabric) {
        final var file = fabric.file().copy();
        final var systemId = file.switchNamed("p1s1").get("system-id").getAsString();
        // the node is another one now, by its own words; its certificate is for what it was before
        file.switchNamed("p1s1").addProperty("system-id", "other." + systemId);
        fabric.vsctl("p1s1", "set", "Open_vSwitch", ".", "external_ids:system-id=other." + systemId);
        fabric.put(file);
        awaitLogged(controller, "says it is other." + systemId, "its certificate is for " + systemId,
            "certificate-name");
        assertThat(fabric.state().phase()).isNotEqualTo("converged");
        file.switchNamed("p1s1").addProperty("certificate-name", systemId);
        fabric.put(file).awaitPhase("converged");
        fabric.assertAllReachable();
    }

    /** Fabrics can be migrated to TLS one by one. */
    @Test
    void plainTcpWorksBesideTls() {
        try (var controller = controller("tls-and-plain", BOTH).start(); var lab = new Lab(controller)) {
            final var plain = lab.converged(lab.generate("plain", SIZE));
            final var secured = lab.fabric(lab.generate("secured", "--prefix y- --address-base 10.7 " + SIZE))
                .upWithTls(pki, 6641);
            secured.put(secured.file()).awaitPhase("converged");
            secured.assertAllReachable();
            plain.assertAllReachable();
            final var leaf = secured.file().switches().iterator().next();
            assertThat(secured.controllers(leaf)).containsExactly("ssl:" + controller.addressForSwitches() + ":6654");
            assertThat(controller.logLines()).noneMatch(line -> line.contains("which nobody here mentions"));
            assertThat(controller.stop()).isZero();
            controller.start();
            plain.awaitPhase("converged");
            secured.awaitPhase("converged");
            assertThat(controller.logLines()).noneMatch(line -> line.contains("which nobody here mentions"));
        }
    }

    /** Without its key the controller reports the missing file, and does not listen without TLS instead. */
    @Test
    void unreadableFilesAreNamed() {
        final var missing = pki.resolve("nowhere.pem");
        try (var controller = controller("tls-broken", ONLY_TLS).configure(List.of("tls-private-key=" + missing))) {
            controller.start("aaa:authentication");
            // the line before it may be cut off: Karaf reconfigures logging while the first bundles start
            awaitLogged(controller, "tls-private-key: " + missing + " does not exist: correct the path");
            assertThat(controller.listensOn("openflow-tls")).isFalse();
            assertThat(controller.listensOn("ovsdb-tls")).isFalse();
        }
    }

    /** Runs the commands of sections of the page on TLS, for this controller and the switches of this fabric. */
    private void follow(final Distribution controller, final LabFabric fabric, final String... sections) {
        final var names = fabric.file().switches().stream()
            .map(each -> fabric.file().switchNamed(each).get("system-id").getAsString())
            .collect(Collectors.joining(" "));
        final var command = new ArrayList<>(List.of(Distribution.projectRoot().resolve("site/walk-page").toString()));
        for (var section : sections) {
            command.add("docs/how-to/tls.md#" + section);
        }
        command.addAll(List.of("--machines", pki.toString(), "--home", controller.home().toString(),
            "--instead", "10.0.0.1", controller.addressForSwitches(),
            "--instead", "/opt/daqfabric/bin/certificates", controller.home() + "/bin/certificates",
            "--instead", "p1s1 p1l1 r1-1 h1-1", names, "--first",
            "CONTROLLER=" + controller.addressForSwitches() + " NODES='" + names + "'"));
        Processes.run(command).orFail();
    }

    private static void awaitLogged(final Distribution controller, final String... words) {
        // on a busy machine a switch gives up connecting after 1, 2, 4 and 8 s before it waits long enough
        await("log line with " + List.of(words)).atMost(Duration.ofMinutes(1))
            .until(() -> controller.logLines().stream()
                .anyMatch(line -> List.of(words).stream().allMatch(line::contains)));
    }

    private Distribution controller(final String name, final List<String> settings) {
        final var all = new ArrayList<>(settings);
        all.addAll(Lab.daqlab("pki", pki.toString()).output().lines().toList());
        return Distribution.daqfabric(name).configure(all);
    }
}
