package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.WantedAddresses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReadThrottleTest {
    private final Semaphore none = new Semaphore(0);
    private final ReadThrottle throttle =
        new ReadThrottle(none, new AddressCredits(new WantedAddresses()), InetAddress.getLoopbackAddress());

    /** Else a fabric that starts as a whole on a busy machine waits so long that its nodes are refused as silent. */
    @Test
    @Timeout(60)
    void waitingForTheProcessorIsNotCharged() throws Exception {
        for (int message = 0; message < 5; message++) {
            // an answer with the system-id, whose reader did not get on for minutes
            throttle.worked(TimeUnit.MINUTES.toNanos(5), 300);
        }
        assertThat(none.hasQueuedThreads()).isFalse();
    }

    @Test
    void whatManyBytesCostIs() throws Exception {
        Thread reader = Thread.ofVirtual().start(() -> {
            try {
                throttle.worked(TimeUnit.SECONDS.toNanos(5), 8 << 20);
            } catch (InterruptedException e) {
                // the test has seen that it waits
            }
        });
        await().until(none::hasQueuedThreads);
        reader.interrupt();
        reader.join();
    }
}
