package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A fabric of the lab, and its configuration and state in the controller. */
final class LabFabric implements AutoCloseable {
    private static final Pattern PORT_COUNTERS =
        Pattern.compile("port +([0-9]+): rx pkts=([0-9]+),[^\n]*\n *tx pkts=([0-9]+),");
    private static final Pattern ALL_PORT_COUNTERS = Pattern.compile(
        "port +([0-9]+|LOCAL): rx pkts=([0-9]+), bytes=([0-9]+),[^\n]*\n *tx pkts=([0-9]+), bytes=([0-9]+),");
    static final Duration TIMEOUT = Duration.ofSeconds(120);

    private final Distribution controller;
    private final FabricFile file;
    private final String name;
    private final Thread atExit = new Thread(this::down);
    private boolean isUp;

    /**
     * Creates a fabric that is not up yet.
     *
     * @param file the cabled fabric; the controller may be configured with less
     */
    LabFabric(final Distribution controller, final FabricFile file) {
        this.controller = controller;
        this.file = file.copy();
        name = file.name();
    }

    /** Starts the switches, unless they are running. */
    LabFabric up() {
        return up("--controller", controller.addressForSwitches());
    }

    /** Like {@link #up()}, with the Open vSwitch of {@code scripts/ovs}, which supports daqrings. */
    LabFabric upWithRings() {
        return up("--controller", controller.addressForSwitches(), "--ovs",
            Distribution.projectRoot().resolve(".cache/ovs/current/ovs-vswitchd").toString());
    }

    /** Like {@link #up()}, with that of {@code scripts/ovs dpdk}, which has DPDK and AF_XDP ports too. */
    LabFabric upWithDpdk() {
        return up("--controller", controller.addressForSwitches(), "--ovs",
            Distribution.projectRoot().resolve(".cache/ovs/current-dpdk/ovs-vswitchd").toString());
    }

    /** Like {@link #up()}, with certificates of the CA in a folder. */
    LabFabric upWithTls(final Path pki, final int port) {
        return up("--controller", controller.addressForSwitches() + ":" + port, "--tls", pki.toString());
    }

