package org.daqfabric.impl.engine.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;

/**
 * Which rules of other programs take packets of ours: those that match such packets at our priority or
 * above. What we drop anyway is not taken.
 */
public final class ForeignRules {
    /** A program that fills tables is named by the first of its rules. */
    private static final int EXAMINED = 200;
    private static final int SHOWN = 3;

    private ForeignRules() {
    }

    /**
     * A rule of another program in the table that packets meet first.
     *
     * @param match what is known of its match; it may match less
     * @param whole whether that is all of it
     */
    public record Foreign(long cookie, int priority, Match match, boolean whole) {
        /** The rule and how to remove it, in the words of ovs-ofctl. */
        String text(String bridge) {
            String known = Comparison.name(new Rule.Key(priority, match));
            int first = known.indexOf(',');
            String fields = first < 0 ? "" : known.substring(first);
            return "a rule of another program takes packets: cookie=0x" + Long.toHexString(cookie) + ", " + known
                + (whole ? "" : " and fields that daqfabric does not use") + ": 'ovs-ofctl -O OpenFlow13 "
                + (whole ? "--strict del-flows " + bridge + " " + known
                    : "del-flows " + bridge + " cookie=0x" + Long.toHexString(cookie) + "/-1" + fields)
                + "' on the node removes it";
        }
    }

    /**
     * What to say of those that take packets, and how to remove them.
     *
     * @param ours our rules in the switch
     */
    public static List<String> takers(Program ours, List<Foreign> foreign, String bridge) {
        List<Foreign> takers = foreign.stream().limit(EXAMINED).filter(each -> takes(ours, each)).toList();
        List<String> told = new ArrayList<>(takers.stream().limit(SHOWN).map(each -> each.text(bridge))
            .toList());
        if (takers.size() > SHOWN) {
            told.add("and " + (takers.size() - SHOWN) + " more such rules");
        }
        return told;
    }

    private static boolean takes(Program ours, Foreign foreign) {
        return ours.rules().values().stream().filter(rule -> !rule.actions().isEmpty())
            .anyMatch(rule -> rule.priority() <= foreign.priority() && overlap(rule.match(), foreign.match()));
    }

    /** Whether some packet may match both. */
    static boolean overlap(Match one, Match other) {
        return (one.inPort().isEmpty() || other.inPort().isEmpty() || one.inPort().equals(other.inPort()))
            && (one.etherType() == Match.ANY_TYPE || other.etherType() == Match.ANY_TYPE
                || one.etherType() == other.etherType())
            && areEqual(one.ethernetDestination(), other.ethernetDestination())
            && areEqual(one.source(), other.source())
            && (one.destination().isEmpty() || other.destination().isEmpty() || haveCommon(one, other));
    }

    private static boolean areEqual(Optional<?> one, Optional<?> other) {
        return one.isEmpty() || other.isEmpty() || one.equals(other);
    }

    private static boolean haveCommon(Match one, Match other) {
        Address first = one.destination().orElseThrow();
        Address second = other.destination().orElseThrow();
        int length = Math.min(one.prefixLength(), other.prefixLength());
        return first.isIpv4() == second.isIpv4() && first.prefix(length).equals(second.prefix(length));
    }
}
