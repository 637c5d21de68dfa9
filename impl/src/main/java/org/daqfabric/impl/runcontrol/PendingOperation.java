package org.daqfabric.impl.runcontrol;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.daqfabric.api.run.Operation;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.engine.run.Assessment;
import org.daqfabric.impl.engine.run.FabricStatus;

/**
 * An operation under way.
 *
 * @param begun when
 * @param placed whether the fabric has placed what was chosen
 */
record PendingOperation(Instant begun, boolean placed) {
    /** How long switches that never connected are waited for. */
    static final Duration GRACE = Duration.ofSeconds(10);
    static final Duration LIMIT = Duration.ofSeconds(120);

    /** How far a partition's operation is; itself if nothing changed. */
    Partition look(Partition partition, Optional<FabricStatus> picture, Instant now) {
        Operation operation = partition.operation().orElseThrow();
        boolean late = !now.isBefore(begun.plus(LIMIT));
        if (!placed || picture.isEmpty()) {
            return late ? failed(partition, "fabric " + partition.fabric() + " could not be placed", now) : partition;
        }
        Assessment.Progress progress = Assessment.progress(picture.get(), partition.selection());
        FabricState.Phase phase = picture.get().state().phase();
        boolean waits = phase == FabricState.Phase.WAITING && !progress.away().isEmpty()
            && now.isBefore(begun.plus(GRACE));
        if (progress.late().isEmpty() && phase != FabricState.Phase.PROGRAMMING && !waits) {
            String away = progress.away().isEmpty() ? "" : "not connected: " + String.join(", ", progress.away());
            return partition.with(new Operation(operation.requestId(), operation.rpc(), Operation.Status.DONE, 100,
                away));
        }
        String open = progress.late().isEmpty() ? "" : "not confirmed: " + String.join(", ", progress.late()) + "; ";
        String detail = open + (progress.away().isEmpty() ? "" : "not connected: " + String.join(", ", progress.away()));
        if (late) {
            return failed(partition, detail.isEmpty() ? "the fabric did not come to rest" : detail, now);
        }
        return partition.with(new Operation(operation.requestId(), operation.rpc(), Operation.Status.RUNNING,
            Math.min(99, progress.percent()), detail));
    }

    private static Partition failed(Partition partition, String why, Instant now) {
        return partition.failed(partition.operation().orElseThrow().rpc() + " was not done within "
            + LIMIT.toSeconds() + " s (" + why + "): see state/switch/last-error of the fabric, then prepare again", now);
    }
}
