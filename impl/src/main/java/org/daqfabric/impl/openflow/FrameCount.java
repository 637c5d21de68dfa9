package org.daqfabric.impl.openflow;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.daqfabric.impl.engine.loss.PortCount;

/** Counts the frames between a switch and the controller, which is another port of the switch. Thread-safe. */
final class FrameCount {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();

    /** The switch was given so many frames to transmit. */
    void sent(final int times) {
        sent.addAndGet(times);
    }

    /** The switch has sent a frame. */
    void received() {
        received.incrementAndGet();
    }

    /** Adds the controller to the ports of the switch. */
    Map<Integer, PortCount> addTo(final Map<Integer, PortCount> ports) {
        ports.put(OpenFlow13.OFPP_CONTROLLER, new PortCount(sent.get(), received.get(), 0));
        return ports;
    }
}
