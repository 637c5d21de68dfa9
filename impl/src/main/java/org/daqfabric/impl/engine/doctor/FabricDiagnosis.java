package org.daqfabric.impl.engine.doctor;


import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;
import static org.daqfabric.impl.engine.doctor.Diagnosed.note;
import static org.daqfabric.impl.engine.doctor.Diagnosed.ok;
import static org.daqfabric.impl.engine.doctor.Diagnosed.summary;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.Advice.Severity;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.SwitchState;
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

    static List<Diagnosed> of(DiagnosisInput input) {
        return input.fabrics().isEmpty()
            ? List.of(note("fabrics", "none is configured", "describe one over RESTCONF (docs/user-guide.md)"))
            : input.fabrics().stream().flatMap(FabricDiagnosis::check).toList();
    }

    private static Stream<Diagnosed> check(ConfiguredFabric fabric) {
        String name = fabric.spec().name();
        String subject = "fabric " + name;
        Stream<Diagnosed> works = fabric.state().map(state -> Stream.concat(Stream.of(phase(subject, state)),
                reach(fabric, state).stream()))
            .orElseGet(() -> Stream.of(note(subject, "has no state yet", "it was configured just now; if this stays,"
                + " read data/log/karaf.log")));
        return Stream.concat(works, loop(name, fabric.loop()));
    }

    private static Stream<Diagnosed> loop(String name, DiagnosisInput.Loop loop) {
        String subject = "fabric " + name;
        AlarmResource resource = AlarmResource.fabric(name);
        List<Diagnosed> found = new ArrayList<>();
        if (loop.standing() > LONG_EVENT) {
            found.add(alarm(AlarmCondition.of(AlarmType.LOOP_STANDS, resource,
                "its event loop does not turn: nothing is repaired"), subject,
                String.format(Locale.ROOT, "its event loop has not turned for %.0f s: nothing is repaired",
                    loop.standing()), AlarmType.LOOP_STANDS.advice()));
        }
        if (loop.unstored() > 0) {
            String what = "a repair is in force that the datastore has not taken";
            found.add(alarm(AlarmCondition.of(AlarmType.REPAIR_UNSTORED, resource, what), subject,
                String.format(Locale.ROOT, "%s for %.0f s", what, loop.unstored()), "see what is said of the"
                    + " configuration datastore; it is stored as soon as that works"));
        }
        if (loop.failures() > 0) {
            String what = "events failed by an internal error since the controller started";
            found.add(alarm(AlarmCondition.of(AlarmType.INTERNAL_ERROR, resource, what), subject, loop.failures() + " "
                + what + ", and the event loop was replaced " + loop.rebuilds() + " times", "nothing needs to be done"
                + " for the fabric; report what data/log/karaf.log has of it"));
        }
        return found.stream();
    }

    private static Diagnosed phase(String subject, FabricState state) {
        String carries = String.format(Locale.ROOT, ", carries %.1f of %.1f Gbps", state.capacity().bandwidth(),
            state.capacity().nominal());
        return switch (state.phase()) {
            case WAITING -> summary(Severity.ERROR, subject, "waits for switches that were never seen",
                "see what is said of them");
            case PROGRAMMING -> note(subject, "its switches are being changed" + carries, "ask again in a moment");
            case DEGRADED -> summary(Severity.WARNING, subject, "works, degraded" + carries,
                "see what is said of its switches and links");
            case CONVERGED -> state.capacity().utilisation() < ENOUGH
                ? note(subject, "works" + carries,
                    "something is drained or held back, or the DCMs could be placed better: daqfabric:rebalance")
                : ok(subject, "works" + carries);
        };
    }

    /** What does not reach its destination, or that nobody knows; otherwise that all has a path. */
    private static List<Diagnosed> reach(ConfiguredFabric fabric, FabricState state) {
        String name = fabric.spec().name();
        List<Diagnosed> found = Stream.of(cutOff(fabric, state), silence(name, state)).flatMap(Optional::stream)
            .toList();
        return found.isEmpty() ? List.of(ok("fabric " + name, "every ROS has a path to each of its "
            + state.placements().size() + " DCMs")) : found;
    }

    private static Optional<Diagnosed> silence(String name, FabricState state) {
        return state.silentSince().map(since -> alarm(AlarmType.PROOFS_SILENT, AlarmResource.fabric(name),
            "fabric " + name, "none of the packets that prove its paths has arrived within a second since " + since
                + ": whether packets of hosts pass is not known", AlarmType.PROOFS_SILENT.advice()));
    }

    private static Optional<Diagnosed> cutOff(ConfiguredFabric fabric, FabricState state) {
        String name = fabric.spec().name();
        String subject = "fabric " + name;
        Set<String> down = state.cutOff();
        List<String> lost = fabric.spec().pods().stream().flatMap(pod -> pod.ros().stream())
            .map(Ros::name).filter(down::contains).toList();
        if (!lost.isEmpty()) {
            return Optional.of(alarm(AlarmType.DCMS_CUT_OFF, AlarmResource.fabric(name), subject, "ROS "
                + shown(lost) + " cannot send to any DCM, as " + (lost.size() > 1 ? "their ports are" : "its port is")
                + " down: no event can be built that needs " + (lost.size() > 1 ? "them" : "it"),
                "see what is said of its port"));
        }
        long ros = expectedRos(fabric.spec());
        List<String> cutOff = state.placements().stream()
            .filter(dcm -> dcm.reachableRos() == 0 || dcm.reachableRos() < ros).map(DcmPlacement::dcm).toList();
        return cutOff.isEmpty() ? unproven(name, state)
            : Optional.of(alarm(AlarmType.DCMS_CUT_OFF, AlarmResource.fabric(name), subject, cutOff.size() + " of "
                + state.placements().size() + " DCMs are not reached by every ROS: "
                + shown(cutOff) + inDoubt(state), "daqfabric:placement shows them; see what is"
                + " said of switches and links"));
    }

    /** DCMs by whose paths packets do not arrive. */
    private static Optional<Diagnosed> unproven(String name, FabricState state) {
        List<DcmPlacement> missed = state.placements().stream().filter(dcm -> !dcm.proof().missed().isEmpty()).toList();
        return missed.stream().findFirst().map(first -> alarm(AlarmType.DCMS_CUT_OFF, AlarmResource.fabric(name),
            "fabric " + name, "packets do not arrive at " + missed.size() + " of " + state.placements().size()
                + " DCMs, or from them, though there is a path; the first: " + first.dcm() + ", from or to "
                + shown(first.proof().missed()), "rpc verify names the switches whose rules differ; if it finds none,"
                + " look at what else takes or drops packets to this address on the path that daqfabric:trace shows"));
    }

    /** Whose rules paths do not count on. */
    private static String inDoubt(FabricState state) {
        List<String> names = state.switches().stream().filter(SwitchState::inDoubt).map(SwitchState::name).toList();
        return names.isEmpty() ? "" : "; " + shown(names) + " may hold nothing";
    }

    private static String shown(Collection<String> names) {
        return names.stream().limit(SHOWN).collect(Collectors.joining(", ")) + (names.size() > SHOWN ? ", ..." : "");
    }

    /** How many ROS must reach every DCM: those that are not drained. */
    private static long expectedRos(FabricSpec spec) {
        Set<String> drained = spec.switches().stream().filter(each -> each.adminState() == AdminState.DRAINED)
            .map(Switch::name).collect(Collectors.toSet());
        Set<String> linked = spec.links().stream().filter(link -> link.adminState() != AdminState.DRAINED)
            .flatMap(link -> Stream.of(link.end(), link.peer())).map(PortId::switchName)
            .filter(name -> !drained.contains(name)).collect(Collectors.toSet());
        return spec.pods().stream().flatMap(pod -> pod.ros().stream())
            .filter(ros -> linked.contains(ros.switchName())).count();
    }
}
