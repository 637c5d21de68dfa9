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
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A fabric of the lab and the controller's idea of it. */
final class LabFabric implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final Distribution controller;
    private final FabricFile file;
    private final String name;
    private final Thread atExit = new Thread(this::down);
    private boolean isUp;

    /**
     * @param file what is cabled; the controller may be told less
     */
    LabFabric(final Distribution controller, final FabricFile file) {
        this.controller = controller;
        this.file = file.copy();
        name = file.name();
    }

    /** Starts its switches, unless they run. */
    LabFabric up() {
        return up("--controller", controller.addressForSwitches());
    }

    /** Starts its switches with the Open vSwitch of {@code scripts/ovs}, which knows daqrings, unless they run. */
    LabFabric upWithRings() {
        return up("--controller", controller.addressForSwitches(), "--ovs",
            Distribution.projectRoot().resolve(".cache/ovs/current/ovs-vswitchd").toString());
    }

    /** Starts its switches with certificates of the CA in that folder, unless they run. */
    LabFabric upWithTls(final Path pki, final int port) {
        return up("--controller", controller.addressForSwitches() + ":" + port, "--tls", pki.toString());
    }

    private LabFabric up(final String... options) {
        if (isUp) {
            return this;
        }
        isUp = true;
        Runtime.getRuntime().addShutdownHook(atExit);
        Lab.attempt("down", name);
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

    /** Describes it to the controller. */
    LabFabric put(final FabricFile description) {
        controller.restconf().put(path(), description.json()).orFail();
        return this;
    }

    /** Takes it from the controller. */
    void delete() {
        controller.restconf().delete(path()).orFail();
    }

    /** Waits until no node has a bridge any more, and the controller no state of it. */
    void awaitGone() {
        await(name + " to be gone").atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(200))
            .untilAsserted(() -> assertThat(file.switches()).allMatch(each -> bridges(each).isEmpty()));
        awaitState("no state", state -> state.phase().equals("absent"));
    }

    FabricFile file() {
        return file;
    }

    String name() {
        return name;
    }

    /** Of its configuration, relative to RESTCONF's root. */
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
        await(name + ": " + what).atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(50))
            .untilAsserted(() -> {
                last.set(state());
                assertThat(condition.test(last.get())).as(last.get().summary()).isTrue();
            });
        return last.get();
    }

    /** Cuts a link and returns the state when the repair is confirmed. */
    FabricState cut(final String switchName, final String port) {
        final var before = OffsetDateTime.now();
        daqlab("cut", switchName, port);
        return awaitState("repair of " + switchName + ":" + port, state -> state.isRepairedSince(before));
    }

    /** Restores a link and returns the state when all is well again. */
    FabricState restore(final String switchName, final String port) {
        daqlab("restore", switchName, port);
        return awaitState("all well after " + switchName + ":" + port, state -> state.phase().equals("converged"));
    }

    /** Every ROS asks every DCM and every DCM every ROS: all must answer. */
    void assertAllReachable() {
        final var ping = Lab.attempt("ping", name);
        assertThat(ping.code()).as(ping.output() + ping.errors()).isZero();
    }

    /** The same for those hosts only, given by name. */
    void assertReachable(final Set<String> hosts) {
        assertThat(missingPairs()).noneMatch(hosts::containsAll);
    }

    /** Pairs of a ROS and a DCM of which one does not answer the other. */
    Set<Set<String>> missingPairs() {
        return JsonParser.parseString(Lab.attempt("ping", name, "--json").output()).getAsJsonObject()
            .getAsJsonArray("missing").asList().stream().map(JsonElement::getAsJsonObject)
            .map(pair -> Set.of(pair.get("from").getAsString(), pair.get("to").getAsString()))
            .collect(Collectors.toSet());
    }

    /** Compares switches with their programs; all if none is named. */
    Findings verify(final String... switches) {
        return Findings.of(operation("verify", switches));
    }

    /** The same, and puts right what differs. */
    Findings resync(final String... switches) {
        return Findings.of(operation("resync", switches));
    }

    /** Takes links into use that are held back. */
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

    /** The switches a packet passes, as Open vSwitch itself says. */
    List<String> trace(final String from, final String to) {
        final var answer = JsonParser.parseString(
            Lab.attempt("trace", from, to, "--fabric", name, "--json").output()).getAsJsonObject();
        assertThat(answer.get("result").getAsString()).as(answer.toString()).isEqualTo("delivered");
        return answer.getAsJsonArray("path").asList().stream().map(JsonElement::getAsString).toList();
    }

    ContinuousPing ping(final int perSecond) {
        return new ContinuousPing(this, perSecond).underWay();
    }

    /** A command of daqlab that takes the fabric as an option. */
    String daqlab(final String... arguments) {
        final var all = new ArrayList<>(List.of(arguments));
        all.add(1, "--fabric");
        all.add(2, name);
        return Lab.daqlab(all.toArray(String[]::new)).output();
    }

    /** What a switch's Open vSwitch holds. */
    SwitchContents contents(final String switchName) {
        return SwitchContents.read(folder(switchName), "br-daq");
    }

    SortedMap<String, SwitchContents> contents() {
        final var all = new TreeMap<String, SwitchContents>();
        file.switches().forEach(each -> all.put(each, contents(each)));
        return all;
    }

    /** What a node was told as its OpenFlow controllers. */
    List<String> controllers(final String switchName) {
        return vsctl(switchName, "get-controller", "br-daq");
    }

    /** Names of the bridges of a node. */
    List<String> bridges(final String switchName) {
        return vsctl(switchName, "list-br");
    }

    /** Runs ovs-vsctl on a node, behind the controller's back. */
    List<String> vsctl(final String switchName, final String... arguments) {
        return Processes.run(Stream.concat(
            Stream.of("ovs-vsctl", "--no-wait", "--db=unix:" + folder(switchName) + "/db.sock"),
            Stream.of(arguments)).toList()).orFail().output().lines().toList();
    }

    /** Runs ovs-ofctl on a switch, behind the controller's back. */
    void ofctl(final String switchName, final String command, final String... arguments) {
        Processes.run(Stream.concat(
            Stream.of("ovs-ofctl", "-O", "OpenFlow13", command, "unix:" + folder(switchName) + "/br-daq.mgmt"),
            Stream.of(arguments)).toList()).orFail();
    }

    private static Path runFolder() {
        return Path.of("/run/daqlab/fabrics");
    }

    private Path folder(final String switchName) {
        return runFolder().resolve(name).resolve(switchName);
    }

    private void down() {
        Lab.attempt("down", name).orFail();
    }

    @Override
    public void close() {
        final var answer = controller.restconf().delete(path());
        if (isUp) {
            isUp = false;
            Runtime.getRuntime().removeShutdownHook(atExit);
            down();
        }
        assertThat(answer.status()).as(answer.toString()).isIn(204, 404, 409);
    }
}
