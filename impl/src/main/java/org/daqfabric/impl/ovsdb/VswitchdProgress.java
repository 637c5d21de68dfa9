package org.daqfabric.impl.ovsdb;

import java.time.Duration;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;

/**
 * How far ovs-vswitchd is behind its database: whoever changes the database increments {@code next_cfg}, and vswitchd
 * copies it to {@code cur_cfg} when it has applied the change. Times are in nanoseconds.
 */
final class VswitchdProgress {
    private final long limit;
    private final Runnable recheck;
    private boolean behind;
    private long curCfg;
    private long behindSince;
    /** When {@link #curCfg} last changed. */
    private long stalledSince;

    /**
     * Nothing is known yet.
     *
     * @param limit within which vswitchd should apply a change
     * @param recheck asks for another look when the limit is over
     */
    VswitchdProgress(Duration limit, Runnable recheck) {
        this.limit = limit.toNanos();
        this.recheck = recheck;
    }

    void observe(SystemRow system, long now) {
        if (system.curCfg() >= system.nextCfg()) {
            behind = false;
            return;
        }
        if (!behind) {
            behindSince = now;
        }
        if (!behind || system.curCfg() != curCfg) {
            behind = true;
            curCfg = system.curCfg();
            stalledSince = now;
            recheck.run();
        }
    }

    /** Whether vswitchd has not yet applied all of the database. */
    boolean isBehind() {
        return behind;
    }

    /** Whether it has applied nothing for longer than the limit. */
    boolean isStalled(long now) {
        return behind && now - stalledSince >= limit;
    }

    /** Whether it is at work, so that a report now would soon be wrong; it is not waited for longer than the limit. */
    boolean isWorthWaitingFor(long now) {
        return behind && !isStalled(now) && now - behindSince < limit;
    }
}
