package org.daqfabric.impl.engine.doctor;

import static org.daqfabric.impl.engine.doctor.Diagnosis.error;
import static org.daqfabric.impl.engine.doctor.Diagnosis.note;
import static org.daqfabric.impl.engine.doctor.Diagnosis.ok;
import static org.daqfabric.impl.engine.doctor.Diagnosis.warning;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;

/** Whether the fabrics work as a whole: their phase, their bandwidth, and DCMs that some ROS do not reach. */
final class FabricDiagnosis {
    private static final int SHOWN = 5;
    /** Seconds that no event takes. */
    private static final double LONG_EVENT = 5;
    /** Share of the bandwidth below which a note is due. */
    private static final double ENOUGH = 0.999;

    private FabricDiagnosis() {
    }

    static List<Advice> of(DiagnosisInput input) {
        return input.fabrics().isEmpty()
            ? List.of(note("fabrics", "none is configured", "describe one over RESTCONF (docs/user-guide.md)"))
            : input.fabrics().stream().flatMap(FabricDiagnosis::check).toList();
    }

    private static Stream<Advice> check(ConfiguredFabric fabric) {
        String subject = "fabric " + fabric.spec().name();
        Stream<Advice> works = fabric.state().map(state -> Stream.of(phase(subject, state), reach(subject, state)))
            .orElseGet(() -> Stream.of(warning(subject, "has no state yet", "it was configured just now; if this stays,"
                + " read data/log/karaf.log")));
        return Stream.concat(works, loop(subject, fabric.loop()));
    }

    private static Stream<Advice> loop(String subject, DiagnosisInput.Loop loop) {
        List<Advice> found = new ArrayList<>();
        if (loop.standing() > LONG_EVENT) {
            found.add(error(subject, String.format(Locale.ROOT, "its event loop has not turned for %.0f s: nothing is"
                + " repaired", loop.standing()), "save the output of jstack and data/log/karaf.log, restart the"
                + " controller, and report it; switches keep forwarding"));
        }
        if (loop.unstored() > 0) {
            found.add(error(subject, String.format(Locale.ROOT, "a repair is in force that the datastore has not taken"
                + " for %.0f s", loop.unstored()), "see what is said of the configuration datastore; it is stored as"
                + " soon as that works"));
        }
        if (loop.failures() > 0) {
            found.add(warning(subject, loop.failures() + " events failed by an internal error since the controller"
                + " started, and the event loop was replaced " + loop.rebuilds() + " times", "nothing needs to be done"
                + " for the fabric; report what data/log/karaf.log has of it"));
        }
        return found.stream();
    }

    private static Advice phase(String subject, FabricState state) {
        String carries = String.format(Locale.ROOT, ", carries %.1f of %.1f Gbps", state.capacity().bandwidth(),
            state.capacity().nominal());
        return switch (state.phase()) {
            case WAITING -> error(subject, "waits for switches that were never seen", "see what is said of them");
            case PROGRAMMING -> note(subject, "its switches are being changed" + carries, "ask again in a moment");
            case DEGRADED -> warning(subject, "works, degraded" + carries,
                "see what is said of its switches and links");
            case CONVERGED -> state.capacity().utilisation() < ENOUGH
                ? note(subject, "works" + carries,
                    "something is drained or held back, or the DCMs could be placed better: daqfabric:rebalance")
                : ok(subject, "works" + carries);
        };
    }

    private static Advice reach(String subject, FabricState state) {
        int ros = state.placements().stream().mapToInt(DcmPlacement::reachableRos).max().orElse(0);
        List<String> cutOff = state.placements().stream()
            .filter(dcm -> dcm.reachableRos() == 0 || dcm.reachableRos() < ros).map(DcmPlacement::dcm).toList();
        return cutOff.isEmpty()
            ? ok(subject, "every ROS has a path to each of its " + state.placements().size() + " DCMs")
            : error(subject, cutOff.size() + " of " + state.placements().size() + " DCMs are not reached by every ROS: "
                + String.join(", ", cutOff.subList(0, Math.min(SHOWN, cutOff.size())))
                + (cutOff.size() > SHOWN ? ", ..." : ""), "daqfabric:placement shows them; see what is said of switches"
                + " and links");
    }
}
