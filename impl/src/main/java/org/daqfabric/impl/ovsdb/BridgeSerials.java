package org.daqfabric.impl.ovsdb;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The serial numbers of our bridges, which nobody can guess: a switch tells its own over OpenFlow ({@code serial_num}),
 * and so proves that it is the bridge that was configured over OVSDB. And which of them belong to another installation
 * by now, to which nothing may be sent over OpenFlow either. Thread-safe.
 */
final class BridgeSerials {
    /** Key in {@code other_config} of a bridge. */
    static final String KEY = "dp-sn";
    /** Of 96 bits in hexadecimal; OpenFlow has room for 31. */
    private static final int CHARACTERS = 24;
    private static final Pattern OURS = Pattern.compile("[0-9a-f]{" + CHARACTERS + "}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Map<Long, String> known = new ConcurrentHashMap<>();
    private final Set<Long> others = ConcurrentHashMap.newKeySet();

    /** What a node's bridges get that have none. */
    static String fresh() {
        byte[] bytes = new byte[CHARACTERS / 2];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The serial number that a bridge keeps: one of ours. Another one, also an operator's, could be guessed. */
    static Optional<String> of(@Nullable BridgeRow row) {
        return Optional.ofNullable(row).map(each -> each.otherConfig().get(KEY))
            .filter(serial -> OURS.matcher(serial).matches());
    }

    /** A node has told whose its bridges are, which holds until it tells something else. */
    void observeOthers(Collection<Bridge> bridges, Set<String> ofOthers) {
        for (Bridge bridge : bridges) {
            if (ofOthers.contains(bridge.name())) {
                others.add(bridge.datapathId());
            } else {
                others.remove(bridge.datapathId());
            }
        }
    }

    boolean isOthers(long datapathId) {
        return others.contains(datapathId);
    }

    /** A node has told what its bridges are; not before its ovs-vswitchd has taken that up. */
    void observe(Collection<Bridge> bridges, OvsdbSnapshot snapshot, boolean isTakenUp) {
        if (!isTakenUp) {
            return;
        }
        for (BridgeRow row : snapshot.bridges().values()) {
            if (row.externalIds().containsKey(BridgePlan.MARK)) {
                of(row).ifPresent(serial -> bridges.stream().filter(bridge -> bridge.name().equals(row.name()))
                    .forEach(bridge -> known.put(bridge.datapathId(), serial)));
            }
        }
    }

    /** A bridge is to be another one than before. */
    void replaced(@Nullable Bridge before, Bridge now) {
        if (before != null && before.datapathId() != now.datapathId()) {
            known.remove(before.datapathId());
            others.remove(before.datapathId());
        }
    }

    /** These bridges are no switches of ours any more. */
    void forget(Collection<Bridge> bridges) {
        // whose they are, their nodes have told: that holds also where they are put again
        bridges.forEach(bridge -> known.remove(bridge.datapathId()));
    }

    Optional<String> of(long datapathId) {
        return Optional.ofNullable(known.get(datapathId));
    }
}
