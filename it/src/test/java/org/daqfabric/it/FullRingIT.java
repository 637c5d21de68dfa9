package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What becomes of the packets in a daqring when it is changed or deleted: more come for one DCM than its daqrings let
 * out, so that hundreds are in them. The rows of the table in docs/daqring.md are written to {@code target/rings.md} of
 * this module.
 */
@Tag("long") // measures each change of daqrings
@ExtendWith(SharedController.class)
class FullRingIT {
    private static final Path TABLE = Path.of("target/rings.md");
    private static final int FIRST_RING = 10_000;
    private static final int INTERVAL = 2000;
    private static final int RATE = 700;
    private static final int FULL = 150;
    private static final int ATTEMPTS = 8;
    private static final Duration DURATION = Duration.ofSeconds(3);
    /** Packets that a link loses at most when it is cut, until the switch before it knows. */
    private static final int ON_THE_LINK = 20;
    private static final String DCM = "h2-1d1";
    /** Changes that are made under TCP only in {@code make test-long}; packets of UDP meet all of them. */
    private static final Set<String> LONG = Set.of("its leaf is drained",
        "`on` from `all-switches` to `destination-leaf`", "`ring-size` from 4096 to 3000");
    private static FabricFile original;
    private static LabFabric fabric;

    static Stream<Arguments> changes() {
        final var changes = new LinkedHashMap<String, Consumer<FabricFile>>();
        changes.put("nothing", file -> { });
        changes.put("its spine is drained", file ->
            file.switchNamed(spine()).addProperty("admin-state", "drained"));
        changes.put("its leaf is drained", file ->
            file.switchNamed(leaf()).addProperty("admin-state", "drained"));
        changes.put("`on` from `all-switches` to `destination-leaf`", file -> policy(file).addProperty("on",
            "destination-leaf"));
        changes.put("`on` from `all-switches` to `none`", file -> policy(file).addProperty("on", "none"));
        changes.put("`ring-size` from 4096 to 3000", file -> policy(file).addProperty("ring-size", 3000));
        changes.put("`polling-interval` halved", file -> policy(file).addProperty("polling-interval", INTERVAL / 2));
        return changes.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
    }

    static Stream<Arguments> changesUnderTcp() {
        return changes().filter(each -> Boolean.getBoolean("daqfabric.long") || !LONG.contains((String) each.get()[0]));
    }

