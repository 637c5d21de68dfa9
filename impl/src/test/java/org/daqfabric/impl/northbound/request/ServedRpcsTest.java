package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.dom.api.DOMRpcIdentifier;
import org.opendaylight.mdsal.dom.api.DOMRpcImplementation;
import org.opendaylight.mdsal.dom.api.DOMRpcResult;
import org.opendaylight.mdsal.dom.broker.DOMRpcRouter;
import org.opendaylight.mdsal.dom.broker.RouterDOMRpcProviderService;
import org.opendaylight.mdsal.dom.broker.RouterDOMRpcService;
import org.opendaylight.mdsal.dom.spi.FixedDOMSchemaService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Plan;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Verify;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;

/** OpenDaylight tells its listeners on a thread of its own; what they are asked must hold at once nonetheless. */
class ServedRpcsTest {
    private final DOMRpcRouter router = new DOMRpcRouter(new FixedDOMSchemaService(
        BindingRuntimeHelpers.createRuntimeContext(Plan.class, Verify.class).modelContext()));
    private final ServedRpcs served = new ServedRpcs(new RouterDOMRpcService(router));

    @AfterEach
    void close() {
        served.close();
        router.close();
    }

    /** As Binding's adapter does, with another implementation each time. */
    private Registration serve(QName rpc) {
        DOMRpcImplementation one = new DOMRpcImplementation() {
            @Override
            public ListenableFuture<? extends DOMRpcResult> invokeRpc(DOMRpcIdentifier name, ContainerNode input) {
                return Futures.immediateCancelledFuture();
            }
        };
        return new RouterDOMRpcProviderService(router).registerRpcImplementations(Map.of(DOMRpcIdentifier.create(rpc),
            one));
    }

    @Test
    void oneIsServedWhileItIsRegistered() {
        serve(Verify.QNAME);
        assertThat(served.isServed(Plan.QNAME)).isFalse();
        for (int round = 0; round < 100; round++) {
            BooleanSupplier before = served.since(Plan.QNAME);
            Registration plan = serve(Plan.QNAME);
            assertThat(served.isServed(Plan.QNAME)).isTrue();
            BooleanSupplier since = served.since(Plan.QNAME);
            assertThat(since.getAsBoolean()).isTrue();
            plan.close();
            assertThat(since.getAsBoolean()).isFalse();
            assertThat(before.getAsBoolean()).isFalse();
            assertThat(served.isServed(Plan.QNAME)).isFalse();
        }
        assertThat(served.isServed(Verify.QNAME)).isTrue();
    }

    /** A request that fails is not to blame if its rpc was withdrawn meanwhile and is served again. */
    @Test
    void oneThatIsServedAgainWasNotServedAllTheTime() {
        Registration plan = serve(Plan.QNAME);
        assertThat(served.isServed(Plan.QNAME)).isTrue();
        BooleanSupplier since = served.since(Plan.QNAME);
        plan.close();
        serve(Plan.QNAME);
        assertThat(since.getAsBoolean()).isFalse();
        assertThat(served.since(Plan.QNAME).getAsBoolean()).isTrue();
    }

    /** Changes of other rpcs just before are told to whoever asks, too. */
    @Test
    void whatElseHasChangedIsNoAnswer() {
        Registration verify = serve(Verify.QNAME);
        for (int round = 0; round < 1000; round++) {
            Registration plan = serve(Plan.QNAME);
            assertThat(served.isServed(Plan.QNAME)).isTrue();
            BooleanSupplier since = served.since(Plan.QNAME);
            verify.close();
            verify = serve(Verify.QNAME);
            plan.close();
            assertThat(since.getAsBoolean()).as("round %s", round).isFalse();
        }
    }
}
