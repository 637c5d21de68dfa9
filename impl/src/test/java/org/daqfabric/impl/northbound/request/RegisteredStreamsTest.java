package org.daqfabric.impl.northbound.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import com.google.common.collect.ImmutableMap;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import java.net.URI;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.dom.api.DOMNotification;
import org.opendaylight.restconf.api.FormattableBody;
import org.opendaylight.restconf.api.HttpStatusCode;
import org.opendaylight.restconf.api.QueryParameters;
import org.opendaylight.restconf.api.query.PrettyPrintParam;
import org.opendaylight.restconf.server.api.EventStreamGetParams;
import org.opendaylight.restconf.server.api.TransportSession;
import org.opendaylight.restconf.server.spi.AbstractRestconfStreamRegistry;
import org.opendaylight.restconf.server.spi.ErrorTagMapping;
import org.opendaylight.restconf.server.spi.EventFormatter;
import org.opendaylight.restconf.server.spi.EventFormatterFactory;
import org.opendaylight.restconf.server.spi.MappingServerRequest;
import org.opendaylight.restconf.server.spi.RestconfStream;
import org.opendaylight.restconf.server.spi.TextParameters;
import org.opendaylight.restconf.server.spi.XPathEventFilter;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.data.api.schema.AnydataNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/** What OpenDaylight's own registry does with a stream, which is what {@link Streams} rests on. */
class RegisteredStreamsTest {
    private final Registry registry = new Registry();
    private final RegisteredStreams streams = new RegisteredStreams(() -> registry);
    private int started;

    @Test
    void oneThatNobodyReadsIsEnded() throws Exception {
        String name = make();
        assertThat(streams.exists(name)).isTrue();
        streams.endUnread(name);
        assertThat(streams.exists(name)).isFalse();
        assertThat(started).as("listeners that are left").isZero();
        streams.endUnread(name);
    }

    @Test
    void oneThatIsReadStaysUntilItsReaderLeaves() throws Exception {
        String name = make();
        Registration reader = registry.lookupStream(name).addSubscriber(mock(RestconfStream.Sender.class),
            RestconfStream.EncodingName.RFC8040_JSON, EventStreamGetParams.of(QueryParameters.of()));
        streams.endUnread(name);
        assertThat(streams.exists(name)).isTrue();
        assertThat(started).isEqualTo(1);
        reader.close();
        assertThat(streams.exists(name)).isFalse();
        assertThat(started).isZero();
    }

    @SuppressWarnings("removal") // that is how OpenDaylight's rpcs make streams
    private String make() {
        Made made = new Made();
        registry.createLegacyStream(made, URI.create("/rests/"), new Source(), "for a test");
        return made.name;
    }

    private final class Source extends RestconfStream.Source<DOMNotification> {
        Source() {
            super(ImmutableMap.of(RestconfStream.EncodingName.RFC8040_JSON, new Formats()));
        }

        @Override
        protected Registration start(RestconfStream.Sink<DOMNotification> sink) {
            started++;
            return () -> started--;
        }
    }

    private static final class Formats extends EventFormatterFactory<DOMNotification> {
        Formats() {
            super(new EventFormatter<>(TextParameters.EMPTY) {
                @Override
                protected String createText(TextParameters how, EffectiveModelContext model, DOMNotification event,
                        Instant time) {
                    return "event";
                }
            });
        }

        @Override
        public EventFormatter<DOMNotification> newFormatter(TextParameters how) {
            throw new UnsupportedOperationException();
        }

        @Override
        public XPathEventFilter<DOMNotification> newXPathFilter(String path) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class Made extends MappingServerRequest<RestconfStream<DOMNotification>> {
        private String name;

        Made() {
            super(null, QueryParameters.of(), PrettyPrintParam.FALSE, ErrorTagMapping.RFC8040);
        }

        @Override
        public TransportSession session() {
            return null;
        }

        @Override
        protected void onSuccess(RestconfStream<DOMNotification> stream) {
            name = stream.name();
        }

        @Override
        protected void onFailure(HttpStatusCode status, FormattableBody body) {
            throw new AssertionError(status);
        }
    }

    /** It keeps its streams in memory alone. */
    private static final class Registry extends AbstractRestconfStreamRegistry {
        Registry() {
            super(mock(EffectiveModelContext.class));
        }

        @Override
        protected ListenableFuture<Void> putStream(RestconfStream<?> stream, String description, URI address) {
            return Futures.immediateVoidFuture();
        }

        @Override
        protected ListenableFuture<Void> deleteStream(String name) {
            return Futures.immediateVoidFuture();
        }

        @Override
        protected ListenableFuture<Void> createSubscription(Uint32 id, String stream, QName encoding, String receiver,
                Instant end) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected ListenableFuture<Void> removeSubscription(Uint32 id) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected ListenableFuture<Void> modifySubscriptionParameters(Uint32 id,
                RestconfStream.SubscriptionFilter filter, Instant end) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected ListenableFuture<Void> updateSubscriptionReceivers(Uint32 id, MapNode receivers) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected EventStreamFilter parseSubtreeFilter(AnydataNode<?> filter) {
            throw new UnsupportedOperationException();
        }
    }
}
