package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.ovsdb.BridgeStatus.Report;
import org.junit.jupiter.api.Test;

/** What a report tells of the drops of a daqring. */
class ReportTest {
    private static final String TOLD = "dropped node/br-daq ring ";
    private final RecordingListener listener = new RecordingListener();

    private static Report report(long dropped) {
        RingDrops drops = new RingDrops(Instant.EPOCH, Duration.ZERO, dropped, 100, 1, "0 100*2");
        return new Report(new TreeMap<>(), "", new TreeMap<>(Map.of("ring",
            dropped == 0 ? Optional.empty() : Optional.of(drops))));
    }

    private void tell(Report report, Report before) {
        report.tell(listener, "node", "br-daq", before);
    }

    @Test
    void whatWasHeldBackAtTheFirstReportMayBeOld() {
        tell(report(1), null);
        tell(report(2), report(1));
        tell(report(2), report(2));
        assertThat(listener.count(TOLD + 1)).isOne();
        assertThat(listener.count(TOLD + "2 now")).isOne();
    }

    /** Who puts the bridge again is told all; what came meanwhile is of now, though its switch tells another time. */
    @Test
    void whatComesWhileABridgeIsPutIsOfNow() {
        tell(report(1), report(1).untold());
        tell(report(2), report(1).untold());
        tell(report(3), report(0).untold());
        assertThat(listener.count(TOLD + 1)).isOne();
        assertThat(listener.count(TOLD + "2 now")).isOne();
        assertThat(listener.count(TOLD + "3 now")).isOne();
    }
}
