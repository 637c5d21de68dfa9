package org.daqfabric.impl.openflow;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.WantedAddresses;

/**
 * Switch 7 is in a fabric, others are in none, and nothing is known over OVSDB.
 *
 * @param others whose bridges belong to another installation
 */
public record AnyPeers(WantedAddresses addresses, AddressCredits credits, Set<Long> others)
        implements OpenFlowRuleChannel.Peers {
    public AnyPeers() {
        this(new WantedAddresses());
    }

    private AnyPeers(WantedAddresses addresses) {
        this(addresses, new AddressCredits(addresses), ConcurrentHashMap.newKeySet());
    }

    @Override
    public Optional<String> serialOf(long datapathId) {
        return Optional.empty();
    }

    @Override
    public boolean isKnown(long datapathId) {
        return datapathId == 7;
    }

    @Override
    public boolean isOthers(long datapathId) {
        return others.contains(datapathId);
    }
}
