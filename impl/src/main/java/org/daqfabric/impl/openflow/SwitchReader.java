package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.engine.diff.ForeignRules.Foreign;
import org.daqfabric.impl.engine.loss.SwitchCounts;
import org.daqfabric.impl.engine.traffic.Counted;

/** Reads the rules and groups installed in a switch. Thread-safe; blocks no thread. */
final class SwitchReader {
    private final Executor executor;
    private final long limitMillis;

    SwitchReader(final Executor executor, final long limitMillis) {
        this.executor = executor;
        this.limitMillis = limitMillis;
    }

    CompletableFuture<InstalledState> read(final SwitchSession session) {
        return session.within(limitMillis, "the request for its rules and groups",
            session.ask(OpenFlow13.OFPMP_GROUP_DESC)
            .thenCombineAsync(session.ask(OpenFlow13.OFPMP_FLOW), SwitchReader::installed, executor));
    }

    /** What our rules have counted. */
    CompletableFuture<SortedMap<Rule.Key, Counted>> counted(final SwitchSession session) {
        return session.within(limitMillis, "the request for what its rules have counted",
            session.ask(OpenFlow13.OFPMP_FLOW).thenApplyAsync(SwitchReader::counted, executor));
    }

    private static SortedMap<Rule.Key, Counted> counted(final List<ByteBuf> parts) {
        final SortedMap<Rule.Key, Counted> counted = new TreeMap<>();
        parts.forEach(part -> Decoder.flows(part).stream().filter(flow -> Rule.ours(flow.cookie()))
            .forEach(flow -> flow.rule().ifPresent(rule -> counted.put(rule.key(), flow.counted()))));
        return counted;
    }

    /** What all of its counters say. */
    CompletableFuture<SwitchCounts> account(final SwitchSession session) {
        final var groups = session.ask(OpenFlow13.OFPMP_GROUP_DESC);
        final var rules = session.ask(OpenFlow13.OFPMP_FLOW);
        final var buckets = session.ask(OpenFlow13.OFPMP_GROUP);
        // last: what rules have sent to a port by then must not be more than it had to transmit
        final var ports = session.ask(OpenFlow13.OFPMP_PORT_STATS);
        return session.within(limitMillis, "the request for its counters", CompletableFuture
            .allOf(groups, rules, buckets, ports).thenApplyAsync(all -> Account.of(groups.join(), rules.join(),
                buckets.join(), session.frames().addTo(counted(ports.join(), Decoder::counted))), executor));
    }

    /** What each part of an answer adds, by number. */
    static <T> Map<Integer, T> counted(final List<ByteBuf> parts, final BiConsumer<ByteBuf, Map<Integer, T>> decode) {
        final Map<Integer, T> byNumber = new TreeMap<>();
        parts.forEach(part -> decode.accept(part, byNumber));
        return byNumber;
    }

    static InstalledState installed(final List<ByteBuf> groupParts, final List<ByteBuf> ruleParts) {
        final SortedMap<Integer, Group> ours = new TreeMap<>();
        final SortedMap<Integer, Group> otherGroups = new TreeMap<>();
        groupParts.forEach(part -> Decoder.groups(part)
            .forEach(group -> (Group.ours(group.id()) ? ours : otherGroups).put(group.id(), group)));
        final var rules = new TreeMap<Rule.Key, Rule>();
        final var foreign = new TreeMap<Rule.Key, Rule>();
        final var others = new ArrayList<Foreign>();
        int opaque = 0;
        for (var part : ruleParts) {
            for (var flow : Decoder.flows(part)) {
                if (flow.table() == 0 && !(Rule.ours(flow.cookie()) && flow.rule().isPresent())) {
                    others.add(new Foreign(flow.cookie(), flow.priority(), flow.match(), flow.rule().isPresent()));
                }
                if (flow.rule().isEmpty()) {
                    opaque++;
                } else {
                    final var rule = flow.rule().orElseThrow();
                    (Rule.ours(flow.cookie()) ? rules : foreign).put(rule.key(), rule);
                }
            }
        }
        return new InstalledState(new Program(rules, ours), new Program(foreign, otherGroups), opaque, others);
    }
}
