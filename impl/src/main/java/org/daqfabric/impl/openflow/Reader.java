package org.daqfabric.impl.openflow;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.controller.Held;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetFlowStatisticsOutput;

/** Reads what a switch holds. Thread-safe; blocks no thread. */
final class Reader {
    private final Requests requests;
    private final Connections connections;
    private final Executor executor;
    private final long limitMillis;

    Reader(final Requests requests, final Connections connections, final Executor executor, final long limitMillis) {
        this.requests = requests;
        this.connections = connections;
        this.executor = executor;
        this.limitMillis = limitMillis;
    }

    CompletableFuture<Held> read(final SwitchSession session) {
        final var result = new CompletableFuture<Held>();
        session.whenLost(result);
        groups(session)
            .thenCombine(Answers.of(session.datapathId(), requests.rules(session.node()), executor),
                (groups, rules) -> held(session, rules, groups))
            .whenComplete((held, cause) -> {
                if (cause == null) {
                    result.complete(held);
                } else {
                    result.completeExceptionally(cause);
                }
            });
        return result.orTimeout(limitMillis, TimeUnit.MILLISECONDS);
    }

    private static Held held(final SwitchSession session, final GetFlowStatisticsOutput odl,
            final SortedMap<Integer, Group> groups) {
        final var rules = new TreeMap<Rule.Key, Rule>();
        final var foreign = new TreeMap<Rule.Key, Rule>();
        final var cookies = new TreeMap<Rule.Key, Long>();
        int opaque = 0;
        for (var flow : odl.nonnullFlowAndStatisticsMapList()) {
            final long cookie = flow.getCookie().getValue().longValue();
            final var rule = Rules.fromOdl(flow);
            if (rule.isPresent()) {
                cookies.put(rule.orElseThrow().key(), cookie);
                (Rule.ours(cookie) ? rules : foreign).put(rule.orElseThrow().key(), rule.orElseThrow());
            } else {
                opaque++;
            }
        }
        session.found(cookies);
        final var ours = new TreeMap<>(groups);
        ours.keySet().removeIf(id -> !Group.ours(id));
        final var others = new TreeMap<>(groups);
        others.keySet().removeIf(Group::ours);
        return new Held(new Program(rules, ours), new Program(foreign, others), opaque);
    }

    private CompletableFuture<SortedMap<Integer, Group>> groups(final SwitchSession session) {
        return connections.groups(session.datapathId()).thenApplyAsync(odl -> {
            final SortedMap<Integer, Group> groups = new TreeMap<>();
            odl.forEach(group -> groups.put(group.getGroupId().getValue().intValue(), Groups.fromOdl(group)));
            return groups;
        }, executor);
    }
}
