package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.daqfabric.impl.async.Backoff;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.controller.spi.Recorder;

/**
 * Compares a switch with its program as soon as it reports that its rules were changed by somebody else, and corrects
 * what differs. Where that happens again and again, ever more seldom. Belongs to the fabric's event loop.
 */
final class RuleWatch {
    private static final Backoff FIRST = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    /** How long a switch that is being changed waits, and how often. */
    private static final Duration RETRY = Duration.ofMillis(100);
    private static final int ATTEMPTS = 300;

    private final String fabric;
    private final EventLoop loop;
    private final Rollout rollout;
    private final Recorder recorder;
    private final boolean watches;
    /** Switches that are being compared, or were a moment ago. */
    private final Set<String> busy = new HashSet<>();
    /** Those of them that have reported changes since. */
    private final Set<String> again = new HashSet<>();

    /**
     * Creates a watch.
     *
     * @param interval how often every switch is compared anyway; zero for never, and then not here either
     */
    RuleWatch(String fabric, EventLoop loop, Rollout rollout, Recorder recorder, Duration interval) {
        this.fabric = fabric;
        this.loop = loop;
        this.rollout = rollout;
        this.recorder = recorder;
        watches = !interval.isZero();
    }

    /** Somebody else has changed rules of a switch. */
    void changed(String switchName) {
        if (watches && rollout.drivers().containsKey(switchName)) {
            if (busy.add(switchName)) {
                compare(switchName, FIRST, ATTEMPTS);
            } else {
                again.add(switchName);
            }
        }
    }

    private void compare(String switchName, Backoff pause, int attempts) {
        SwitchDriver driver = rollout.drivers().get(switchName);
        if (driver == null || attempts == 0) {
            busy.remove(switchName);
            again.remove(switchName);
            return;
        }
        again.remove(switchName);
        driver.compare(true, outcome -> {
            if (outcome instanceof SwitchDriver.Compared.NotNow) {
                loop.after(RETRY, () -> compare(switchName, pause, attempts - 1));
                return;
            }
            recorder.compared(fabric, false, 1, outcome.findings(switchName));
            loop.after(pause.pause(), () -> {
                if (again.contains(switchName)) {
                    compare(switchName, pause.doubled(), ATTEMPTS);
                } else {
                    busy.remove(switchName);
                }
            });
        });
    }
}
