package org.daqfabric.impl.engine.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.Finding.Kind;
import org.daqfabric.api.state.Finding.What;

/** Where a switch differs from its program, as findings for people. */
public final class Comparison {
    private Comparison() {
    }

    /**
     * Compares rules by key and groups by id, each by content.
     *
     * @param installed our rules and groups as read from the switch
     */
    public static List<Finding> of(String switchName, Program desired, Program installed) {
        List<Finding> findings = new ArrayList<>();
        compare(switchName, Kind.RULE, desired.rules(), installed.rules(), Comparison::name, Rule::actions, findings);
        compare(switchName, Kind.GROUP, desired.groups(), installed.groups(), id -> "0x" + Integer.toHexString(id),
            group -> group.type() + " " + group.buckets(), findings);
        return findings;
    }

    private static <K, V> void compare(String switchName, Kind kind, SortedMap<K, V> expected,
            SortedMap<K, V> installed, Function<K, String> name, Function<V, Object> content, List<Finding> findings) {
        for (Map.Entry<K, V> entry : expected.entrySet()) {
            V found = installed.get(entry.getKey());
            if (found == null) {
                findings.add(new Finding(switchName, kind, What.MISSING, name.apply(entry.getKey()), ""));
            } else if (!found.equals(entry.getValue())) {
                findings.add(new Finding(switchName, kind, What.DIFFERENT, name.apply(entry.getKey()),
                    "expected " + content.apply(entry.getValue()) + ", found " + content.apply(found)));
            }
        }
        installed.keySet().stream().filter(key -> !expected.containsKey(key)).forEach(key ->
            findings.add(new Finding(switchName, kind, What.EXCESS, name.apply(key), "")));
    }

    /** A rule's key in the words of ovs-ofctl. */
    public static String name(Rule.Key key) {
        StringBuilder text = new StringBuilder("priority=" + key.priority());
        Match match = key.match();
        if (match.inPort().isPresent()) {
            text.append(",in_port=").append(Integer.toUnsignedString(match.inPort().getAsInt()));
        }
        if (match.etherType() != Match.ANY_TYPE) {
            text.append(",dl_type=0x%04x".formatted(match.etherType()));
        }
        match.ethernetDestination().ifPresent(mac -> text.append(",dl_dst=").append(mac));
        match.source().ifPresent(address ->
            text.append(address.isIpv4() ? ",nw_src=" : ",ipv6_src=").append(address));
        match.destination().ifPresent(address ->
            text.append(address.isIpv4() ? ",nw_dst=" : ",ipv6_dst=").append(address));
        if (match.isPrefix()) {
            text.append('/').append(match.prefixLength());
        }
        return text.toString();
    }
}
