package org.daqfabric.impl.openflow;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.daqfabric.impl.peers.Allowance;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Which changes of a switch's ports are told, and when. All ports of a switch may change at once, and a link may flap a
 * few times: each change is told at once. If ports change more often than that, those that do are told a few times a
 * second, in the order in which they began to wait, and only as they are by then. Not thread-safe.
 */
final class PortChanges {
    /** Of one port: times at once, and a second. */
    static final int PORT_BURST = 20;
    static final int PORT_PER_SECOND = 10;
    /** Of all ports of a switch: times at once, and a second. */
    static final int SWITCH_BURST = 16_384;
    static final int SWITCH_PER_SECOND = 1000;

    /** Each port as was told. */
    private final Map<Integer, PortReport> told = new HashMap<>();
    private final Set<Integer> waiting = new LinkedHashSet<>();
    private final Map<Integer, Allowance> ofPort = new HashMap<>();
    private final Allowance ofSwitch;
    private final Teller teller;

    /** Tells somebody. */
    interface Teller {
        void tell(int number, PortReport port);
    }

    PortChanges(final long now, final Teller teller) {
        ofSwitch = new Allowance(SWITCH_BURST, SWITCH_PER_SECOND, now);
        this.teller = teller;
    }

    /** The ports that there are when the switch is told: all are told. */
    void begin(final Map<Integer, PortReport> ports) {
        ports.forEach((number, port) -> {
            told.put(number, port);
            teller.tell(number, port);
        });
    }

    /**
     * A port has changed, or is gone.
     *
     * @param state null if it is gone
     */
    void changed(final int number, final @Nullable PortReport state, final long now) {
        if (!isNews(number, state)) {
            waiting.remove(number);
            forgetIfGone(number, state);
        } else if (waiting.contains(number) || !isAllowed(number, now)) {
            waiting.add(number);
        } else {
            tell(number, state);
        }
    }

    /**
     * Tells of those that wait as many as may be told by now.
     *
     * @param ports what there is
     */
    void retry(final Map<Integer, PortReport> ports, final long now) {
        for (var each = waiting.iterator(); each.hasNext();) {
            final int number = each.next();
            final PortReport state = ports.get(number);
            if (isNews(number, state) && !isAllowed(number, now)) {
                continue;
            }
            each.remove();
            if (isNews(number, state)) {
                tell(number, state);
            } else {
                forgetIfGone(number, state);
            }
        }
        ofPort.values().removeIf(allowance -> allowance.isWhole(now));
    }

    /** Whether some wait, so that {@link #retry} is to be called again. */
    boolean isBehind() {
        return !waiting.isEmpty();
    }

    /** A port that is gone is told as one that is down. */
    private boolean isNews(final int number, final @Nullable PortReport state) {
        final PortReport before = told.get(number);
        return state == null ? before != null && (before.up() || !before.bits().isEmpty()) : !state.equals(before);
    }

    private boolean isAllowed(final int number, final long now) {
        return ofPort.computeIfAbsent(number, each -> new Allowance(PORT_BURST, PORT_PER_SECOND, now)).take(now)
            && ofSwitch.take(now);
    }

    private void tell(final int number, final @Nullable PortReport state) {
        final PortReport port = state == null ? PortReport.GONE : state;
        told.put(number, port);
        forgetIfGone(number, state);
        teller.tell(number, port);
    }

    private void forgetIfGone(final int number, final @Nullable PortReport state) {
        if (state == null) {
            told.remove(number);
        }
    }
}
