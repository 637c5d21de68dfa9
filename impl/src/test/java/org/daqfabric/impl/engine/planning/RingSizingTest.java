package org.daqfabric.impl.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The daqrings of a fabric without a configured size. */
class RingSizingTest {
    private static final TcpPacket USUAL = new TcpPacket(1500, 4);

    /** Section 5.4.2.3 with the erratum: 110 ROS of 90 packets each, and a probe of each. */
    @Test
    void holdOneWholeEvent() {
        assertThat(RingSizing.standard(Collections.nCopies(110, 1.0), USUAL)).isEqualTo(110 * 91);
        assertThat(RingSizing.standard(Collections.nCopies(6, 1.0), USUAL)).isEqualTo(6 * 91);
        assertThat(RingSizing.standard(List.of(1.0, 2.0, 0.01), USUAL)).isEqualTo(91 + 181 + 2);
    }

    /** Of larger packets fewer make an event: ceil((128 KiB + 12 B) / 8960 B) and a probe. */
    @Test
    void followTheMtu() {
        assertThat(RingSizing.standard(Collections.nCopies(6, 1.0), new TcpPacket(9000, 4))).isEqualTo(6 * 16);
    }

    /** Of IPv6 more packets make an event: ceil((128 KiB + 12 B) / 1440 B) and a probe. */
    @Test
    void followTheHeaders() {
        assertThat(RingSizing.standard(Collections.nCopies(6, 1.0), new TcpPacket(1500, 6))).isEqualTo(6 * 93);
    }

    /** Every fabric that can be described gets a size that can be set. */
    @Test
    void staysWithinWhatADaqringCanHold() {
        assertThat(RingSizing.standard(List.of(), USUAL)).isEqualTo(1);
        assertThat(RingSizing.standard(Collections.nCopies(65_535, 1e12), USUAL)).isEqualTo(1_048_576);
    }
}
