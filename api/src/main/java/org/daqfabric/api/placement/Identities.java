package org.daqfabric.api.placement;

import com.google.common.collect.ImmutableSortedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The identity of every switch of a fabric. It is stored with the placement, since names may change while bridges stay.
 *
 * @param switches by the switch's name
 */
public record Identities(SortedMap<String, SwitchIdentity> switches) {
    /** None stored yet: every switch is known by its name. */
    public static final Identities NONE = new Identities(new TreeMap<>());

    public Identities {
        switches = ImmutableSortedMap.copyOf(switches);
    }

    /** The identity of a switch of the fabric. */
    public SwitchIdentity of(String switchName) {
        return switches.get(switchName);
    }
}
