package org.daqfabric.impl.northbound.request;

import java.io.UnsupportedEncodingException;
import java.util.function.Supplier;
import javax.xml.xpath.XPathExpressionException;
import org.opendaylight.restconf.api.QueryParameters;
import org.opendaylight.restconf.server.api.EventStreamGetParams;
import org.opendaylight.restconf.server.spi.RestconfStream;
import org.opendaylight.yangtools.concepts.Registration;

/** OpenDaylight's streams of events. */
record RegisteredStreams(Supplier<RestconfStream.Registry> registry) implements Streams.Registered {
    private static final EventStreamGetParams ALL_EVENTS = EventStreamGetParams.of(QueryParameters.of());

    @Override
    public boolean exists(String name) {
        return registry.get().lookupStream(name) != null;
    }

    /** A stream ends with its last reader: one that reads for no time is the last if there is no other. */
    @Override
    public void endUnread(String name) {
        RestconfStream<?> stream = registry.get().lookupStream(name);
        if (stream == null) {
            return;
        }
        try {
            Registration reader = stream.addSubscriber(new Nobody(), stream.encodings().iterator().next(), ALL_EVENTS);
            if (reader != null) {
                reader.close();
            }
        } catch (UnsupportedEncodingException | XPathExpressionException e) {
            throw new IllegalStateException("it was asked for an encoding of its own, and without a filter", e);
        }
    }

    private static final class Nobody implements RestconfStream.Sender {
        @Override
        public void sendDataMessage(String data) {
            // nobody reads it
        }

        @Override
        public void endOfStream() {
            // nobody waits for it
        }
    }
}
