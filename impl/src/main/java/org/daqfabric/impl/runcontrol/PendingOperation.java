package org.daqfabric.impl.runcontrol;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.engine.run.Assessment;
import org.daqfabric.impl.engine.run.FabricStatus;

/**
 * An operation in progress.
 *
 * @param begun when it was accepted, by the steady clock
 * @param placed whether the fabric has placed the chosen DCMs
 */
record PendingOperation(Instant begun, boolean placed) {
    /** How long it waits for switches that have never connected. */
    static final Duration CONNECT_GRACE = Duration.ofSeconds(10);
    static final Duration TIMEOUT = Duration.ofSeconds(120);

    /** The partition with the progress of its operation; the same object if nothing changed. */
    Partition advance(Partition partition, Optional<FabricStatus> status, Clocks clocks) {
        Operation operation = partition.operation().orElseThrow();
        Instant now = clocks.steady().instant();
        boolean timedOut = !now.isBefore(begun.plus(TIMEOUT));
        if (!placed || status.isEmpty()) {
            return timedOut ? failed(partition, "fabric " + partition.fabric() + " could not be placed", clocks)
                : partition;
        }
        Assessment.Progress progress = Assessment.progress(status.get(), partition.selection());
        FabricState.Phase phase = status.get().state().phase();
        boolean waiting = phase == FabricState.Phase.WAITING && !progress.away().isEmpty()
            && now.isBefore(begun.plus(CONNECT_GRACE));
        if (progress.late().isEmpty() && phase != FabricState.Phase.PROGRAMMING && !waiting) {
            String absent = progress.away().isEmpty() ? "" : "not connected: " + String.join(", ", progress.away());
            return partition.with(new Operation(operation.requestId(), operation.rpc(), Operation.Status.DONE, 100,
                absent));
        }
        String unconfirmed = progress.late().isEmpty() ? ""
            : "not confirmed: " + String.join(", ", progress.late()) + "; ";
        String detail = unconfirmed
            + (progress.away().isEmpty() ? "" : "not connected: " + String.join(", ", progress.away()));
        if (timedOut) {
            return failed(partition, detail.isEmpty() ? "the fabric did not settle" : detail, clocks);
        }
        return partition.with(new Operation(operation.requestId(), operation.rpc(), Operation.Status.RUNNING,
            Math.min(99, progress.percent()), detail));
    }

    private static Partition failed(Partition partition, String why, Clocks clocks) {
        return partition.failed(partition.operation().orElseThrow().rpc() + " was not done within "
            + TIMEOUT.toSeconds() + " s (" + why + "): see state/switch/last-error of the fabric, then prepare again",
            clocks.wall().instant());
    }
}
