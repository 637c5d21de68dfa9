package org.daqfabric.impl.openflow;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.google.common.util.concurrent.SettableFuture;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.junit.jupiter.api.Test;
import org.opendaylight.openflowjava.protocol.api.connection.ConnectionAdapter;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.HelloMessageBuilder;

/** The beginning of a connection to a switch. */
class OpenFlowConnectionTest {
    /** Over TLS the library reports twice that the transport is ready; a second question would discard the first. */
    @Test
    void featuresAreAskedForOnce() {
        ConnectionAdapter library = mock();
        when(library.getFeatures(any())).thenReturn(SettableFuture.create());
        OpenFlowConnection connection = new OpenFlowConnection(library, mock(RuleListener.class),
            mock(OpenFlowConnection.Register.class));
        connection.ready();
        connection.onHello(new HelloMessageBuilder().setVersion(OpenFlow13.VERSION).build());
        connection.ready();
        verify(library).hello(any());
        verify(library).getFeatures(any());
    }
}
