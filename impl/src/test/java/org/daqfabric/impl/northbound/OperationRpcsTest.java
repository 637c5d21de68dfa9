package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Verify;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.VerifyInputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.VerifyOutput;
import org.opendaylight.yangtools.binding.Rpc;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** What an operator asks right after a write is asked of what was written. */
class OperationRpcsTest {
    private final FabricManager fabrics = mock();
    private final Uptake uptake = mock();

    @Test
    void aNewFabricIsInspectedWhenItIsTakenUp() throws Exception {
        CompletableFuture<Void> taken = new CompletableFuture<>();
        when(uptake.ofWhatIsStored()).thenReturn(taken);
        when(fabrics.inspect("new", Set.of(), false)).thenReturn(CompletableFuture.failedFuture(
            new InvalidInputException("fabric", "asked")));
        RpcProviderService provider = mock();
        new OperationRpcs(provider, fabrics, uptake);
        ArgumentCaptor<Rpc<?, ?>[]> registered = ArgumentCaptor.captor();
        verify(provider).registerRpcImplementations(registered.capture());
        Verify verify = List.of(registered.getValue()).stream().filter(Verify.class::isInstance)
            .map(Verify.class::cast).findFirst().orElseThrow();

        ListenableFuture<RpcResult<VerifyOutput>> answer =
            verify.invoke(new VerifyInputBuilder().setFabric("new").build());
        verifyNoInteractions(fabrics);
        taken.complete(null);
        assertThat(answer.get(1, TimeUnit.MINUTES).getErrors().toString()).contains("asked");
    }
}
