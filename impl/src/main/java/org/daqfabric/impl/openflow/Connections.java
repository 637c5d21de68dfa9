package org.daqfabric.impl.openflow;

import com.google.common.util.concurrent.FutureCallback;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.opendaylight.openflowjava.protocol.api.connection.ConnectionAdapter;
import org.opendaylight.openflowjava.protocol.api.connection.OutboundQueue;
import org.opendaylight.openflowjava.protocol.api.connection.OutboundQueueHandler;
import org.opendaylight.openflowjava.protocol.api.connection.SwitchConnectionHandler;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProvider;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.multipart.reply.multipart.reply.body.MultipartReplyGroupDesc;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.multipart.request.multipart.request.body.MultipartRequestGroupDescBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.Group;
import org.opendaylight.yang.gen.v1.urn.opendaylight.multipart.types.rev170112.MultipartReply;
import org.opendaylight.yang.gen.v1.urn.opendaylight.multipart.types.rev170112.MultipartRequestBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.OfHeader;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/**
 * The message queues of the OpenFlow plugin's connections, for the one request that the plugin has no RPC for: the
 * groups of a switch with their buckets. The alternative, its polling of groups, fails in the datastore when it meets a
 * change of groups, and then holds up the next connection of the switch by up to 50 s.
 *
 * <p>The plugin hands its queues to nobody, so this stands between it and its own listener, and looks on.
 */
@Component(service = Connections.class)
public final class Connections {
    private static final Uint8 OPENFLOW_13 = Uint8.valueOf(4);

    private final Map<Long, OutboundQueue> queues = new ConcurrentHashMap<>();

    @Activate
    public Connections() {
        // nothing connected yet
    }

    /** The same listener, whose connections are known here. */
    public SwitchConnectionProvider watch(final SwitchConnectionProvider provider) {
        return wrap(SwitchConnectionProvider.class, provider, (method, arguments) -> {
            if (method.getName().equals("startup")) {
                arguments[0] = watch((SwitchConnectionHandler) arguments[0]);
            }
        });
    }

    private SwitchConnectionHandler watch(final SwitchConnectionHandler plugin) {
        return wrap(SwitchConnectionHandler.class, plugin, (method, arguments) -> {
            if (method.getName().equals("onSwitchConnected")) {
                arguments[0] = watch((ConnectionAdapter) arguments[0]);
            }
        });
    }

    private ConnectionAdapter watch(final ConnectionAdapter connection) {
        final var watched = new Watched();
        return wrap(ConnectionAdapter.class, connection, (method, arguments) -> {
            switch (method.getName()) {
                case "setDatapathId" -> watched.datapathId(((BigInteger) arguments[0]).longValue());
                case "registerOutboundQueueHandler" ->
                    arguments[0] = wrap(OutboundQueueHandler.class, (OutboundQueueHandler) arguments[0],
                        (change, queue) -> {
                            if (change.getName().equals("onConnectionQueueChanged")) {
                                watched.queue((OutboundQueue) queue[0]);
                            }
                        });
                default -> {
                    // of no interest
                }
            }
        });
    }

    /** One connection: its switch and its queue, which become known one after the other. */
    private final class Watched {
        private Long datapathId;
        private OutboundQueue queue;

        synchronized void datapathId(final long known) {
            datapathId = known;
            publish(null);
        }

        synchronized void queue(final OutboundQueue next) {
            final var before = queue;
            queue = next;
            publish(before);
        }

        private void publish(final OutboundQueue before) {
            if (datapathId != null && queue != null) {
                queues.put(datapathId, queue);
            } else if (datapathId != null && before != null) {
                queues.remove(datapathId, before);
            }
        }
    }

    /** The groups of a switch with their buckets; fails with a {@link SwitchLostException} if it does not answer. */
    CompletableFuture<List<Group>> groups(final long datapathId) {
        final var answer = new CompletableFuture<List<Group>>();
        final var queue = queues.get(datapathId);
        final var xid = queue == null ? null : queue.reserveEntry();
        if (xid == null) {
            answer.completeExceptionally(new SwitchLostException(datapathId, queue == null
                ? "the switch is not connected to daqfabric's OpenFlow listener" : "the plugin takes no more requests"));
            return answer;
        }
        queue.commitEntry(xid, request(xid), new FutureCallback<>() {
            private final List<Group> groups = new ArrayList<>();

            @Override
            public void onSuccess(final OfHeader message) {
                if (message instanceof MultipartReply reply
                        && reply.getMultipartReplyBody() instanceof MultipartReplyGroupDesc part) {
                    groups.addAll(part.nonnullGroupDescStats().values());
                }
                if (isLast(message)) {
                    answer.complete(groups);
                }
            }

            @Override
            public void onFailure(final Throwable cause) {
                answer.completeExceptionally(
                    new SwitchLostException(datapathId, "no answer: " + cause.getMessage(), cause));
            }
        }, Connections::isLast);
        return answer;
    }

    private static OfHeader request(final Uint32 xid) {
        return new MultipartRequestBuilder()
            .setXid(xid)
            .setVersion(OPENFLOW_13)
            .setRequestMore(false)
            .setMultipartRequestBody(new MultipartRequestGroupDescBuilder().build())
            .build();
    }

    private static boolean isLast(final OfHeader message) {
        return !(message instanceof MultipartReply reply) || !Boolean.TRUE.equals(reply.getRequestMore());
    }

    /** What to do, or to exchange among the arguments, before a call goes on to where it was meant to go. */
    private interface Look {
        void at(Method method, Object[] arguments);
    }

    private static <T> T wrap(final Class<T> type, final T original, final Look look) {
        final InvocationHandler handler = (proxy, method, arguments) -> {
            look.at(method, arguments);
            try {
                return method.invoke(original, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
