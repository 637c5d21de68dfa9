package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The smallest fabric. */
@ExtendWith(SharedController.class)
class OnePodIT {
    /** Within one pod no path needs a spine, and a failed rack uplink is repaired over the other plane. */
    @Test
    void oneLeafPerPlaneIsEnough(final Lab lab) {
        final var fabric = lab.converged(lab.generate("onepod",
            "--planes 2 --spines 1 --pods 1 --ros 2 --racks 1 --dcms 3"));
        fabric.assertAllReachable();
        assertThat(fabric.trace("r1-1", "h1-1d1")).hasSize(3);
        final var port = "to-p" + fabric.state().placement().get("h1-1d1").plane() + "l1";
        fabric.cut("h1-1", port);
        fabric.assertAllReachable();
        fabric.restore("h1-1", port);
        fabric.assertAllReachable();
    }
}
