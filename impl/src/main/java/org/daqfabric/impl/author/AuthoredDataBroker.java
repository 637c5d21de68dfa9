package org.daqfabric.impl.author;

import java.util.Collection;
import java.util.Optional;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadTransaction;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadWriteTransaction;
import org.opendaylight.mdsal.dom.api.DOMDataTreeWriteTransaction;
import org.opendaylight.mdsal.dom.api.DOMTransactionChain;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * OpenDaylight's data broker, which says in every transaction of RESTCONF that changes a fabric who made it. RESTCONF
 * uses this broker because the feature sets its reference to {@code (type=daqfabric-authored)}; everything else uses
 * OpenDaylight's own, which ranks higher.
 */
@Component(service = DOMDataBroker.class, property = {
    "type=daqfabric-authored",
    "service.ranking:Integer=-1000",
    // no DataBroker is made from it: what bundles write while a request is worked on is not RESTCONF's write
    "odl.mdsal.binding.adapter.ignore:Boolean=true"
})
public final class AuthoredDataBroker implements DOMDataBroker {
    private final DOMDataBroker broker;

    @Activate
    public AuthoredDataBroker(@Reference(target = "(type=default)") DOMDataBroker broker) {
        this.broker = broker;
    }

    @Override
    public DOMDataTreeReadTransaction newReadOnlyTransaction() {
        return broker.newReadOnlyTransaction();
    }

    @Override
    public DOMDataTreeWriteTransaction newWriteOnlyTransaction() {
        return newReadWriteTransaction();
    }

    @Override
    public DOMDataTreeReadWriteTransaction newReadWriteTransaction() {
        DOMDataTreeReadWriteTransaction tx = broker.newReadWriteTransaction();
        Author author = Author.current();
        Optional<FailedCommit> failure = FailedCommit.current();
        return author.isKnown() || failure.isPresent() ? new AuthoredTransaction(tx, author, failure) : tx;
    }

    @Override
    public DOMTransactionChain createTransactionChain() {
        return broker.createTransactionChain();
    }

    @Override
    public DOMTransactionChain createMergingTransactionChain() {
        return broker.createMergingTransactionChain();
    }

    @Override
    public Collection<? extends Extension> supportedExtensions() {
        return broker.supportedExtensions();
    }
}
