package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.placement.Bundle;
import org.daqfabric.api.placement.Identities;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.controller.spi.Doubts;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.loss.LinkRates;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Decisions;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.DecisionBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.DecisionKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

class DatastoreDecisionStoreTest {
    private final InMemoryBroker broker = new InMemoryBroker();
    private final DatastoreDecisionStore store = store(broker);
    private final List<Integer> writes = new CopyOnWriteArrayList<>();

    @BeforeEach
    void countWrites() {
        broker.broker().registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
            DataObjectIdentifier.builder(Decisions.class).build(), changes -> changes.forEach(change ->
                writes.add(change.getRootNode().modifiedChildren().stream()
                    .mapToInt(decision -> decision.modifiedChildren().size()).sum())));
    }

    /** A controller that starts for the first time finds no decision. */
    @Test
    void nothingIsStoredAtFirst() throws Exception {
        assertThat(get(store.load("x"))).isEqualTo(Decision.NONE);
    }

    /** A restarted controller reads exactly the decision that was saved; otherwise it would move traffic needlessly. */
    @Test
    void readsWhatWasSaved() throws Exception {
        Decision decision = decision(4, 1);
        get(store.save("x", decision));

        assertThat(get(store(broker).load("x"))).isEqualTo(decision);
        assertThat(get(store.load("y"))).isEqualTo(Decision.NONE);
    }

    /** A restarted controller knows what was in doubt, and of a fabric that was removed nothing. */
    @Test
    void readsWhatWasInDoubt() throws Exception {
        Doubts both = new Doubts(Set.of("leaf", "rack"),
            new TreeMap<>(Map.of(new PortId("leaf", "up"), new LinkRates(0, 10_000))));
        Doubts spine = new Doubts(Set.of("spine"), new TreeMap<>());
        Doubts link = new Doubts(Set.of(), both.lossy());
        assertThat(get(store.loadDoubts("x"))).isEqualTo(Doubts.NONE);
        get(store.saveDoubts("x", both));
        get(store.saveDoubts("y", spine));
        assertThat(get(store(broker).loadDoubts("x"))).isEqualTo(both);
        get(store.saveDoubts("x", link));
        assertThat(get(store(broker).loadDoubts("x"))).isEqualTo(link);
        get(store.saveDoubts("x", Doubts.NONE));
        assertThat(get(store(broker).loadDoubts("x"))).isEqualTo(Doubts.NONE);
        get(store.save("y", decision(4, 1)));
        assertThat(get(store(broker).loadDoubts("y"))).isEqualTo(spine);
        get(store.delete("y"));
        assertThat(get(store(broker).loadDoubts("y"))).isEqualTo(Doubts.NONE);
    }

    /** After every change, with additions and removals, the store holds the decision that was saved last. */
    @Test
    void savesDifferences() throws Exception {
        for (Decision decision : List.of(decision(4, 1), decision(5, 1), decision(3, 2), Decision.NONE,
                decision(2, 3))) {
            get(store.save("x", decision));
            assertThat(get(store(broker).load("x"))).isEqualTo(decision);
        }
    }

    /** Decisions of versions that stored no configuration are read, and one without may follow one that has one. */
    @Test
    void aConfigurationMayBeAbsent() throws Exception {
        Decision with = decision(4, 1);
        Decision without = new Decision(with.placement(), with.portNumbers(), with.identities(), Optional.empty());
        for (Decision decision : List.of(without, with, without)) {
            get(store.save("x", decision));
            assertThat(get(store(broker).load("x"))).isEqualTo(decision);
        }
    }

    /** A placement whose configuration this version cannot read is read without it. */
    @Test
    void aConfigurationThatCannotBeReadCostsNothingElse() throws Exception {
        Decision decision = decision(4, 1);
        get(store.save("x", decision));
        DataObjectIdentifier<org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.Decision> path =
            DataObjectIdentifier.builder(Decisions.class).child(
                org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.decisions.Decision.class,
                new DecisionKey(new Name("x"))).build();
        broker.put(LogicalDatastoreType.CONFIGURATION, path, new DecisionBuilder(
            broker.read(LogicalDatastoreType.CONFIGURATION, path)).setConfiguration(new byte[] {1}).build());

        assertThat(get(store(broker).load("x"))).isEqualTo(new Decision(decision.placement(), decision.portNumbers(),
            decision.identities(), Optional.empty()));
    }

    /** What is stored already is not written again, also after a restart. */
    @Test
    void writesNothingWithoutAChange() throws Exception {
        get(store.save("x", decision(4, 1)));
        await().until(() -> !writes.isEmpty());
        writes.clear();

        get(store.save("x", decision(4, 1)));
        DatastoreDecisionStore restarted = store(broker);
        get(restarted.load("x"));
        get(restarted.save("x", decision(4, 1)));

        await().during(Duration.ofMillis(200)).until(writes::isEmpty);
    }

    /** If answers to saves arrive in another order, the store still holds the last decision. */
    @Test
    void keepsTheOrderOfSaves() throws Exception {
        CompletionStage<Void> last = null;
        for (int i = 1; i <= 50; i++) {
            last = store.save("x", decision(i, 1));
        }
        get(last);

        assertThat(get(store(broker).load("x")))
            .isEqualTo(decision(50, 1));
    }

    /** The decision of a removed fabric is not used for a new fabric of the same name. */
    @Test
    void deletes() throws Exception {
        get(store.save("x", decision(4, 1)));
        get(store.delete("x"));

        assertThat(get(store(broker).load("x"))).isEqualTo(Decision.NONE);
        get(store.save("x", decision(4, 1)));
        assertThat(get(store(broker).load("x"))).isEqualTo(decision(4, 1));
    }

    /** The write that a repair waits for stays small in a large fabric. */
    @Test
    void savesALargeFabricFast() throws Exception {
        Decision large = decision(2000, 1);
        SortedMap<Address, Route> moved = new TreeMap<>(large.placement().routes());
        moved.putAll(decision(100, 2).placement().routes());
        Decision repaired = new Decision(new Placement(moved, large.placement().lanes()), large.portNumbers(),
            large.identities(), large.configuration());
        long whole = Long.MAX_VALUE;
        long repair = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long begin = System.nanoTime();
            get(store.save("x" + i, large));
            long middle = System.nanoTime();
            get(store.save("x" + i, repaired));
            whole = Math.min(whole, middle - begin);
            repair = Math.min(repair, System.nanoTime() - middle);
        }

        System.out.printf("2000 DCMs: whole %.1f ms, repair of 100 %.1f ms%n", whole / 1e6, repair / 1e6);
        assertThat(Duration.ofNanos(repair)).isLessThan(Duration.ofMillis(500));
    }

    static DatastoreDecisionStore store(InMemoryBroker broker) {
        return new DatastoreDecisionStore(broker.broker(), new ConfigurationText(broker.serializer(), broker::model),
            Runnable::run);
    }

    /**
     * Addresses, some with routes by pod, planes that lack a spine, parallel links, an empty bundle and a switch
     * without ports.
     */
    static Decision decision(int addresses, int spine) {
        SortedMap<Address, Route> routes = new TreeMap<>();
        SortedMap<Address, PortId> lanes = new TreeMap<>();
        SortedMap<String, Integer> numbers = new TreeMap<>();
        for (int i = 0; i < addresses; i++) {
            Address address = Address.ofIpv4(0x0a000001 + i);
            Route route = new Route(List.of(2, 1), new TreeMap<>(Map.of(1, new SpineChoice(spine, 0), 2,
                new SpineChoice(0, i % 3))));
            routes.put(address, i % 4 > 0 ? route : route.withPods(new TreeMap<>(Map.of(3,
                new Route(List.of(1, 2), new TreeMap<>(Map.of(1, new SpineChoice(spine, 7), 2, SpineChoice.NONE))),
                65535, new Route(List.of(), new TreeMap<>())))));
            lanes.put(address, new PortId("leaf", i % 2 == 0 ? "p1" : "p2"));
            numbers.put("r=" + i, i + 1);
        }
        routes.put(Address.parse("192.0.2.1"), new Route(List.of(), new TreeMap<>()));
        routes.put(Address.parse("fd00::a:1"), new Route(List.of(1), new TreeMap<>(Map.of(1, new SpineChoice(2, 1)))));
        lanes.put(Address.parse("fd00::a:1"), new PortId("leaf", "p1"));
        numbers.put("ring-fd00::a:1-br-daq", 10_001);
        return new Decision(new Placement(routes, new TreeMap<>(Map.of(new Bundle("leaf", "spine"), lanes,
            new Bundle("rack", "leaf"), new TreeMap<>()))),
            new PortNumbers(new TreeMap<>(Map.of("leaf", numbers, "spare", new TreeMap<>()))),
            new Identities(new TreeMap<>(Map.of(
                "leaf", new SwitchIdentity("node-1", "br-daq", 0xff_ffff_ffffL, spine, 0, 1, 3),
                "spine", new SwitchIdentity("node-1", "br-spine", spine, 2, spine, 0, 1),
                "rack", new SwitchIdentity("node-2", "br-daq", 0, 0, 0, 1, 0)))),
            Optional.of(TestFabrics.regular("x", 2, spine, 1, 1, 1, 1)));
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
