package org.daqfabric.impl.northbound;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import com.google.common.util.concurrent.FluentFuture;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.function.Executable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.api.ReadWriteTransaction;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.binding.dom.adapter.test.AbstractConcurrentDataBrokerTest;
import org.opendaylight.mdsal.binding.spi.ForwardingDataBroker;
import org.opendaylight.mdsal.binding.spi.ForwardingReadWriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.impl.schema.NormalizationResultHolder;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/** A real data broker over memory, with our models and the JSON that RESTCONF speaks. */
public final class InMemoryBroker extends AbstractConcurrentDataBrokerTest {
    static final DataObjectIdentifier<Fabrics> FABRICS = DataObjectIdentifier.builder(Fabrics.class).build();

    private EffectiveModelContext model;

    @SuppressWarnings("checkstyle:illegalCatch") // what setup() throws
    public InMemoryBroker() {
        super(true);
        try {
            setup();
            model = modelContext();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public EffectiveModelContext model() {
        return model;
    }

    public DataBroker broker() {
        return getDataBroker();
    }

    /** Before each commit of a transaction that also reads, somebody else does something first. */
    DataBroker brokerThatIsLate(Executable first) {
        return new ForwardingDataBroker() {
            @Override
            protected DataBroker delegate() {
                return broker();
            }

            @Override
            public ReadWriteTransaction newReadWriteTransaction() {
                return new ForwardingReadWriteTransaction(super.newReadWriteTransaction()) {
                    @Override
                    public FluentFuture<? extends CommitInfo> commit() {
                        assertDoesNotThrow(first);
                        return super.commit();
                    }
                };
            }
        };
    }

    DOMDataBroker domBroker() {
        return getDomBroker();
    }

    public BindingNormalizedNodeSerializer serializer() {
        return getDataBrokerTestCustomizer().getAdapterContext().currentSerializer();
    }

    /** The {@code fabrics} container from JSON, as the datastore holds it. */
    ContainerNode parse(String json) {
        return parse(new StringReader(json));
    }

    ContainerNode prototype() {
        return parse(new InputStreamReader(getClass().getResourceAsStream("prototype.json"), StandardCharsets.UTF_8));
    }

    Fabrics fabrics(ContainerNode node) {
        return (Fabrics) serializer().fromNormalizedNode(serializer().toYangInstanceIdentifier(FABRICS), node)
            .getValue();
    }

    private ContainerNode parse(Reader json) {
        NormalizationResultHolder holder = new NormalizationResultHolder();
        try (JsonParserStream parser = JsonParserStream.create(ImmutableNormalizedNodeStreamWriter.from(holder),
                JSONCodecFactorySupplier.RFC7951.getShared(model))) {
            parser.parse(new com.google.gson.stream.JsonReader(json));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return (ContainerNode) holder.getResult().data();
    }

    public <T extends DataObject> T read(LogicalDatastoreType store, DataObjectIdentifier<T> path) throws Exception {
        try (ReadTransaction tx = broker().newReadOnlyTransaction()) {
            return tx.read(store, path).get().orElse(null);
        }
    }

    public <T extends DataObject> void put(LogicalDatastoreType store, DataObjectIdentifier<T> path, T data)
            throws Exception {
        WriteTransaction tx = broker().newWriteOnlyTransaction();
        tx.put(store, path, data);
        tx.commit().get();
    }

    void delete(LogicalDatastoreType store, DataObjectIdentifier<?> path) throws Exception {
        WriteTransaction tx = broker().newWriteOnlyTransaction();
        tx.delete(store, path);
        tx.commit().get();
    }
}
