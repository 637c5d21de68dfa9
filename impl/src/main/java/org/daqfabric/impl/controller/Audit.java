package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.engine.topology.Role;

/**
 * Compares the switches with their programs one after another, over and over, and corrects what differs; also asks them
 * for statistics. Belongs to the fabric's event loop.
 */
final class Audit {
    private final FabricModel model;
    private final EventLoop loop;
    private final Rollout rollout;
    private final StatisticsPoller statistics;
    private final Recorder recorder;
    private final Duration interval;
    /** The switch that was compared last. */
    private String last = "";

    /**
     * Creates an audit that has not begun.
     *
     * @param interval how often every switch is compared; zero for never
     */
    Audit(FabricModel model, EventLoop loop, Rollout rollout, StatisticsPoller statistics, Recorder recorder,
            Duration interval) {
        this.model = model;
        this.loop = loop;
        this.rollout = rollout;
        this.statistics = statistics;
        this.recorder = recorder;
        this.interval = interval;
    }

    void begin() {
        loop.after(StatisticsPoller.INTERVAL, this::poll);
        if (!interval.isZero()) {
            loop.after(interval, this::compareNext);
        }
    }

    /** The next time is set first, so that it comes whatever happens in this one. */
    private void poll() {
        loop.after(StatisticsPoller.INTERVAL, this::poll);
        if (model.hasTopology()) {
            statistics.poll(model.topology(), model.numbers());
        }
    }

    private void compareNext() {
        // a fabric may begin with nothing but a name
        SortedMap<String, Role> all = model.hasTopology() ? model.topology().roles() : Collections.emptySortedMap();
        loop.after(interval.dividedBy(Math.max(1, all.size())), this::compareNext);
        if (!all.isEmpty() && !model.isAwaitingFirstReports()) {
            SortedMap<String, Role> rest = all.tailMap(last + '\0');
            String next = rest.isEmpty() ? all.firstKey() : rest.firstKey();
            last = next;
            rollout.drivers().get(next).compare(true, outcome -> compared(next, outcome));
        }
    }

    private void compared(String switchName, SwitchDriver.Compared outcome) {
        if (!(outcome instanceof SwitchDriver.Compared.NotNow)) {
            recorder.compared(model.name(), false, 1, outcome.findings(switchName));
        }
    }
}
