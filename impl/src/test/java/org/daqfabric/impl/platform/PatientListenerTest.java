package org.daqfabric.impl.platform;

import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.google.common.util.concurrent.Futures;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.opendaylight.openflowjava.protocol.api.connection.SwitchConnectionHandler;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProvider;

class PatientListenerTest {
    private final SwitchConnectionProvider original = mock(SwitchConnectionProvider.class);
    private final SwitchConnectionHandler plugin = mock(SwitchConnectionHandler.class);

    /** The plugin tries to listen only once, and another listener may need a moment to go. */
    @Test
    void startsWhenThePortIsFree() throws IOException {
        when(original.startup(any())).thenReturn(Futures.immediateVoidFuture());
        var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var listening = PatientListener.of(original, InetAddress.getLoopbackAddress(), other.getLocalPort())
            .startup(plugin);
        await().during(Duration.ofMillis(300)).until(() -> !listening.isDone());
        verify(original, never()).startup(any());
        other.close();
        verify(original, timeout(5000)).startup(plugin);
        await().until(listening::isDone);
    }
}
