package org.daqfabric.impl.engine.doctor;


import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;
import static org.daqfabric.impl.engine.doctor.Diagnosed.ok;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.state.Advice;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Listener;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Protocol;

/** The addresses on which switches connect. */
public final class ListenerDiagnosis {
    private ListenerDiagnosis() {
    }

    static List<Diagnosed> of(DiagnosisInput input) {
        List<Diagnosed> found = new ArrayList<>();
        for (Protocol protocol : Protocol.values()) {
            if (input.listeners().stream().noneMatch(each -> each.protocol() == protocol)) {
                found.add(none(input, protocol));
            }
        }
        input.listeners().forEach(each -> found.add(diagnosed(each)));
        return found;
    }

    private static Diagnosed none(DiagnosisInput input, Protocol protocol) {
        boolean connectsOut = protocol == Protocol.OVSDB && input.fabrics().stream()
            .flatMap(fabric -> fabric.spec().switches().stream())
            .allMatch(each -> each.ovsdbAddress().isPresent());
        String setting = setting(protocol);
        return connectsOut
            ? ok(subject(protocol), "there is none, and every switch is connected to by its ovsdb-address")
            : alarm(AlarmType.LISTENER_CLOSED, AlarmResource.own(AlarmResource.Kind.LISTENER, setting),
                subject(protocol), "there is none, so that no switch can connect", "set " + setting
                + "-address and " + setting + "-port in etc/org.daqfabric.cfg and restart the controller");
    }

    /** Whether the controller listens on an address, and what to do if not. */
    public static Advice of(Listener listener) {
        return diagnosed(listener).advice();
    }

    private static Diagnosed diagnosed(Listener listener) {
        String subject = subject(listener.protocol());
        String where = (listener.tls() ? "ssl:" : "tcp:") + listener.address() + ":" + listener.port();
        return listener.open()
            ? ok(subject, "open on " + where + (listener.loopback() ? ", for this machine only" : ""))
            : alarm(AlarmType.LISTENER_CLOSED, AlarmResource.own(AlarmResource.Kind.LISTENER, where), subject,
                "cannot listen on " + where + ", so that no switch can connect there",
                "end the program that has the port ('ss -ltnp' tells), which is then taken at once, or change "
                + setting(listener.protocol())
                + "-address or -port in etc/org.daqfabric.cfg and restart the controller");
    }

    private static String subject(Protocol protocol) {
        return (protocol == Protocol.OVSDB ? "OVSDB" : "OpenFlow") + " listener";
    }

    private static String setting(Protocol protocol) {
        return protocol.name().toLowerCase(Locale.ROOT);
    }
}
