package org.daqfabric.impl.openflow;

import com.google.common.util.concurrent.FutureCallback;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.controller.Held;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetFlowStatisticsOutput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what a switch holds. Thread-safe; blocks no thread. */
final class Reader {
    private static final Logger LOG = LoggerFactory.getLogger(Reader.class);

    private final Requests requests;
    private final DataBroker broker;
    private final Executor executor;
    private final long limitMillis;

    Reader(final Requests requests, final DataBroker broker, final Executor executor, final long limitMillis) {
        this.requests = requests;
        this.broker = broker;
        this.executor = executor;
        this.limitMillis = limitMillis;
    }

    CompletableFuture<Held> read(final SwitchSession session) {
        final var result = new CompletableFuture<Held>();
        session.whenLost(result);
        groups(session, result)
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
        final var cookies = new TreeMap<Rule.Key, Long>();
        int foreign = 0;
        for (var flow : odl.nonnullFlowAndStatisticsMapList()) {
            final long cookie = flow.getCookie().getValue().longValue();
            final var rule = Rules.fromOdl(flow);
            rule.ifPresent(known -> cookies.put(known.key(), cookie));
            if (Rule.ours(cookie) && rule.isPresent()) {
                rules.put(rule.orElseThrow().key(), rule.orElseThrow());
            } else {
                foreign++;
            }
        }
        session.found(cookies);
        return new Held(new Program(rules, groups), foreign);
    }

    /**
     * The groups of a switch. No request tells their buckets, so the switch is asked which groups there are, and the
     * inventory, once it is fresh, for their buckets; both must agree. A switch without groups need not wait.
     */
    private CompletableFuture<SortedMap<Integer, Group>> groups(final SwitchSession session,
            final CompletableFuture<?> wanted) {
        return ids(session).thenCompose(ids -> {
            if (ids.isEmpty()) {
                return CompletableFuture.completedFuture(new TreeMap<>());
            }
            final var snapshots = session.snapshots();
            return groups(session, session.takeGroupsAsFound() ? snapshots.first() : snapshots.next(), wanted);
        });
    }

    private CompletableFuture<SortedMap<Integer, Group>> groups(final SwitchSession session,
            final CompletableFuture<Void> snapshot, final CompletableFuture<?> wanted) {
        return snapshot.thenCompose(unused -> ids(session))
            .thenCombine(snapshot.thenCompose(unused -> inventory(session)), (ids, groups) -> {
                if (groups.keySet().equals(ids)) {
                    return CompletableFuture.completedFuture(groups);
                }
                LOG.debug("The inventory shows groups {} of {}, which has {}", groups.keySet(),
                    Nodes.name(session.datapathId()), ids);
                return wanted.isDone() ? new CompletableFuture<SortedMap<Integer, Group>>()
                    : groups(session, session.snapshots().next(), wanted);
            })
            .thenCompose(groups -> groups);
    }

    private CompletableFuture<Set<Integer>> ids(final SwitchSession session) {
        return Answers.of(session.datapathId(), requests.groups(session.node()), executor)
            .thenApply(output -> output.nonnullGroupStats().values().stream()
                .map(group -> group.getGroupId().getValue().intValue())
                .collect(Collectors.toSet()));
    }

    private CompletableFuture<SortedMap<Integer, Group>> inventory(final SwitchSession session) {
        final var answer = new CompletableFuture<SortedMap<Integer, Group>>();
        final var path = Nodes.path(session.datapathId()).toBuilder().augmentation(FlowCapableNode.class).build();
        try (var tx = broker.newReadOnlyTransaction()) {
            tx.read(LogicalDatastoreType.OPERATIONAL, path).addCallback(
                new FutureCallback<Optional<FlowCapableNode>>() {
                    @Override
                    public void onSuccess(final Optional<FlowCapableNode> found) {
                        final SortedMap<Integer, Group> groups = new TreeMap<>();
                        found.map(FlowCapableNode::nonnullGroup).orElse(Map.of()).values()
                            .forEach(group -> groups.put(group.getGroupId().getValue().intValue(),
                                Groups.fromOdl(group)));
                        answer.complete(groups);
                    }

                    @Override
                    public void onFailure(final Throwable cause) {
                        answer.completeExceptionally(cause);
                    }
                }, executor);
        }
        return answer;
    }
}
