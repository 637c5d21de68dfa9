package org.daqfabric.impl.runcontrol;

import java.time.Duration;
import java.util.Locale;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.state.FabricState;

/** Something that happened to a partition, link, switch or fabric, and that subscribers are notified of. */
public sealed interface RunEvent {
    String fabric();

    /** Name of the partition concerned; empty if none. */
    default String partition() {
        return "";
    }

    /** The link or switch concerned; empty if none. */
    default String subject() {
        return "";
    }

    /** Name of the notification. */
    String kind();

    /** The event in describe. */
    String text();

    /** An event of one partition. */
    sealed interface OfPartition extends RunEvent {
        PartitionState now();

        @Override
        default String fabric() {
            return now().partition().fabric();
        }

        @Override
        default String partition() {
            return now().partition().name();
        }
    }

    record StateChanged(PartitionState now) implements OfPartition {
        @Override
        public String kind() {
            return "run-state";
        }

        @Override
        public String text() {
            return describe(now.partition());
        }
    }

    record HealthChanged(PartitionState now) implements OfPartition {
        @Override
        public String kind() {
            return "run-health";
        }

        @Override
        public String text() {
            return now.condition().map(condition -> {
                int concerns = condition.concerns().size();
                return String.format(Locale.ROOT, "%s, %.3f of %.3f Gbps", word(condition.health()),
                    condition.achievable(), condition.nominal())
                    + (concerns == 0 ? "" : "; " + condition.concerns().get(0))
                    + (concerns < 2 ? "" : " and " + (concerns - 1) + " more");
            }).orElse("not known");
        }
    }

    record OperationChanged(PartitionState now, Operation operation) implements OfPartition {
        @Override
        public String kind() {
            return "operation";
        }

        @Override
        public String text() {
            return operation.rpc() + " " + word(operation.status()) + ", " + operation.progress() + " %"
                + (operation.detail().isEmpty() ? "" : ": " + operation.detail());
        }
    }

    record Repaired(String fabric, FabricState.Repair repair) implements RunEvent {
        @Override
        public String kind() {
            return "repair";
        }

        @Override
        public String text() {
            return repair.cause() + ": repaired in "
                + Duration.between(repair.detected(), repair.confirmed().orElseThrow()).toMillis() + " ms, "
                + repair.movedDcms()
                + " DCMs moved, " + repair.messages() + " messages";
        }
    }

    record Rebalanced(String fabric, FabricState.Rebalanced step) implements RunEvent {
        @Override
        public String kind() {
            return "rebalanced";
        }

        @Override
        public String text() {
            return step.cause() + ": rebalanced in "
                + Duration.between(step.begun(), step.confirmed().orElseThrow()).toMillis() + " ms, "
                + step.movedDcms() + " DCMs moved, " + step.messages() + " messages";
        }
    }

    record LinkChanged(String fabric, FabricState.LinkState link) implements RunEvent {
        @Override
        public String subject() {
            return link.end().toString();
        }

        @Override
        public String kind() {
            return "link-state";
        }

        @Override
        public String text() {
            return word(link.operState()) + (link.heldBack() ? ", not used yet" : "");
        }
    }

    record SwitchChanged(String fabric, FabricState.SwitchState sw) implements RunEvent {
        @Override
        public String subject() {
            return sw.name();
        }

        @Override
        public String kind() {
            return "switch-state";
        }

        @Override
        public String text() {
            return "OVSDB " + (sw.ovsdbConnected() ? "connected" : "not connected") + ", OpenFlow "
                + (sw.openflowConnected() ? "connected" : "not connected")
                + (sw.lastError().isEmpty() ? "" : "; " + sw.lastError());
        }
    }

    /** A partition's state in describe. */
    static String describe(Partition partition) {
        String run = partition.isRunning() ? ", run " + partition.run().orElseThrow().number() : "";
        return word(partition.state()) + run + (partition.reason().isEmpty() ? "" : ": " + partition.reason());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
