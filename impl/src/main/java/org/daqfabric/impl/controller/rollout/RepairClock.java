package org.daqfabric.impl.controller.rollout;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.Repair;

/** Takes the times of repairs, from the first event of a failure to the last barrier the traffic waits for. */
public final class RepairClock {
    private final InstantSource clock;
    private Instant burst;
    private Repair last;
    private int sentBefore;
    private boolean adopted = true;

    public RepairClock(InstantSource clock) {
        this.clock = clock;
    }

    /** An event was seen; the first of a burst is when a failure in it was detected. */
    public void event(Instant seen) {
        if (burst == null) {
            burst = seen;
        }
    }

    /** The burst is over. */
    public void settled() {
        burst = null;
    }

    public void failure(Collection<PortId> links, int sent) {
        Instant detected = burst == null ? clock.instant() : burst;
        String names = links.stream().limit(8).map(PortId::toString).collect(Collectors.joining(", "));
        String cause = "down: " + names + (links.size() > 8 ? " and " + (links.size() - 8) + " more" : "");
        last = new Repair(cause, detected, detected, Optional.empty(), 0, 0);
        sentBefore = sent;
        adopted = false;
    }

    /** The placement that repairs is known. */
    public void computed(int moved) {
        if (isUnderWay()) {
            last = new Repair(last.cause(), last.detected(), clock.instant(), Optional.empty(), moved,
                last.messages());
        }
    }

    /** The programs that repair are on their way. */
    public void adopted() {
        adopted = true;
    }

    /** Every connected switch confirmed what its program adds or changes. */
    public void confirmed(int sent) {
        if (adopted && isUnderWay()) {
            last = new Repair(last.cause(), last.detected(), last.computed(), Optional.of(clock.instant()),
                last.movedDcms(), sent - sentBefore);
        }
    }

    /** Whether a repair is not confirmed yet. */
    public boolean isUnderWay() {
        return last != null && last.confirmed().isEmpty();
    }

    public Optional<Repair> last() {
        return Optional.ofNullable(last);
    }
}
