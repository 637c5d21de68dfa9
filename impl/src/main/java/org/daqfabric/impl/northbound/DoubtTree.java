package org.daqfabric.impl.northbound;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.spi.Doubts;
import org.daqfabric.impl.engine.loss.LinkRates;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.InterfaceName;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.doubts.Doubt;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.doubts.DoubtBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.doubts.doubt.Link;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.doubts.doubt.LinkBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.doubts.doubt.LinkKey;
import org.opendaylight.yangtools.yang.common.Uint32;

/** What is in doubt of a fabric, as it is stored. */
final class DoubtTree {
    private DoubtTree() {
    }

    static Doubt of(String fabric, Doubts doubts) {
        return new DoubtBuilder().setFabric(new Name(fabric))
            .setSwitch(doubts.switches().stream().map(Name::new).collect(Collectors.toSet()))
            .setLink(doubts.lossy().entrySet().stream().map(DoubtTree::link)
                .collect(Collectors.toMap(Link::key, Function.identity()))).build();
    }

    private static Link link(Map.Entry<PortId, LinkRates> lossy) {
        return new LinkBuilder()
            .withKey(new LinkKey(new InterfaceName(lossy.getKey().port()), new Name(lossy.getKey().switchName())))
            .setToPeer(Uint32.valueOf(lossy.getValue().toPeer()))
            .setFromPeer(Uint32.valueOf(lossy.getValue().fromPeer())).build();
    }

    static Doubts read(Doubt stored) {
        SortedMap<PortId, LinkRates> lossy = new TreeMap<>();
        orEmpty(stored.getLink()).forEach((key, link) -> lossy.put(
            new PortId(key.getSwitch().getValue(), key.getPort().getValue()),
            new LinkRates(link.requireToPeer().intValue(), link.requireFromPeer().intValue())));
        Set<Name> switches = stored.getSwitch();
        return new Doubts(switches == null ? Set.of()
            : switches.stream().map(Name::getValue).collect(Collectors.toSet()), lossy);
    }

    private static Map<LinkKey, Link> orEmpty(@Nullable Map<LinkKey, Link> links) {
        return links == null ? Map.of() : links;
    }
}
