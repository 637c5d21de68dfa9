package org.daqfabric.impl.engine.doctor;


import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;
import static org.daqfabric.impl.engine.doctor.Diagnosed.ok;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmResource.Kind;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Certificate;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Machine;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Store;

/** The controller itself: its ports, certificates, memory, clock and datastores; and the others of its cluster. */
final class ControllerDiagnosis {
    private static final int FIRST_YEAR = 2026;
    /** Seconds that its clock may have been set by. */
    private static final double STEP = 1;
    private static final double FULL_HEAP = 0.9;
    private static final double BUSY_COLLECTOR = 0.1;
    private static final int DAYS_TO_RENEW = 30;
    private static final double SLOW_STORE_MILLIS = 1000;
    private static final int MEBI = 1 << 20;
    private static final String RESTART = "restart the controller: after one write that fails OpenDaylight's journal"
        + " takes no other. If the disk is full, free space on it first";

    private ControllerDiagnosis() {
    }

    static List<Diagnosed> of(DiagnosisInput input) {
        List<Diagnosed> found = new ArrayList<>(ListenerDiagnosis.of(input));
        input.stores().forEach(store -> found.add(store(store)));
        input.lostMembers().forEach((name, address) ->
            found.add(alarm(AlarmType.MEMBER_LOST, AlarmResource.own(Kind.CONTROLLER, name), name,
                "the controller at " + address + " cannot be reached", AlarmType.MEMBER_LOST.advice())));
        if (!input.unstoredAccounts().isEmpty()) {
            found.add(alarm(AlarmType.ACCOUNTS_UNSTORED, AlarmResource.own(Kind.CONTROLLER, "accounts"), "accounts",
                "no password could be stored for the first accounts " + input.unstoredAccounts(),
                AlarmType.ACCOUNTS_UNSTORED.advice()));
        }
        found.add(heap(input.machine()));
        found.add(clock(input.machine()));
        input.certificates().forEach(certificate -> found.add(certificate(certificate)));
        return found;
    }

    private static AlarmCondition condition(AlarmType type, AlarmSeverity severity, Kind kind,
            String name, String text) {
        return new AlarmCondition(new AlarmId(AlarmResource.own(kind, name), type), severity, text);
    }

    private static Diagnosed store(Store store) {
        String subject = store.name() + " datastore";
        String took = String.format(Locale.ROOT, "%.0f ms", store.millis());
        if (!store.error().isEmpty()) {
            String what = "cannot be written: " + store.error();
            return alarm(condition(AlarmType.DATASTORE, AlarmSeverity.CRITICAL, Kind.DATASTORE, store.name(), what),
                subject, what, store.ended() ? RESTART : AlarmType.DATASTORE.advice());
        }
        return store.millis() > SLOW_STORE_MILLIS
            ? alarm(condition(AlarmType.DATASTORE, AlarmSeverity.WARNING, Kind.DATASTORE, store.name(),
                "a write without effect takes longer than a second"), subject,
                "a write without effect took " + took,
                "look for a slow disk under data/, a machine that is short of CPU, or a member of the cluster that is"
                    + " down")
            : ok(subject, "can be written (" + took + ")");
    }

    private static Diagnosed heap(Machine machine) {
        String used = machine.heapUsed() / MEBI + " of " + machine.heapMax() / MEBI + " MiB used, "
            + String.format(Locale.ROOT, "%.1f %% of the last minute spent collecting", machine.collecting() * 100);
        boolean full = machine.heapUsed() > FULL_HEAP * machine.heapMax();
        return full || machine.collecting() > BUSY_COLLECTOR
            ? alarm(AlarmCondition.of(AlarmType.MEMORY, AlarmResource.own(Kind.CONTROLLER, "memory"),
                full ? "more than 90 % of the heap are used"
                    : "more than 10 % of the last minute was spent collecting"),
                "memory", used, AlarmType.MEMORY.advice())
            : ok("memory", used);
    }

    private static Diagnosed clock(Machine machine) {
        if (machine.year() < FIRST_YEAR) {
            String what = "it shows the year " + machine.year();
            return alarm(condition(AlarmType.CLOCK, AlarmSeverity.MAJOR, Kind.CONTROLLER, "clock", what), "clock", what,
                "set it, and let NTP keep it right: certificates and the times of events are judged by it");
        }
        if (Math.abs(machine.clockSet()) > STEP) {
            String way = machine.clockSet() > 0 ? "forward" : "back";
            return alarm(AlarmCondition.of(AlarmType.CLOCK, AlarmResource.own(Kind.CONTROLLER, "clock"),
                "it was set " + way + " since the controller started"), "clock",
                String.format(Locale.ROOT, "it was set %s by %.1f s since the controller started", way,
                    Math.abs(machine.clockSet())), "let NTP keep it right"
                + " without steps: times in the state tree from before do not compare with those of other machines");
        }
        return ok("clock", "not set since the controller started");
    }

    private static Diagnosed certificate(Certificate certificate) {
        String subject = certificate.setting();
        if (!certificate.problem().isEmpty()) {
            return alarm(condition(AlarmType.CERTIFICATE, AlarmSeverity.MAJOR, Kind.CERTIFICATE, subject,
                certificate.problem()), subject, certificate.problem(), "the controller runs on with what it read when"
                + " it was started, and would not start again");
        }
        String what = certificate.file() + " (" + certificate.subject() + ") ";
        String advice = AlarmType.CERTIFICATE.advice();
        return certificate.daysLeft() < 0
            ? alarm(condition(AlarmType.CERTIFICATE, AlarmSeverity.MAJOR, Kind.CERTIFICATE, subject,
                what + "has expired"), subject, what + "has expired", advice)
            : certificate.daysLeft() < DAYS_TO_RENEW
                ? alarm(AlarmCondition.of(AlarmType.CERTIFICATE, AlarmResource.own(Kind.CERTIFICATE, subject),
                    what + "expires in less than " + DAYS_TO_RENEW + " days"), subject,
                    what + "expires in " + certificate.daysLeft() + " days", advice)
            : ok(subject, what + "is valid for " + certificate.daysLeft() + " days");
    }
}
