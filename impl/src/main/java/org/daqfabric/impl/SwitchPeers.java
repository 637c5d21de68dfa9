package org.daqfabric.impl;

import java.util.Optional;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.openflow.OpenFlowRuleChannel;
import org.daqfabric.impl.ovsdb.OvsdbBridgeDriver;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.WantedAddresses;

/** Who may connect over OpenFlow: what is configured, and what is known over OVSDB. */
record SwitchPeers(FabricManager manager, OvsdbBridgeDriver bridges) implements OpenFlowRuleChannel.Peers {
    @Override
    public Optional<String> serialOf(long datapathId) {
        return bridges.serialOf(datapathId);
    }

    @Override
    public boolean isKnown(long datapathId) {
        return manager.knows(datapathId);
    }

    @Override
    public boolean isOthers(long datapathId) {
        return bridges.isOthers(datapathId);
    }

    @Override
    public WantedAddresses addresses() {
        return bridges.wantedAddresses();
    }

    @Override
    public AddressCredits credits() {
        return bridges.addressCredits();
    }
}
