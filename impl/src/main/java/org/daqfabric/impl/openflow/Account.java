package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.program.Action;
import org.daqfabric.impl.engine.loss.PortCount;
import org.daqfabric.impl.engine.loss.SwitchCounts;

/** Adds up what rules and groups have sent to each port. */
final class Account {
    private final Map<Integer, Long> ruled = new HashMap<>();
    private long dropped;

    private Account() {
    }

    /** From the answers of a switch. */
    static SwitchCounts of(final List<ByteBuf> groups, final List<ByteBuf> rules, final List<ByteBuf> buckets,
            final Map<Integer, PortCount> ports) {
        final var account = new Account();
        rules.forEach(account::rules);
        final Map<Integer, List<Long>> counted = new HashMap<>();
        buckets.forEach(part -> counted.putAll(Decoder.buckets(part)));
        groups.forEach(part -> account.groups(part, counted));
        return SwitchCounts.of(ports, account.ruled, account.dropped);
    }

    private void rules(final ByteBuf part) {
        Decoder.flows(part).forEach(flow -> flow.rule().ifPresent(rule -> {
            if (rule.actions().isEmpty()) {
                dropped += flow.counted().packets();
            }
            sent(rule.actions(), flow.counted().packets());
        }));
    }

    private void groups(final ByteBuf part, final Map<Integer, List<Long>> counted) {
        Decoder.groups(part).forEach(group -> {
            final var packets = counted.getOrDefault(group.id(), List.of());
            for (int each = 0; each < Math.min(packets.size(), group.buckets().size()); each++) {
                sent(group.buckets().get(each).actions(), packets.get(each));
            }
        });
    }

    private void sent(final List<Action> actions, final long packets) {
        actions.forEach(action -> {
            if (action instanceof Action.Output output) {
                ruled.merge(output.port(), packets, Long::sum);
            }
        });
    }
}
