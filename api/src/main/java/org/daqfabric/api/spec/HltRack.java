package org.daqfabric.api.spec;

import java.util.Comparator;
import java.util.List;

/**
 * A filter-farm rack: one switch with the DCMs behind it.
 *
 * @param dcms ordered by name
 */
public record HltRack(String name, String switchName, List<Dcm> dcms) {
    public HltRack {
        dcms = dcms.stream().sorted(Comparator.comparing(Dcm::name)).toList();
    }
}
