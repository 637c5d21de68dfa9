package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.controller.rollout.SwitchDriver.Compared;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.engine.trace.Coverage;

/**
 * One inspection of switches: reads each, tries again while a switch is being changed, and collects the findings.
 * Belongs to the fabric's event loop.
 */
final class Inspection {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int ATTEMPTS = 50;

    private final SwitchDriver.Loop loop;
    private final BridgeDriver bridges;
    private final boolean correct;
    private final Function<String, List<Finding>> ports;
    private final Function<Map<String, Program>, CompletionStage<Coverage>> follow;
    private final CompletableFuture<Verification> result = new CompletableFuture<>();
    private final Set<String> open = new TreeSet<>();
    private final List<String> names;
    private final SortedMap<String, InstalledState> read = new TreeMap<>();
    private final List<Finding> findings = new ArrayList<>();

    /**
     * Prepares an inspection.
     *
     * @param correct whether to correct what differs
     * @param ports finds what is wrong with the ports of a switch
     * @param follow follows packets through the programs that were read
     */
    Inspection(SwitchDriver.Loop loop, BridgeDriver bridges, boolean correct,
            Function<String, List<Finding>> ports, Function<Map<String, Program>, CompletionStage<Coverage>> follow,
            Set<String> names) {
        this.loop = loop;
        this.bridges = bridges;
        this.correct = correct;
        this.ports = ports;
        this.follow = follow;
        this.names = List.copyOf(names);
        open.addAll(names);
    }

    CompletionStage<Verification> start(Map<String, SwitchDriver> drivers, Function<String, Switch> descriptions) {
        if (names.isEmpty()) {
            finish();
        }
        names.forEach(name -> ask(drivers.get(name), descriptions.apply(name), ATTEMPTS));
        return result;
    }

    private void ask(SwitchDriver driver, Switch description, int attempts) {
        driver.compare(correct, outcome -> {
            switch (outcome) {
                case Compared.NotNow unused when attempts > 0 ->
                    loop.after(PAUSE, () -> ask(driver, description, attempts - 1));
                case Compared.NotNow unused -> rulesDone(description, new Compared.Unreadable(
                    "it was being changed all the time"));
                default -> rulesDone(description, outcome);
            }
        });
    }

    private void rulesDone(Switch description, Compared outcome) {
        String name = description.name();
        if (outcome instanceof Compared.Read known) {
            read.put(name, known.installed());
        }
        findings.addAll(outcome.findings(name));
        findings.addAll(ports.apply(name));
        loop.then(bridges.compare(name, description.systemId(), description.bridge()), (more, failure) -> {
            if (failure == null) {
                findings.addAll(more);
            } else {
                findings.add(new Finding(name, Finding.Kind.BRIDGE, Finding.What.UNREADABLE, "",
                    String.valueOf(failure.getMessage())));
            }
            open.remove(name);
            if (open.isEmpty()) {
                finish();
            }
        });
    }

    private void finish() {
        findings.sort(Comparator.comparing(Finding::switchName));
        int foreign = read.values().stream().mapToInt(installed -> installed.foreign().rules().size()
            + installed.opaque()).sum();
        if (correct || read.size() < names.size()) {
            result.complete(new Verification(names, findings, foreign, 0, List.of()));
            return;
        }
        SortedMap<String, Program> all = new TreeMap<>();
        read.forEach((name, installed) -> all.put(name, union(installed)));
        follow.apply(all).whenComplete((coverage, failure) -> {
            if (failure == null) {
                result.complete(new Verification(names, findings, foreign, coverage.pairs(), coverage.lost()));
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    private static Program union(InstalledState installed) {
        SortedMap<Rule.Key, Rule> rules = new TreeMap<>(installed.ours().rules());
        rules.putAll(installed.foreign().rules());
        SortedMap<Integer, Group> groups = new TreeMap<>(installed.ours().groups());
        groups.putAll(installed.foreign().groups());
        return new Program(rules, groups);
    }
}
