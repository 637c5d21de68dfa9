package org.daqfabric.impl.controller.whatif;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.state.TrafficMatrix;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.traffic.Counted;
import org.daqfabric.impl.engine.traffic.Traffic;

/** Answers what ROS send to DCMs, from what the rules of their switches have counted. Nothing is changed. */
public final class TrafficQueries {
    private static final int MAX_SECONDS = 60;

    private final WhatIfQueries fabrics;
    private final LongFunction<CompletionStage<SortedMap<Rule.Key, Counted>>> reader;
    private final Executor background;

    /**
     * Creates the queries.
     *
     * @param reader reads what our rules in the switch of a datapath-id have counted; called by any thread
     * @param background computes the answers
     */
    public TrafficQueries(WhatIfQueries fabrics, LongFunction<CompletionStage<SortedMap<Rule.Key, Counted>>> reader,
            Executor background) {
        this.fabrics = fabrics;
        this.reader = reader;
        this.background = background;
    }

    /**
     * What the ROS of a fabric have sent.
     *
     * @param over measured from now on; zero for everything that was counted since the rules were written
     * @return fails with an {@link InvalidInputException} where the name is wrong
     */
    public CompletionStage<TrafficMatrix> of(String fabric, Duration over) {
        return fabrics.snapshot(fabric).thenCompose(now -> {
            Topology topology = now.topology();
            Set<String> all = topology.endpoints().values().stream().filter(host -> !host.isDcm()).map(Endpoint::edge)
                .collect(Collectors.toSet());
            CompletionStage<Readings> counted = read(topology, all);
            if (!over.isZero()) {
                counted = counted.thenCompose(before -> later(over).thenCompose(unused ->
                    read(topology, before.counted.keySet()).thenApply(after -> after.since(before))));
            }
            return counted.thenApplyAsync(found -> Traffic.of(topology, now.unusable(), now.decision().placement(),
                over, found.counted, found.unread), background);
        });
    }

    /**
     * The weights of the events that a fabric carries.
     *
     * @param seconds how long to measure, from now on; zero for everything that was counted
     * @param leaf the input that asks for them, for messages
     * @return fails with an {@link InvalidInputException} where the name is wrong, or weights cannot be told
     */
    public CompletionStage<Weights> weights(String fabric, int seconds, String leaf) {
        try {
            return of(fabric, measuring(seconds, leaf)).thenApply(found -> weights(found, leaf));
        } catch (InvalidInputException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static Weights weights(TrafficMatrix found, String leaf) {
        if (!found.unread().isEmpty()) {
            throw new InvalidInputException(leaf, "what was sent is not known, as " + found.unread().firstKey()
                + " could not be read: " + found.unread().get(found.unread().firstKey()));
        }
        if (!found.shared().isEmpty()) {
            throw new InvalidInputException(leaf, "rules for prefixes count several DCMs together, such as "
                + found.shared().get(0).prefix() + ": with policy/rules host every DCM is counted by itself");
        }
        return found.measured().orElseThrow(() -> new InvalidInputException(leaf, "no ROS sent anything to a DCM"
            + (found.over().isZero() ? "" : " in " + found.over().toSeconds() + " s")
            + ": measure while events are built"));
    }

    /**
     * For how long to measure.
     *
     * @param leaf the input that says so, for the message
     * @throws InvalidInputException if that is too long
     */
    public static Duration measuring(int seconds, String leaf) {
        if (seconds < 0 || seconds > MAX_SECONDS) {
            throw new InvalidInputException(leaf, "a number from 0 to " + MAX_SECONDS
                + "; 0 for everything that was counted since the rules were written");
        }
        return Duration.ofSeconds(seconds);
    }

    private CompletionStage<Void> later(Duration delay) {
        return CompletableFuture.runAsync(() -> { },
            CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, background));
    }

    /** Reads switches, all at the same time. */
    private CompletionStage<Readings> read(Topology topology, Set<String> switches) {
        CompletionStage<Readings> all = CompletableFuture.completedFuture(Readings.NONE);
        for (String name : switches) {
            all = all.thenCombine(reader.apply(topology.datapathId(name)).handle((counted, failure) ->
                failure == null ? new Readings(Map.of(name, counted), new TreeMap<>())
                    : new Readings(Map.of(), new TreeMap<>(Map.of(name, Causes.inWords(failure))))), Readings::and);
        }
        return all;
    }

    /**
     * Readings of several switches.
     *
     * @param unread why a switch could not be read
     */
    private record Readings(Map<String, SortedMap<Rule.Key, Counted>> counted, SortedMap<String, String> unread) {
        private static final Readings NONE = new Readings(Map.of(), new TreeMap<>());

        private Readings and(Readings more) {
            Map<String, SortedMap<Rule.Key, Counted>> both = new HashMap<>(counted);
            both.putAll(more.counted);
            SortedMap<String, String> neither = new TreeMap<>(unread);
            neither.putAll(more.unread);
            return new Readings(both, neither);
        }

        /** What was counted since another reading of the same switches. */
        private Readings since(Readings before) {
            Map<String, SortedMap<Rule.Key, Counted>> since = new HashMap<>();
            counted.forEach((name, rules) -> {
                SortedMap<Rule.Key, Counted> first = before.counted.get(name);
                SortedMap<Rule.Key, Counted> between = new TreeMap<>();
                rules.forEach((rule, now) ->
                    between.put(rule, now.since(first.getOrDefault(rule, Counted.NOTHING))));
                since.put(name, between);
            });
            SortedMap<String, String> neither = new TreeMap<>(before.unread);
            neither.putAll(unread);
            return new Readings(since, neither);
        }
    }
}
