package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.jdi.ObjectReference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Alarms of what goes wrong in the controller and on its machine. They have a controller of their own, because its
 * threads are held, its heap and its disk are filled and its clock is set.
 */
class ControllerAlarmsIT {
    private static final int OVSDB_TLS = 6641;
    private static final String PROXY = "127.0.0.88";
    private static final List<String> SETTINGS = List.of("openflow-tls-port=6654", "ovsdb-tls-port=" + OVSDB_TLS,
        "proxies=" + PROXY);
    private static final int HEAP = 512; // MiB
    private static final int MEBI = 1 << 20;
    private static final int BALLAST = 8; // MiB
    private static final int DISK = 1500; // MiB, half as much again than the controller wants
    private static final String LOOP = "org.daqfabric.impl.controller.FabricLoop";
    private static final String SHARD = "org.opendaylight.controller.cluster.datastore.Shard";

    @TempDir
    private static Path pki;
    private static Distribution controller;
    private static SmallDisk disk;
    private static SteppedClock clock;
    private static Debugger debugger;
    private static Lab lab;
    private static LabFabric fabric;
    private static AlarmWatch watch;
    /** How far the clock of the controller is ahead of the machine's since it started. */
    private static Duration ahead = Duration.ZERO;
    /** Has the port for OVSDB over TLS before the controller can take it. */
    private static ServerSocket stranger;

    @BeforeAll
    static void bringUp() throws IOException {
        controller = Distribution.daqfabric("alarms").variable("DAQFABRIC_HEAP", HEAP + "m");
        disk = new SmallDisk(controller.home().resolve("state"), DISK);
        final var settings = new ArrayList<>(SETTINGS);
        settings.addAll(Lab.daqlab("pki", pki.toString()).output().lines().toList());
        controller.configure(settings);
        clock = new SteppedClock(controller);
        Debugger.allow(controller);
        stranger = new ServerSocket(OVSDB_TLS, 1, InetAddress.getByName(controller.address()));
        final var inTheWay = Files.createDirectories(controller.home().resolve("data/accounts/.operator/full"));
        final var accounts = CompletableFuture.runAsync(() -> accountsAreStoredLate(inTheWay));
        controller.start();
        accounts.join();
        debugger = new Debugger(controller);
        watch = new AlarmWatch(controller);
        lab = new Lab(controller);
        final var file = lab.generate("own", "--planes 1 --spines 2 --pods 1 --ros 1 --racks 1 --dcms 2");
        file.fabric().getAsJsonObject("policy").add("daqring", JsonParser.parseString(
            "{\"on\":\"destination-leaf\",\"ring-size\":10,\"max-burst\":1,\"polling-interval\":2000}"));
        fabric = lab.fabric(file).upWithRings().put(file).awaitPhase("converged");
    }

    @AfterAll
    static void close() throws IOException {
        try (var stored = disk; var running = controller; var port = stranger; var fabrics = lab) {
            watch.close();
            debugger.close();
        }
    }

