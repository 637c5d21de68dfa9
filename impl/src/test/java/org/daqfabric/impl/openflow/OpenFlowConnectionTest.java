package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.SettableFuture;
import java.util.ArrayList;
import java.util.List;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.peers.Limit;
import org.eclipse.jdt.annotation.Nullable;
import org.junit.jupiter.api.Test;
import org.opendaylight.openflowjava.protocol.api.connection.ConnectionAdapter;
import org.opendaylight.openflowjava.protocol.api.connection.OutboundQueue;
import org.opendaylight.openflowjava.protocol.api.connection.OutboundQueueHandler;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.GetFeaturesOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.HelloMessageBuilder;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;
import org.opendaylight.yangtools.yang.common.Uint64;

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

    /** The end is told first: a connection that the switch opens meanwhile would seem to be the one that ended. */
    @Test
    void sessionIsClosedBeforeAnotherOneCanTakeItsPlace() {
        ConnectionAdapter library = mock();
        when(library.getFeatures(any())).thenReturn(Futures.immediateFuture(RpcResultBuilder.success(
            new GetFeaturesOutputBuilder().setDatapathId(Uint64.ONE).build()).build()));
        OutboundQueue closing = mock();
        when(library.registerOutboundQueueHandler(any(), anyInt(), anyLong())).thenAnswer(call -> {
            call.getArgument(0, OutboundQueueHandler.class).onConnectionQueueChanged(closing);
            return null;
        });
        List<Boolean> closed = new ArrayList<>();
        OpenFlowConnection connection = new OpenFlowConnection(library, mock(RuleListener.class),
            new OpenFlowConnection.Register() {
                @Override
                public void identified(OpenFlowConnection identified, SwitchWay way) {
                    throw new AssertionError("it has not reported its ports");
                }

                @Override
                public void proofArrived(byte[] frame) {
                    throw new AssertionError("it has not reported its ports");
                }

                @Override
                public int maxPorts(OpenFlowConnection connection, long datapathId) {
                    return 1;
                }

                @Override
                public void refused(OpenFlowConnection refused, Limit limit, String why) {
                    throw new AssertionError(why);
                }

                @Override
                public boolean isLogged(OpenFlowConnection unused, String why) {
                    return true;
                }

                @Override
                public void ended(OpenFlowConnection ended, @Nullable SwitchSession session) {
                    closed.add(session != null && session.isClosed());
                }
            });
        connection.ready();
        connection.onHello(new HelloMessageBuilder().setVersion(OpenFlow13.VERSION).build());
        assertThat(closed).containsOnly(true);
    }
}