    private LabFabric up(final String... options) {
        if (isUp) {
            return this;
        }
        isUp = true;
        Runtime.getRuntime().addShutdownHook(atExit);
        Lab.tryDaqlab("down", name);
        try {
            final var stored = Files.createTempFile(name, ".json");
            try {
                Files.writeString(stored, file.json());
                Lab.daqlab(Stream.concat(Stream.of("up", stored.toString()), Stream.of(options))
                    .toArray(String[]::new));
            } finally {
                Files.delete(stored);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Configures the fabric in the controller. */
    LabFabric put(final FabricFile description) {
        controller.restconf().put(path(), description.json()).orFail();
        return this;
    }

    /** Removes the fabric from the configuration. */
    void delete() {
        controller.restconf().delete(path()).orFail();
    }

    /** Waits until no node has a bridge and the controller has no state of the fabric. */
    void awaitGone() {
        await(name + " to be gone").atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(200))
            .untilAsserted(() -> assertThat(file.switches()).allMatch(each -> bridges(each).isEmpty()));
        awaitState("no state", state -> state.phase().equals("absent"));
    }

    FabricFile file() {
        return file;
    }

    String name() {
        return name;
    }

    /** Path of the configuration, relative to the root of RESTCONF. */
    String path() {
        return "data/daqfabric:fabrics/fabric=" + name;
    }

    FabricState state() {
        final var answer = controller.restconf().get(path() + "/state?content=nonconfig");
        return new FabricState(answer.status() == 200 ? answer.json().getAsJsonObject("daqfabric:state")
            : new JsonObject());
    }

    LabFabric awaitPhase(final String phase) {
        awaitState("phase " + phase, state -> state.phase().equals(phase));
        return this;
    }

    FabricState awaitState(final String what, final Predicate<FabricState> condition) {
        final var last = new AtomicReference<FabricState>();
        await(name + ": " + what).atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(Polls.GROWING)
            .untilAsserted(() -> {
                last.set(state());
                assertThat(condition.test(last.get())).as(last.get().summary()).isTrue();
            });
        return last.get();
    }

    /** Cuts a link, waits until both steps of the repair are confirmed, and returns the state. */
    FabricState cut(final String switchName, final String port) {
        final var before = OffsetDateTime.now();
        daqlab("cut", switchName, port);
        return awaitState("repair of " + switchName + ":" + port,
            state -> state.isRepairedSince(before) && !state.phase().equals("programming"));
    }

    /** Restores a link, waits until the fabric has converged, and returns the state. */
    FabricState restore(final String switchName, final String port) {
        daqlab("restore", switchName, port);
        return awaitState("all well after " + switchName + ":" + port, state -> state.phase().equals("converged"));
    }

    /** Asserts that every ROS reaches every DCM, and every DCM every ROS. */
    void assertAllReachable() {
        final var ping = Lab.tryDaqlab("ping", name);
        assertThat(ping.code()).as(ping.output() + ping.errors()).isZero();
    }

    /** The same for the named hosts only. */
    void assertReachable(final Set<String> hosts) {
        assertThat(missingPairs()).noneMatch(hosts::containsAll);
    }

    /** Pairs of a ROS and a DCM that do not reach each other. */
    Set<Set<String>> missingPairs() {
        return JsonParser.parseString(Lab.tryDaqlab("ping", name, "--json").output()).getAsJsonObject()
            .getAsJsonArray("missing").asList().stream().map(JsonElement::getAsJsonObject)
            .map(pair -> Set.of(pair.get("from").getAsString(), pair.get("to").getAsString()))
            .collect(Collectors.toSet());
    }

    /** Compares switches with their programs; all switches if none is named. */
    Findings verify(final String... switches) {
        return Findings.of(operation("verify", switches));
    }

    /** The same, and corrects the differences. */
    Findings resync(final String... switches) {
        return Findings.of(operation("resync", switches));
    }

    /** Takes held-back links into use. */
    void rebalance() {
        operation("rebalance").orFail();
    }

    private Restconf.Answer operation(final String rpc, final String... switches) {
        final var input = new JsonObject();
        input.addProperty("fabric", name);
        if (switches.length > 0) {
            final var list = new JsonArray();
            List.of(switches).forEach(list::add);
            input.add("switch", list);
        }
        final var body = new JsonObject();
        body.add("input", input);
        return controller.restconf().post("operations/daqfabric-operations:" + rpc, body.toString());
    }

    /** The path of a packet, as traced by Open vSwitch itself. */
    List<String> trace(final String from, final String to) {
        final var answer = JsonParser.parseString(
            Lab.tryDaqlab("trace", from, to, "--fabric", name, "--json").output()).getAsJsonObject();
        assertThat(answer.get("result").getAsString()).as(answer.toString()).isEqualTo("delivered");
        return answer.getAsJsonArray("path").asList().stream().map(JsonElement::getAsString).toList();
    }

    /**
     * Waits until pings of all pairs lose nothing for two seconds, as at least those do that begin when a limit has
     * passed.
     */
    void awaitNoLoss(final Instant since, final Duration limit) {
        JsonObject report;
        Instant begun;
        do {
            begun = Instant.now();
            report = JsonParser.parseString(Lab.tryDaqlab("ping", name, "--json", "--duration", "2", "--rate", "10")
                .output()).getAsJsonObject();
            assertThat(report.get("sent").getAsInt()).isPositive();
        } while (report.get("lost").getAsInt() > 0 && begun.isBefore(since.plus(limit)));
        assertThat(report.get("lost").getAsInt()).as("lost " + limit + " after " + since + ": " + report).isZero();
    }

    ContinuousPing ping(final int perSecond) {
        return new ContinuousPing(this, perSecond).awaitStarted();
    }

    /** Runs a daqlab command on this fabric. */
    String daqlab(final String... arguments) {
        final var all = new ArrayList<>(List.of(arguments));
        all.add(1, "--fabric");
        all.add(2, name);
        return Lab.daqlab(all.toArray(String[]::new)).output();
    }

    /** Rules and groups in a switch. */
    SwitchContents contents(final String switchName) {
        return SwitchContents.read(folder(switchName), "br-daq");
    }

    SortedMap<String, SwitchContents> contents() {
        final var all = new TreeMap<String, SwitchContents>();
        file.switches().forEach(each -> all.put(each, contents(each)));
        return all;
    }

    /** The OpenFlow controllers configured on a node. */
    List<String> controllers(final String switchName) {
        return vsctl(switchName, "get-controller", "br-daq");
    }

    /** The network namespace of a node. */
    String namespace(final String switchName) {
        return "dq-" + name() + "." + switchName;
    }

    /** Names of the bridges of a node. */
    List<String> bridges(final String switchName) {
        return vsctl(switchName, "list-br");
    }

    /** Counts from now on the rules and groups that the controller sends to each switch. */
    ModificationLog modifications(final Path emptyFolder) {
        return new ModificationLog(file.switches().stream().collect(Collectors.toMap(each -> each,
            each -> folder(each).resolve("br-daq.snoop"))), emptyFolder);
    }

    /** Runs ovs-vsctl on a node, behind the controller's back. */
    List<String> vsctl(final String switchName, final String... arguments) {
        return Processes.run(Stream.concat(
            Stream.of("ovs-vsctl", "--no-wait", "--db=unix:" + folder(switchName) + "/db.sock"),
            Stream.of(arguments)).toList()).orFail().output().lines().toList();
    }

    /** Lets a node connect to the controller anew, at once. */
    void reconnect(final String switchName) {
        final var manager = vsctl(switchName, "get-manager").get(0);
        vsctl(switchName, "del-manager");
        vsctl(switchName, "set-manager", manager);
    }

    /** Sends a signal to the OVSDB server of a node. */
    void signalDatabase(final String switchName, final String signal) {
        try {
            Processes.run(List.of("kill", "-" + signal,
                Files.readString(folder(switchName).resolve("ovsdb-server.pid")).strip())).orFail();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets a node tell once how busy its PMD threads are. */
    void tellLoad(final String switchName) {
        Processes.run(List.of(Distribution.projectRoot().resolve("packages/daqfabric/daqfabric-node-load").toString(),
            "--once", "--db=unix:" + folder(switchName) + "/db.sock",
            "--target=" + folder(switchName) + "/ovs-vswitchd.ctl")).orFail();
    }

    /** Runs ovs-appctl on a switch, behind the controller's back. */
    void appctl(final String switchName, final String... command) {
        appctlOf("ovs-vswitchd", switchName, command);
    }

    /** As {@link #appctl}, for one of a switch's two daemons. */
    void appctlOf(final String daemon, final String switchName, final String... command) {
        Processes.run(Stream.concat(Stream.of("ovs-appctl", "-t", folder(switchName) + "/" + daemon + ".ctl"),
            Stream.of(command)).toList()).orFail();
    }

    /** Runs ovs-ofctl on a switch, behind the controller's back. */
    String ofctl(final String switchName, final String command, final String... arguments) {
        final var bridge = "unix:" + folder(switchName) + "/" + bridges(switchName).get(0) + ".mgmt";
        return Processes.run(Stream.concat(Stream.of("ovs-ofctl", "-O", "OpenFlow13", command, bridge),
            Stream.of(arguments)).toList()).orFail().output();
    }

    /** Packets and bytes of each port of a switch, by its number. */
    SortedMap<String, Map<String, Long>> portCounters(final String switchName) {
        final var counters = new TreeMap<String, Map<String, Long>>();
        final var found = ALL_PORT_COUNTERS.matcher(ofctl(switchName, "dump-ports", "--no-names"));
        while (found.find()) {
            counters.put(found.group(1), Map.of("received packets", Long.parseLong(found.group(2)), "received bytes",
                Long.parseLong(found.group(3)), "transmitted packets", Long.parseLong(found.group(4)),
                "transmitted bytes", Long.parseLong(found.group(5))));
        }
        return counters;
    }

    /** Packets that were sent to each port of a switch and have not come back from it: what its daqrings hold. */
    Map<Integer, Long> held(final String switchName) {
        final var bridge = "unix:" + folder(switchName) + "/" + bridges(switchName).get(0) + ".mgmt";
        final var counters = PORT_COUNTERS.matcher(Processes.run(List.of("ovs-ofctl", "-O", "OpenFlow13", "--no-names",
            "dump-ports", bridge)).orFail().output());
        final var held = new TreeMap<Integer, Long>();
        while (counters.find()) {
            held.put(Integer.valueOf(counters.group(1)),
                Long.parseLong(counters.group(3)) - Long.parseLong(counters.group(2)));
        }
        return held;
    }

    private static Path runFolder() {
        return Path.of("/run/daqlab/fabrics");
    }

    private Path folder(final String switchName) {
        return runFolder().resolve(name).resolve(switchName);
    }

    private void down() {
        Lab.tryDaqlab("down", name).orFail();
    }

    /** A partition that a failed test left would be an error in the diagnosis of the next one. */
    private void abortPartitions() {
        final var answer = controller.restconf().get("data/daqfabric-run-control:run-control?content=nonconfig");
        if (answer.status() == 200) {
            FabricFile.entries(answer.json().getAsJsonObject("daqfabric-run-control:run-control"), "partition").stream()
                .filter(each -> each.has("fabric") && each.get("fabric").getAsString().equals(name)
                    && !each.get("state").getAsString().equals("idle"))
                .forEach(each -> new RunPartition(controller.restconf(), each.get("name").getAsString(), name)
                    .ask("abort", ""));
        }
    }

    @Override
    public void close() {
        abortPartitions();
        final var answer = controller.restconf().delete(path());
        if (isUp) {
            isUp = false;
            Runtime.getRuntime().removeShutdownHook(atExit);
            down();
        }
        assertThat(answer.status()).as(answer.toString()).isIn(204, 404, 409);
    }
}
