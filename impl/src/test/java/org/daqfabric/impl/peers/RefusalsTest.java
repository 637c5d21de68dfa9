package org.daqfabric.impl.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.daqfabric.impl.peers.TestPeers.address;

import org.junit.jupiter.api.Test;

/** What is known of refused peers. */
class RefusalsTest {
    private final Refusals refusals = new Refusals("OpenFlow");

    /** All are counted; the first hundred are named, and stay, so that a list of them stands still. */
    @Test
    void allAreCountedAndAHundredAreNamed() {
        for (int each = 0; each < 1000; each++) {
            refusals.add(address(each), Limit.TIME, "late");
        }
        refusals.add(address(0), Limit.PORTS, "it has too many ports");
        assertThat(refusals.counts()).containsEntry("time", 1000L).containsEntry("ports", 1L)
            .containsEntry("unread", 0L);
        assertThat(refusals.reasons()).hasSize(100).containsEntry("10.0.0.0", "it has too many ports")
            .containsEntry("10.0.0.99", "late");
        refusals.accepted(address(0));
        refusals.add(address(500), "it has no system-id");
        assertThat(refusals.reasons()).hasSize(100).doesNotContainKey("10.0.0.0").containsKey("10.0.1.244");
        assertThat(refusals.counts().values().stream().mapToLong(each -> each).sum()).isEqualTo(1001);
    }
}
