package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Without BFD a link that returns is used only when packets have passed both ways. */
@ExtendWith(SharedController.class)
class PortMadeAnewIT {
    private static final String LINK = "p1l1:to-p1s1";

    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Lab lab) {
        fabric = lab.converged(lab.generate("anew", "--planes 1 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2"));
        fabric.assertAllReachable();
    }

    /**
     * A cable that is put back is used again within a moment, as frames are sent at once. Devices that have carrier and
     * lead nowhere are not used, and nothing is lost.
     */
    @Test
    void carrierIsNotEnough() {
        fabric.cut("p1l1", "to-p1s1");
        fabric.assertAllReachable();
        fabric.restore("p1l1", "to-p1s1");
        fabric.assertAllReachable();

        fabric.daqlab("exec", "p1l1", "--", "ip", "link", "del", "to-p1s1");
        fabric.awaitState("it is down", state -> state.links("down").equals(Set.of(LINK)));
        nowhere("p1l1", "to-p1s1");
        nowhere("p1s1", "to-p1l1");
        for (int times = 0; times < 5; times++) {
            assertThat(fabric.missingPairs()).isEmpty();
        }
        assertThat(fabric.state().links("down")).containsExactly(LINK);
    }

    /** A device with carrier whose other end nobody has. */
    private static void nowhere(final String node, final String device) {
        fabric.daqlab("exec", node, "--", "ip", "link", "add", device, "type", "veth", "peer", "name", "nowhere");
        fabric.daqlab("exec", node, "--", "ip", "link", "set", "nowhere", "up");
        fabric.daqlab("exec", node, "--", "ip", "link", "set", device, "up");
    }
}
