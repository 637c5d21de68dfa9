package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.ListenableFuture;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.alarm.OperatorState;
import org.daqfabric.impl.alarms.AlarmKeeper;
import org.daqfabric.impl.author.Author;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.PurgeAlarms;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.PurgeAlarmsInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.PurgeAlarmsOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.PurgeAlarmsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.SetOperatorState;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.SetOperatorStateInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.SetOperatorStateOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.alarms.rev261125.SetOperatorStateOutputBuilder;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint32;

/** The rpcs of module daqfabric-alarms. */
public final class AlarmRpcs implements AutoCloseable {
    private static final String RESOURCE = "resource";
    private static final long MOST_SECONDS = 0xffffffffL;
    private static final int LONGEST_TEXT = 500;

    private final AlarmKeeper alarms;
    private final InstantSource clock;
    private final Registration registration;

    public AlarmRpcs(RpcProviderService rpcs, AlarmKeeper alarms, InstantSource clock) {
        this.alarms = alarms;
        this.clock = clock;
        registration = rpcs.registerRpcImplementations((SetOperatorState) this::operate, (PurgeAlarms) this::purge);
    }

    @Override
    public void close() {
        registration.close();
    }

    private ListenableFuture<RpcResult<SetOperatorStateOutput>> operate(SetOperatorStateInput input) {
        String operator = Author.current().userText();
        return RpcSupport.answer(() -> {
            Predicate<AlarmId> which = which(input);
            OperatorState state = Enums.ours(RpcSupport.given(input.getState(), "state", "\"ack\""), OperatorState.ACK);
            return alarms.operate(which, state, operator, text(input.getText()));
        }, changed -> new SetOperatorStateOutputBuilder().setChangedAlarms(Uint32.valueOf(changed.size())).build());
    }

    private Predicate<AlarmId> which(SetOperatorStateInput input) {
        String resource = RpcSupport.given(input.getResource(), RESOURCE, "\"fabric/FABRIC/link/SWITCH:PORT\"");
        Predicate<AlarmId> which = id -> id.resource().toString().equals(resource) && (input.getAlarmTypeId() == null
            || id.type() == Enums.ours(input.getAlarmTypeId(), AlarmType.LINK_DOWN));
        if (alarms.isKnown() && alarms.now().stream().map(Alarm::id).noneMatch(which)) {
            throw new InvalidInputException(input.getAlarmTypeId() == null ? RESOURCE : "alarm-type-id",
                "there is no such alarm of " + resource + ": the list daqfabric-alarms:alarms has those there are");
        }
        return which;
    }

    private static String text(String given) {
        String text = given == null ? "" : given.replaceAll("\\p{Cntrl}", " ").strip();
        if (text.length() > LONGEST_TEXT) {
            throw new InvalidInputException("text", "at most " + LONGEST_TEXT + " characters");
        }
        return text;
    }

    /** Whether a change is older than that. One of a time to come was made before the clock was set back. */
    static boolean isOlder(Instant changed, Duration age, Instant now) {
        return age.isZero() || !changed.isAfter(now.minus(age));
    }

    private ListenableFuture<RpcResult<PurgeAlarmsOutput>> purge(PurgeAlarmsInput input) {
        return RpcSupport.answer(() -> {
            long seconds = input.getOlderThan() == null ? 0
                : RpcSupport.whole(input.getOlderThan().getValue(), "older-than");
            if (seconds < 0 || seconds > MOST_SECONDS) {
                throw new InvalidInputException("older-than", "0 to " + MOST_SECONDS + " seconds");
            }
            Instant now = clock.instant();
            return alarms.purge(each -> isOlder(each.changed(), Duration.ofSeconds(seconds), now)
                && (input.getResource() == null || each.id().resource().toString().equals(input.getResource())));
        }, (List<Alarm> gone) -> new PurgeAlarmsOutputBuilder().setPurgedAlarms(Uint32.valueOf(gone.size())).build());
    }
}
