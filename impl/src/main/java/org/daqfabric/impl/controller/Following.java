package org.daqfabric.impl.controller;

import java.time.Duration;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Knows when packets follow what the switches have confirmed. A barrier is answered when the rules have changed; Open
 * vSwitch revises the flows in its datapath, by which packets go, at least every 500 ms
 * ({@code other_config:max-revalidator}). Nothing that packets may still need is taken away before. Belongs to the
 * fabric's event loop.
 */
final class Following {
    /** From the confirmation until packets follow: twice what Open vSwitch needs. */
    static final Duration FOLLOWS = Duration.ofSeconds(1);

    private final Rollout rollout;
    private final EventLoop loop;
    /** What all switches have confirmed, and what packets follow, too; null before the first. */
    private @Nullable Confirmed confirmed;
    private @Nullable Confirmed followed;

    /** The programs, by generation, and the number of messages sent to bring the switches there. */
    private record Confirmed(long generation, int messages) {
    }

    Following(Rollout rollout, EventLoop loop) {
        this.rollout = rollout;
        this.loop = loop;
    }

    /**
     * Whether packets follow, too. Called when all switches have confirmed their changes; if the answer is no, the loop
     * settles again when it may be another.
     */
    boolean isReached() {
        Confirmed now = new Confirmed(rollout.generation(), rollout.messages());
        if (!now.equals(confirmed)) {
            confirmed = now;
            loop.after(FOLLOWS, () -> {
                if (now.equals(confirmed)) {
                    followed = now;
                }
            });
        }
        return now.equals(followed);
    }
}
