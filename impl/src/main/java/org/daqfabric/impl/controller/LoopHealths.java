package org.daqfabric.impl.controller;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.spi.Recorder;

/** The health of every event loop there is here, by fabric; the recorder is told of each. Thread-safe. */
final class LoopHealths {
    private final Clocks clocks;
    private final Recorder recorder;
    private final Map<String, LoopHealth> healths = new ConcurrentHashMap<>();

    LoopHealths(Clocks clocks, Recorder recorder) {
        this.clocks = clocks;
        this.recorder = recorder;
    }

    /** The health of a fabric's loop, also of one that is about to be built. */
    LoopHealth of(String fabric) {
        return healths.computeIfAbsent(fabric, name -> {
            LoopHealth health = new LoopHealth(clocks);
            recorder.loopBegun(name, health::state);
            return health;
        });
    }

    /** How a fabric's loop is; empty if there is none here. */
    Optional<Recorder.LoopState> state(String fabric) {
        return Optional.ofNullable(healths.get(fabric)).map(LoopHealth::state);
    }

    /** A fabric has no loop here any more. */
    void end(String fabric) {
        healths.remove(fabric);
        recorder.loopEnded(fabric);
    }

    /** No fabric has a loop here any more. */
    void endAll() {
        healths.keySet().forEach(this::end);
    }
}
