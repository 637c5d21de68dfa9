package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.google.common.util.concurrent.Futures;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.daqfabric.api.run.Answer;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.spi.FabricControl;
import org.daqfabric.impl.runcontrol.EventLog;
import org.daqfabric.impl.runcontrol.Request;
import org.daqfabric.impl.runcontrol.RunControl;
import org.daqfabric.impl.runcontrol.RunListener;
import org.daqfabric.impl.runcontrol.RunStore;
import org.junit.jupiter.api.Test;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcError;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** What rpcs answer where something else than their input is wrong. */
class RpcSupportTest {
    /** A run controller's program tells by the error-app-tag that this is no refusal: it repeats its call. */
    @Test
    void aRequestThatRunControlEndsBeforeIsToBeRepeated() throws ExecutionException {
        RunStore store = mock(RunStore.class);
        when(store.load()).thenReturn(new CompletableFuture<>());
        RunControl runs = new RunControl(mock(FabricControl.class), store, mock(RunListener.class),
            new EventLog("1", InstantSource.system()), Clocks.system(), (delay, task) -> { }, Runnable::run);
        var answer = RpcSupport.answer(() -> runs.ask(new Request.Abort("id", "detector")), Answer::toString);
        assertThat(answer.isDone()).isFalse();
        runs.close();
        RpcResult<String> result = Futures.getDone(answer);
        RpcError error = result.getErrors().iterator().next();
        assertThat(error.getTag()).isEqualTo(ErrorTag.RESOURCE_DENIED);
        assertThat(error.getApplicationTag()).isEqualTo("try-again");
        assertThat(error.getMessage()).contains("ask again", "same request-id");
    }
}
