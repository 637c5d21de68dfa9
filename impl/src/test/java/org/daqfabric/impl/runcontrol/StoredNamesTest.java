package org.daqfabric.impl.runcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.daqfabric.api.run.Selection;
import org.junit.jupiter.api.Test;

/**
 * Text that the datastore keeps. An answer is stored with its request's toString ({@code asked}): a run controller that
 * repeats a request after an upgrade must get the stored answer, and not be refused for reusing the id.
 */
class StoredNamesTest {
    private static final Selection SELECTION = new Selection(new TreeSet<>(List.of("ros2", "ros1")),
        new TreeSet<>(List.of("dcm1")));

    /** The names of the records and of their components are part of what is stored. */
    @Test
    void textOfEveryKindOfRequestStays() {
        assertThat(new Request.Prepare("7", "ATLAS", Optional.of("run2"), "physics", SELECTION.ros(), SELECTION.dcms(),
            1.5))
            .hasToString("Prepare[id=7, partition=ATLAS, fabric=Optional[run2], runType=physics, "
                + "ros=[ros1, ros2], dcms=[dcm1], required=1.5]");
        assertThat(new Request.Prepare("7", "ATLAS", Optional.empty(), "", new TreeSet<>(), new TreeSet<>(), 0))
            .hasToString("Prepare[id=7, partition=ATLAS, fabric=Optional.empty, runType=, "
                + "ros=[], dcms=[], required=0.0]");
        assertThat(new Request.Enable("7", "ATLAS", SELECTION))
            .hasToString("Enable[id=7, partition=ATLAS, added=Selection[ros=[ros1, ros2], dcms=[dcm1]]]");
        assertThat(new Request.Disable("7", "ATLAS", Selection.NONE))
            .hasToString("Disable[id=7, partition=ATLAS, taken=Selection[ros=[], dcms=[]]]");
        assertThat(new Request.Arm("7", "ATLAS", true)).hasToString("Arm[id=7, partition=ATLAS, acceptDegraded=true]");
        assertThat(new Request.Start("7", "ATLAS", 4711)).hasToString("Start[id=7, partition=ATLAS, number=4711]");
        assertThat(new Request.Stop("7", "ATLAS")).hasToString("Stop[id=7, partition=ATLAS]");
        assertThat(new Request.Release("7", "ATLAS")).hasToString("Release[id=7, partition=ATLAS]");
        assertThat(new Request.Abort("7", "ATLAS")).hasToString("Abort[id=7, partition=ATLAS]");
    }
}
