package org.daqfabric.impl.openflow;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.program.Message;
import org.daqfabric.impl.controller.Held;
import org.daqfabric.impl.controller.RuleChannel;
import org.daqfabric.impl.controller.RuleListener;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.Node;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.TransmitPacket;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules and groups of connected switches, by RPCs of OpenDaylight's OpenFlowPlugin. Every member of a cluster may
 * have one: it reaches and hears of all switches, whichever member they are connected to.
 */
public final class OpenFlowRuleChannel implements RuleChannel, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFlowRuleChannel.class);
    private static final int THREADS = 2;
    private static final long RETRY_MILLIS = 200;

    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS,
        Thread.ofPlatform().daemon().name("daqfabric-openflow-", 0).factory());
    private final Requests requests;
    private final Reader reader;
    private final InventoryListener inventory;
    private final CablingProbe cabling;
    private final Registration registration;

    /**
     * Starts to listen; switches that are connected already are reported as those that connect later.
     *
     * @param notifications of the plugin, which tell of packets
     * @param listener hears of switches, ports and cables
     * @param readLimitMillis how long reading a switch may take before it fails
     */
    public OpenFlowRuleChannel(final RpcService rpcs, final DataBroker broker,
            final NotificationService notifications, final Connections connections, final RuleListener listener,
            final long readLimitMillis) {
        requests = new Requests(rpcs);
        reader = new Reader(requests, connections, executor, readLimitMillis);
        inventory = new InventoryListener(listener, this::openWhenItAnswers);
        cabling = new CablingProbe(rpcs.getRpc(TransmitPacket.class), notifications, inventory::session, listener);
        registration = broker.registerTreeChangeListener(LogicalDatastoreType.OPERATIONAL,
            DataObjectReference
                .builder(org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.Nodes.class)
                .child(Node.class)
                .build(),
            inventory);
    }

    @Override
    public CompletionStage<Held> read(final long datapathId) {
        final var session = inventory.session(datapathId);
        return session == null ? notConnected(datapathId) : reader.read(session);
    }

    @Override
    public CompletionStage<List<Refusal>> send(final long datapathId, final List<Message> messages) {
        final var session = inventory.session(datapathId);
        if (session == null) {
            return notConnected(datapathId);
        }
        return new Batch(session, requests, List.copyOf(messages), executor).start();
    }

    @Override
    public void watchCabling(final long datapathId, final Set<Integer> ports) {
        cabling.watch(datapathId, ports);
    }

    /** Reports nothing any more; what is under way fails. Switches keep what they hold. */
    @Override
    public void close() {
        cabling.close();
        registration.close();
        inventory.close();
        executor.shutdown();
    }

    private static <T> CompletableFuture<T> notConnected(final long datapathId) {
        return CompletableFuture.failedFuture(new SwitchLostException(datapathId, "the switch is not connected"));
    }

    /** A switch may be in the inventory before requests find it, on other members of a cluster than its own. */
    private void openWhenItAnswers(final SwitchSession session) {
        Answers.of(session.datapathId(), requests.barrier(session.node()), executor).whenComplete((unused, cause) -> {
            if (cause == null) {
                session.open();
            } else if (!session.isClosed()) {
                LOG.debug("{} does not answer yet", Nodes.name(session.datapathId()), cause);
                CompletableFuture.delayedExecutor(RETRY_MILLIS, TimeUnit.MILLISECONDS, executor)
                    .execute(() -> openWhenItAnswers(session));
            }
        });
    }
}
