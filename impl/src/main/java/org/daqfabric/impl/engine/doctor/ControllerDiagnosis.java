package org.daqfabric.impl.engine.doctor;

import static org.daqfabric.impl.engine.doctor.Diagnosis.error;
import static org.daqfabric.impl.engine.doctor.Diagnosis.ok;
import static org.daqfabric.impl.engine.doctor.Diagnosis.warning;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.daqfabric.api.state.Advice;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Certificate;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Machine;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Store;

/** The controller itself: its ports, certificates, memory, clock and datastores. */
final class ControllerDiagnosis {
    private static final int FIRST_YEAR = 2026;
    /** A clock that has gained or lost more than this was set, not steered: seconds, and a share of the uptime. */
    private static final double STEP = 1;
    private static final double STEERING = 0.001;
    private static final double FULL_HEAP = 0.9;
    private static final double BUSY_COLLECTOR = 0.1;
    private static final int DAYS_TO_RENEW = 30;
    private static final double SLOW_STORE_MILLIS = 1000;
    private static final int MEBI = 1 << 20;

    private ControllerDiagnosis() {
    }

    static List<Advice> of(DiagnosisInput input) {
        List<Advice> found = new ArrayList<>(ListenerDiagnosis.of(input));
        input.stores().forEach(store -> found.add(store(store)));
        found.add(heap(input.machine()));
        found.add(clock(input.machine()));
        input.certificates().forEach(certificate -> found.add(certificate(certificate)));
        return found;
    }

    private static Advice store(Store store) {
        String subject = store.name() + " datastore";
        String took = String.format(Locale.ROOT, "%.0f ms", store.millis());
        return !store.error().isEmpty() ? error(subject, "cannot be written: " + store.error(),
                "free disk space under data/ and read data/log/karaf.log; in a cluster make sure that most of its"
                    + " members run")
            : store.millis() > SLOW_STORE_MILLIS ? warning(subject, "a write without effect took " + took,
                "look for a slow disk under data/, a machine that is short of CPU, or a member of the cluster that is"
                    + " down")
            : ok(subject, "can be written (" + took + ")");
    }

    private static Advice heap(Machine machine) {
        String used = machine.heapUsed() / MEBI + " of " + machine.heapMax() / MEBI + " MiB used, "
            + String.format(Locale.ROOT, "%.1f %% of the time spent collecting", machine.collecting() * 100);
        boolean full = machine.heapUsed() > FULL_HEAP * machine.heapMax();
        return full || machine.collecting() > BUSY_COLLECTOR
            ? warning("memory", used, "start the controller with more heap: DAQFABRIC_HEAP=4g bin/karaf server, or in"
                + " bin/setenv")
            : ok("memory", used);
    }

    private static Advice clock(Machine machine) {
        if (machine.year() < FIRST_YEAR) {
            return error("clock", "it shows the year " + machine.year(), "set it, and let NTP keep it right:"
                + " certificates and the times of events are judged by it");
        }
        if (Math.abs(machine.clockAhead()) > STEP + STEERING * machine.upSeconds()) {
            return warning("clock", String.format(Locale.ROOT, "it was set %s by %.1f s since the controller started",
                machine.clockAhead() > 0 ? "forward" : "back", Math.abs(machine.clockAhead())), "let NTP keep it right"
                + " without steps: times in the state tree from before do not compare with those of other machines");
        }
        return ok("clock", "not set since the controller started");
    }

    private static Advice certificate(Certificate certificate) {
        String subject = certificate.setting();
        if (!certificate.problem().isEmpty()) {
            return error(subject, certificate.problem(), "the controller runs on with what it read when it was started,"
                + " and would not start again");
        }
        String what = certificate.file() + " (" + certificate.subject() + ") ";
        String advice = "make a new one as in docs/install.md, put it there and restart the controller";
        return certificate.daysLeft() < 0 ? error(subject, what + "has expired", advice)
            : certificate.daysLeft() < DAYS_TO_RENEW
                ? warning(subject, what + "expires in " + certificate.daysLeft() + " days", advice)
            : ok(subject, what + "is valid for " + certificate.daysLeft() + " days");
    }
}