    /** A viewer looks: admin is not let in until accounts can be stored. */
    private static void accountsAreStoredLate(final Path inTheWay) {
        final var file = controller.home().resolve("data/accounts/viewer");
        try {
            await().atMost(Duration.ofMinutes(5)).until(() -> Files.exists(file));
            final var login = Files.readString(file).strip().replaceAll("^user = \"|\"$", "");
            final var viewer = controller.restconf().as(login);
            await().atMost(Duration.ofMinutes(5)).until(() -> viewer.serves("daqfabric:fabrics"));
            AlarmWatch.awaitIn(viewer, "accounts-unstored", "controller/accounts", false);
            assertThat(controller.restconf().serves("daqfabric:fabrics")).as("by a password that all know").isFalse();
            Files.delete(inTheWay);
            Files.delete(inTheWay.getParent());
            AlarmWatch.awaitIn(viewer, "accounts-unstored", "controller/accounts", true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String resource(final String rest) {
        return "fabric/" + fabric.name() + rest;
    }

    /** Another program has a port of the controller when it starts, and leaves it. */
    @Test
    void portIsTaken() throws IOException {
        final var resource = "listener/ssl:" + controller.address() + ":" + OVSDB_TLS;
        // raised before anybody could subscribe
        AlarmWatch.awaitIn(controller.restconf(), "listener-closed", resource, false);
        assertThat(watch.text("daqfabric:doctor")).contains("cannot listen on ssl:" + controller.address() + ":"
            + OVSDB_TLS);
        stranger.close();
        watch.awaitCleared("listener-closed", resource);
    }

    /** Holds the thread that handles the next event of the fabric. */
    private static Debugger.Held holdLoop() {
        return debugger.hold(LOOP, "settle", "fabric", fabric.name());
    }

    private static String restore() {
        final var input = controller.restconf().post("operations/daqfabric-backup:backup", "{\"input\":{}}").orFail()
            .json().getAsJsonObject("daqfabric-backup:output");
        input.entrySet().removeIf(each -> !each.getKey().equals("backup"));
        input.addProperty("replace", true);
        return "{\"input\":" + input + "}";
    }

    private static CompletableFuture<Restconf.Answer> refused(final String restore) {
        return CompletableFuture.supplyAsync(() ->
            controller.restconf().post("operations/daqfabric-backup:restore", restore)).orTimeout(15, TimeUnit.SECONDS);
    }

    /** The thread that handles an event of the fabric stands still: others are repaired, also when one restores. */
    @Test
    void eventLoopStands() {
        final var other = lab.converged(lab.generate("other", "--planes 1 --spines 2 --pods 1 --ros 1 --racks 1"
            + " --dcms 1"));
        final var restore = restore();
        final var held = holdLoop();
        try (held) {
            watch.awaitRaised("loop-stands", resource(""));
            final var answer = refused(restore);
            other.cut("p1l1", "to-p1s1");
            assertThat(answer.join().status()).as(answer.toString()).isEqualTo(409);
            assertThat(answer.join().errors()).contains("the event loop of fabric " + fabric.name() + " stands",
                "nothing was begun");
            other.assertAllReachable();
        }
        watch.awaitCleared("loop-stands", resource(""));
        fabric.awaitPhase("converged");
        other.restore("p1l1", "to-p1s1");
    }

    /** The configuration datastore does not answer while a link fails, and somebody restores. */
    @Test
    void datastoreDoesNotAnswer() {
        final var restore = restore();
        final var held = debugger.hold(SHARD, "handleNonRaftCommand", "memberId", "member-1-shard-default-config");
        try (held) {
            final var answer = refused(restore);
            fabric.daqlab("cut", "p1l1", "to-p1s1");
            assertThat(answer.join().errors()).contains("nothing was restored, and no fabric ended",
                "no answer for 5 s");
            watch.awaitRaised("repair-unstored", resource(""));
            // the doctor that was asked for the repair has tried it; asked again it would wait again
            AlarmWatch.awaitIn(controller.restconf(), "datastore", "datastore/configuration", false);
            fabric.assertAllReachable();
        }
        watch.awaitCleared("repair-unstored", resource(""));
        watch.look();
        watch.awaitCleared("datastore", "datastore/configuration");
        fabric.restore("p1l1", "to-p1s1");
    }

    /** An event of the fabric throws an exception; a controller that restarts goes on with the list of alarms. */
    @Test
    void eventFailsAndControllerRestarts() throws IOException {
        final var link = resource("/link/p1l1:to-p1s2");
        fabric.daqlab("cut", "p1l1", "to-p1s2");
        watch.awaitRaised("link-down", link);
        final var acknowledged = watch.text("daqfabric:alarms --ack --reason coming p1l1:to-p1s2");
        assertThat(acknowledged).contains("link-down", "ack by karaf: coming");
        assertThat(watch.events().awaitEvent("operator-action", event -> event.text("resource").equals(link))
            .text("state")).isEqualTo("ack");
        final var before = AlarmWatch.awaitIn(controller.restconf(), "link-down", link, false);
        final var held = holdLoop();
        try (held) {
            held.fail("thrown by a test");
        }
        watch.awaitRaised("internal-error", resource(""));
        assertThat(controller.logLines()).anyMatch(line -> line.contains("thrown by a test"));
        fabric.awaitPhase("degraded");

        dropPackets();
        final var stored = fullDisk().toTheLastByte();
        watch.close();
        debugger.close();
        assertThat(controller.stop()).isZero();
        // a controller that starts knows by its node's clock how long ago the drops were
        ahead = Duration.ofMinutes(5);
        clock.set(ahead);
        controller.start();
        debugger = new Debugger(controller);
        watch = new AlarmWatch(controller);
        fabric.awaitPhase("degraded");
        stored.run();
        // perhaps before anybody could subscribe
        AlarmWatch.awaitIn(controller.restconf(), "internal-error", resource(""), true);
        AlarmWatch.awaitIn(controller.restconf(), "daqring-drops", resource(""), true);
        final var after = AlarmWatch.awaitIn(controller.restconf(), "link-down", link, false);
        assertThat(after).isEqualTo(before);
        assertThat(after.get("operator-state").getAsString()).isEqualTo("ack");
        fabric.daqlab("restore", "p1l1", "to-p1s2");
        watch.awaitCleared("link-down", link);
        assertThat(watch.events().events()).noneMatch(event -> event.text("resource").equals(link)
            && event.text("alarm-type-id").equals("link-down")
            && !event.text("perceived-severity").equals("cleared"));
        fabric.awaitPhase("converged");
    }

    /** Almost all of the heap is in use, and free again. */
    @Test
    void heapIsFull() {
        final long free = HEAP - controller.liveHeap() / MEBI;
        final var ballast = new ArrayList<ObjectReference>();
        for (long left = free; left > HEAP * 0.09; left -= BALLAST) {
            ballast.add(debugger.fill(BALLAST * MEBI - 64));
        }
        watch.awaitRaised("memory", "controller/memory");
        ballast.forEach(ObjectReference::enableCollection);
        controller.liveHeap();
        watch.awaitCleared("memory", "controller/memory");
    }

    /**
     * The disk fills: somebody is told, then configuration is refused while runs go on; with space again all is as
     * before, without a restart. The file system is made smaller rather than filled where that shows the same, as it
     * takes the machine's memory.
     */
    @Test
    void diskFills() throws IOException {
        try {
            fullDisk().configurationIsRefusedWhileRunsGoOn(watch);
        } finally {
            // the tests after this one write
            disk.reset();
        }
        watch.awaitCleared("disk-space", "controller/disk");
        fabric.awaitPhase("converged");
    }

    private static FullDisk fullDisk() {
        return new FullDisk(controller.restconf(), fabric, disk);
    }

    /** A daqring that is too small drops packets. */
    private static void dropPackets() {
        Lab.daqlab("events", fabric.name(), "--dcms", "h1-1d1", "--size", "600000", "--duration", "1");
        watch.awaitRaised("daqring-drops", resource(""));
    }

    /** The clock is set, by an hour and then to a year that cannot be, and put right. */
    @Test
    void clockIsSet() {
        clock.set(ahead.plusHours(1));
        assertThat(watch.awaitRaised("clock", "controller/clock").get("perceived-severity").getAsString())
            .isEqualTo("warning");
        clock.set(ahead.minusDays(3 * 365));
        AlarmWatch.awaitIn(controller.restconf(), "clock", "controller/clock", alarm ->
            alarm.get("perceived-severity").getAsString().equals("major"));
        clock.set(ahead);
        watch.awaitCleared("clock", "controller/clock");
        fabric.awaitPhase("converged");
    }

    /**
     * The clock is set forward and back by an hour in a run: it goes on, is repaired, and lasts as long as it does. No
     * alarm is raised but the clock's own, and users are let in as before.
     */
    @Test
    void runGoesOnWhileTheClockIsSet() {
        final var partition = new RunPartition(controller.restconf(), "set", fabric.name());
        partition.prepared("").armed();
        final long asked = System.nanoTime();
        partition.started(7);
        final long begun = System.nanoTime();
        final int told = watch.events().events().size();
        for (final int hours : new int[] {1, -1}) {
            clock.set(ahead.plusHours(hours));
            AlarmWatch.awaitIn(controller.restconf(), "clock", "controller/clock", alarm -> !alarm.get("is-cleared")
                .getAsBoolean() && alarm.get("alarm-text").getAsString().contains(hours > 0 ? "forward" : "back"));
            watch.look();
            assertThat(fabric.state().phase()).isEqualTo("converged");
        }
        // that another program has its port, and what the tests before have filled, may be told as late
        assertThat(watch.events().events().stream().skip(told).filter(event -> !event.text("perceived-severity")
            .equals("cleared")).map(event -> event.text("alarm-type-id"))).isSubsetOf("clock",
                "listener-closed", "memory", "datastore");

        fabric.daqlab("cut", "p1l1", "to-p1s1");
        await("repair").atMost(Duration.ofSeconds(30)).until(() ->
            partition.json().getAsJsonObject("run").get("repairs").getAsInt() >= 1);
        fabric.assertAllReachable();
        final long stopping = System.nanoTime();
        final var run = partition.ask("stop-run", "").orFail().json()
            .getAsJsonObject("daqfabric-run-control:output").getAsJsonObject("run");
        assertThat(Duration.between(time(run, "begun"), time(run, "ended")))
            .isBetween(Duration.ofNanos(stopping - begun).minusSeconds(1),
                Duration.ofNanos(System.nanoTime() - asked).plusSeconds(1));
        partition.ask("release", "").orFail();
        fabric.restore("p1l1", "to-p1s1");
        clock.set(ahead);
        watch.awaitCleared("clock", "controller/clock");
        fabric.awaitPhase("converged");
    }

    private static OffsetDateTime time(final JsonObject run, final String leaf) {
        return OffsetDateTime.parse(run.get(leaf).getAsString());
    }

    /** Guesses through a proxy count for who makes them, and for nobody else who uses it. */
    @Test
    void whoGuessesBehindAProxyIsKnown() throws IOException, InterruptedException {
        try (var proxy = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .localAddress(InetAddress.getByName(PROXY)).build()) {
            final var answers = new ArrayList<Integer>();
            for (int number = 0; number < 15; number++) {
                answers.add(guess(proxy, "for=198.51.100.9, for=\"192.0.2.7:4711\"", number));
            }
            assertThat(answers).startsWith(401, 401).contains(429);
            assertThat(guess(proxy, "for=198.51.100.9, for=192.0.2.8", 99)).isEqualTo(401);
        }
    }

    private static int guess(final HttpClient proxy, final String forwarded, final int number)
            throws IOException, InterruptedException {
        final var login = Base64.getEncoder().encodeToString(("admin:guess" + number).getBytes());
        final var request = HttpRequest.newBuilder(URI.create(controller.restconf().root() + "/data/daqfabric:fabrics"))
            .timeout(Duration.ofSeconds(30)).header("Forwarded", forwarded).header("Authorization", "Basic " + login);
        return proxy.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** A certificate is about to expire, cannot be read, and is replaced. */
    @Test
    void certificateExpires() throws IOException {
        final var file = pki.resolve("controller-cert.pem");
        final var good = Files.readAllBytes(file);
        Processes.run(List.of("openssl", "req", "-x509", "-config", pki.resolve("openssl.cnf").toString(), "-key",
            pki.resolve("controller-key.pem").toString(), "-days", "10", "-subj", "/CN=controller", "-extensions",
            "end", "-CA", pki.resolve("ca-cert.pem").toString(), "-CAkey", pki.resolve("ca-key.pem").toString(),
            "-out", file.toString())).orFail();
        watch.awaitRaised("certificate", "certificate/tls-certificate");
        Files.delete(file);
        watch.look();
        watch.awaitRaised("certificate", "certificate/TLS");
        Files.write(file, good);
        watch.look();
        watch.awaitCleared("certificate", "certificate/TLS");
        watch.awaitCleared("certificate", "certificate/tls-certificate");
    }
}
