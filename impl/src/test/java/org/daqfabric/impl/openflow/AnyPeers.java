package org.daqfabric.impl.openflow;

import java.util.Optional;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.WantedAddresses;

/** Switch 7 is in a fabric, others are in none, and nothing is known over OVSDB. */
public record AnyPeers(WantedAddresses addresses, AddressCredits credits) implements OpenFlowRuleChannel.Peers {
    public AnyPeers() {
        this(new WantedAddresses());
    }

    private AnyPeers(WantedAddresses addresses) {
        this(addresses, new AddressCredits(addresses));
    }

    @Override
    public Optional<String> serialOf(long datapathId) {
        return Optional.empty();
    }

    @Override
    public boolean isKnown(long datapathId) {
        return datapathId == 7;
    }
}
