package org.daqfabric.impl.northbound;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.isA;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.impl.runcontrol.EventLog;
import org.daqfabric.impl.runcontrol.Request;
import org.daqfabric.impl.runcontrol.RunControl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Abort;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.AbortInputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.Prepare;
import org.opendaylight.yang.gen.v1.urn.daqfabric.run.control.rev261121.PrepareInputBuilder;
import org.opendaylight.yangtools.binding.Rpc;

/** What waits for the configuration to be taken up, and who waits behind it. */
class RunControlRpcsTest {
    private final RunControl runs = mock();
    private final Uptake uptake = mock();
    private final CompletableFuture<Void> taken = new CompletableFuture<>();
    private List<Rpc<?, ?>> rpcs;

    @BeforeEach
    void register() {
        when(uptake.ofWhatIsStored()).thenReturn(taken);
        when(runs.ask(any())).thenReturn(new CompletableFuture<>());
        RpcProviderService provider = mock();
        new RunControlRpcs(provider, runs, mock(EventLog.class), uptake);
        ArgumentCaptor<Rpc<?, ?>[]> registered = ArgumentCaptor.captor();
        verify(provider).registerRpcImplementations(registered.capture());
        rpcs = List.of(registered.getValue());
    }

    private <T> T rpc(Class<T> type) {
        return rpcs.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
    }

    private void prepare(String id) {
        rpc(Prepare.class).invoke(new PrepareInputBuilder().setRequestId(id).setPartition("p").build());
    }

    private void abort(String id) {
        rpc(Abort.class).invoke(new AbortInputBuilder().setRequestId(id).setPartition("p").build());
    }

    @Test
    void whatDoesNotChooseAsksImmediately() {
        abort("1");
        verify(runs).ask(isA(Request.Abort.class));
    }

    /** An abort that comes after a prepare must not be answered before it. */
    @Test
    void requestsAreAskedInOrderOfArrival() {
        prepare("1");
        abort("2");
        prepare("3");
        abort("4");
        verify(runs, never()).ask(any());
        taken.complete(null);
        var order = inOrder(runs);
        order.verify(runs).ask(isA(Request.Prepare.class));
        order.verify(runs).ask(isA(Request.Abort.class));
        order.verify(runs).ask(isA(Request.Prepare.class));
        order.verify(runs).ask(isA(Request.Abort.class));
    }
}