    @BeforeAll
    static void bringUp(final Lab lab) throws IOException {
        original = lab.generate("full", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2");
        final var daqring = new JsonObject();
        daqring.addProperty("on", "all-switches");
        daqring.addProperty("ring-size", 4096);
        daqring.addProperty("max-burst", 1);
        daqring.addProperty("polling-interval", INTERVAL);
        original.fabric().getAsJsonObject("policy").add("daqring", daqring);
        fabric = lab.fabric(original).upWithRings();
        Files.deleteIfExists(TABLE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void losesNothing(final String what, final Consumer<FabricFile> change) throws IOException {
        begin(original);
        afterwards(what, () -> fabric.put(changed(change)), FullRingIT::packets, 0);
    }

    /** The way back, when DCMs may move to the spine that is in service again. */
    @Test
    void losesNothingWhenASpineIsInServiceAgain() throws IOException {
        begin(withoutItsSpine());
        afterwards("its former spine is undrained", FullRingIT::undrain, FullRingIT::packets, 0);
    }

    /** The spine still forwards, and empties what it holds, while the ROS sends by another one; then the way back. */
    @Test
    void losesWhatIsOnALinkThatIsCut() throws IOException {
        begin(original);
        final var path = fabric.trace("r1-1", DCM);
        final var leaf = path.get(1);
        final var port = "to-" + path.get(2);
        afterwards("the link between the ROS's leaf and its spine is cut", () -> fabric.cut(leaf, port),
            FullRingIT::packets, ON_THE_LINK);
        afterwards("that link returns", () -> fabric.daqlab("restore", leaf, port), FullRingIT::packets, 0);
        fabric.awaitPhase("converged");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changesUnderTcp")
    void losesNothingUnderTcp(final String what, final Consumer<FabricFile> change) throws IOException {
        begin(original);
        afterwards(what, () -> fabric.put(changed(change)), FullRingIT::eventsWithoutTimeout, 0);
    }

    @Test
    void losesNothingUnderTcpWhenASpineIsInServiceAgain() throws IOException {
        begin(withoutItsSpine());
        afterwards("its former spine is undrained", FullRingIT::undrain, FullRingIT::eventsWithoutTimeout, 0);
    }

    /** Two ROS whose windows grow fill any daqring, unless it tells them before. */
    @Test
    void marksKeepADaqringFromOverflowing() {
        fabric.put(changed(file -> policy(file).addProperty("ring-size", 100)));
        awaitRingsWith("ring-size=100");
        assertThat(events("--size", "600000").get("ring-drops").getAsInt()).isPositive();
        fabric.put(changed(file -> {
            policy(file).addProperty("ring-size", 100);
            policy(file).addProperty("ecn-threshold", 30);
        }));
        awaitRingsWith("ecn-threshold=30");
        assertThat(events("--size", "600000", "--ecn").get("ring-drops").getAsInt()).isZero();
    }

    /**
     * What a full daqring in a run leaves behind: an episode with the number of the run and the milliseconds around its
     * first drop, in the state, the metrics, the doctor, the log and on the page.
     */
    @Test
    void dropsAreToldWithTheRun(final Distribution controller, final Restconf restconf) {
        // what a daqring holds back of another test keeps it from holding back this one's: new daqrings
        fabric.put(changed(file -> policy(file).addProperty("on", "none")));
        awaitRings("no daqrings", List::isEmpty);
        fabric.put(changed(file -> policy(file).addProperty("ring-size", 100)));
        awaitRingsWith("ring-size=100");
        final var log = new ControllerLog(controller);
        final var partition = new RunPartition(restconf, "det", fabric.name());
        try {
            partition.prepared("").armed().started(4711);
            assertThat(events("--size", "600000").get("ring-drops").getAsInt()).isPositive();
            final var found = new AtomicReference<JsonObject>();
            await("an episode").atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofSeconds(1)).untilAsserted(() ->
                assertThat(FabricFile.entries(fabric.state().json(), "drop-episode"))
                    .filteredOn(each -> each.has("run-number")).isNotEmpty().allSatisfy(found::set));
            final var episode = found.get();
            assertThat(episode.get("run-number").getAsInt()).isEqualTo(4711);
            assertThat(List.of(episode.get("partition").getAsString(), episode.get("dcm").getAsString()))
                .containsExactly("det", DCM);
            assertThat(fabric.trace("r1-1", DCM)).contains(episode.get("switch").getAsString());
            assertThat(episode.get("dropped").getAsLong()).isPositive();
            assertThat(episode.get("peak").getAsInt()).isEqualTo(100);
            final var occupancy = occupancies(episode.get("occupancy").getAsString());
            assertThat(occupancy).hasSize(601);
            assertThat(occupancy.get(episode.get("before").getAsInt())).isEqualTo(100);

            final var labels = new String[] {"fabric=\"" + fabric.name() + '"', "partition=\"det\"", "run=\"4711\""};
            final var scrape = Scrape.of(controller);
            assertThat(scrape.sum("daqfabric_run_daqring_drop_episodes", labels)).isPositive();
            assertThat(scrape.sum("daqfabric_run_daqring_dropped_packets", labels)).isPositive();
            // there is no such metric before statistics have been asked for
            await("statistics").atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofSeconds(1)).untilAsserted(() ->
                assertThat(Scrape.of(controller).sum("daqfabric_switch_daqring_drop_episodes_total", labels[0]))
                    .isPositive());
            AlarmWatch.awaitIn(controller.restconf(), "daqring-drops", "fabric/" + fabric.name(), false);
            final var words = "that of " + DCM + " in " + episode.get("switch").getAsString() + ", which held 100";
            try (var shell = new Shell(controller)) {
                final var doctor = shell.run("daqfabric:doctor").output().replaceAll("\\s+", " ");
                assertThat(doctor).contains("WARNING fabric " + fabric.name() + ": daqrings dropped packets: that of",
                    "in run 4711 of partition det", "size-daqrings");
            }
            assertThat(log.newEntries()).anySatisfy(entry -> assertThat(entry.toString())
                .startsWith("WARN").contains("daqrings dropped packets", words, "in run 4711 of partition det"));
            try (var browser = new Browser()) {
                browser.open("http://admin:admin@127.0.0.1:" + controller.port("restconf") + "/daqfabric/?fabric="
                    + fabric.name());
                browser.awaitText("#panel .drops", "run 4711 of det");
                browser.awaitThat("document.querySelector('#panel .drops .occupancy .fill').getBBox().height > 40");
                browser.screenshot(Distribution.projectRoot().resolve("it/target/page/drops.png"));
            }
        } finally {
            partition.ask("abort", "").orFail();
        }
    }

    private static List<Integer> occupancies(final String text) {
        return Stream.of(text.split(" ")).map(token -> token.split("\\*"))
            .flatMap(token -> Collections.nCopies(token.length > 1 ? Integer.parseInt(token[1]) : 1,
                Integer.parseInt(token[0])).stream()).toList();
    }

    private static FabricFile changed(final Consumer<FabricFile> change) {
        final var changed = original.copy();
        change.accept(changed);
        return changed;
    }

    private static FabricFile withoutItsSpine() {
        fabric.put(original).awaitPhase("converged");
        return changed(file -> file.switchNamed(spine()).addProperty("admin-state", "drained"));
    }

    private static void undrain() {
        fabric.put(original);
        fabric.rebalance();
    }

    private static void begin(final FabricFile file) {
        fabric.put(file).awaitPhase("converged");
        fabric.assertAllReachable();
    }

    /** Makes the change while `traffic` keeps hundreds of packets in a daqring. */
    private static void afterwards(final String what, final Runnable change, final Supplier<JsonObject> traffic,
            final int mayLose) throws IOException {
        final var running = filling(traffic);
        change.run();
        final var report = running.join();
        Files.writeString(TABLE, "| %s | %s |%n".formatted(what, report), StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
        assertThat(report.get("lost").getAsInt()).as(report.toString()).isBetween(0, mayLose);
        await(what).atMost(LabFabric.TIMEOUT).until(() -> fabric.verify().findings().isEmpty());
    }

    /** Starts traffic that fills a daqring; again if it ends before, as on a machine that lets it send too slowly. */
    private static CompletableFuture<JsonObject> filling(final Supplier<JsonObject> traffic) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            final var running = CompletableFuture.supplyAsync(traffic);
            final var filled = new AtomicBoolean();
            await("a daqring that fills").atMost(LabFabric.TIMEOUT).pollInterval(Duration.ofMillis(100)).until(() -> {
                filled.set(held() > FULL);
                return filled.get() || running.isDone();
            });
            if (filled.get()) {
                return running;
            }
        }
        throw new AssertionError("no daqring has held " + FULL + " packets in " + ATTEMPTS + " attempts");
    }

    /** Packets of UDP at a rate that the daqrings do not let through. */
    private static JsonObject packets() {
        final var report = JsonParser.parseString(Lab.tryDaqlab("probe", "r1-1", DCM, "--fabric", fabric.name(),
            "--rate", Integer.toString(RATE), "--duration", Long.toString(DURATION.toSeconds()), "--json").output())
            .getAsJsonObject();
        final var row = new JsonObject();
        row.add("sent", report.get("sent"));
        row.add("lost", report.get("lost"));
        return row;
    }

    /** Events of 1008 packets, of many connections, as a few do not fill a daqring. */
    private static JsonObject eventsWithoutTimeout() {
        final var row = events("--size", "60000", "--applications", "12");
        assertThat(row.get("timeouts").getAsInt()).as(row.toString()).isZero();
        return row;
    }

    /** Waits for the options of all daqrings: the phase might still be that of what was configured before. */
    private static void awaitRings(final String what, final Predicate<List<String>> expected) {
        await(what).atMost(Duration.ofSeconds(90)).until(() -> fabric.file().switches().stream().flatMap(each ->
            fabric.vsctl(each, "--bare", "--columns=options", "find", "Interface", "type=daqring").stream())
            .filter(line -> !line.isBlank()).toList(), expected::test);
    }

    /** Waits until there are daqrings, all have an option, and the fabric has converged. */
    private static void awaitRingsWith(final String option) {
        awaitRings("daqrings with " + option, rings -> !rings.isEmpty() && rings.stream().allMatch(each ->
            each.contains(option)));
        fabric.awaitPhase("converged");
    }

    /** Events over TCP. */
    private static JsonObject events(final String... options) {
        final var command = new ArrayList<>(List.of("events", fabric.name(), "--dcms", DCM, "--rto-min",
            "2000", "--duration", Long.toString(DURATION.toSeconds()), "--json"));
        command.addAll(List.of(options));
        final var report = JsonParser.parseString(Lab.tryDaqlab(command.toArray(String[]::new)).output())
            .getAsJsonObject();
        final var total = report.getAsJsonObject("total");
        final var row = new JsonObject();
        for (final var name : List.of("events", "retransmits", "timeouts", "ring-drops")) {
            row.add(name, total.get(name));
        }
        if (total.get("latency") instanceof JsonObject latency) {
            row.add("longest-ms", latency.get("max"));
        }
        row.add("lost", report.get("lost"));
        return row;
    }

    private static JsonObject policy(final FabricFile file) {
        return file.fabric().getAsJsonObject("policy").getAsJsonObject("daqring");
    }

    /** ROS, leaf, spine, leaf, rack. */
    private static String spine() {
        return fabric.trace("r1-1", DCM).get(2);
    }

    private static String leaf() {
        return fabric.trace("r1-1", DCM).get(3);
    }

    /** Packets in the fullest daqring of the spines, as Open vSwitch counts them now. */
    private static long held() {
        return Stream.of("p1s1", "p1s2", "p2s1", "p2s2").flatMap(name -> fabric.held(name).entrySet().stream())
            .filter(each -> each.getKey() >= FIRST_RING).map(Map.Entry::getValue).max(Long::compare).orElse(0L);
    }
}
