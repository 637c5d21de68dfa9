package org.daqfabric.impl.northbound;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.daqfabric.api.spec.FabricSpec;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.FabricsBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactory;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.impl.schema.NormalizationResultHolder;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/** A fabric's configuration as compressed JSON (RFC 7951, gzip). */
public final class ConfigurationText {
    private static final DataObjectIdentifier<Fabrics> FABRICS = DataObjectIdentifier.builder(Fabrics.class).build();

    private final BindingNormalizedNodeSerializer serializer;
    private final Supplier<EffectiveModelContext> models;

    public ConfigurationText(BindingNormalizedNodeSerializer serializer, Supplier<EffectiveModelContext> models) {
        this.serializer = serializer;
        this.models = models;
    }

    /** A fabric exactly as it was written. */
    byte[] pack(Fabric fabric) {
        Fabrics alone = new FabricsBuilder().setFabric(Map.of(fabric.key(), fabric)).build();
        EffectiveModelContext model = models.get();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (JsonWriter json = new JsonWriter(new OutputStreamWriter(new GZIPOutputStream(packed),
                StandardCharsets.UTF_8))) {
            json.beginObject();
            NormalizedNodeWriter writer = NormalizedNodeWriter.forStreamWriter(
                JSONNormalizedNodeStreamWriter.createNestedWriter(codecs(model),
                    SchemaInferenceStack.of(model).toInference(), null, json));
            writer.write(serializer.toNormalizedDataObject(FABRICS, alone).node());
            writer.flush();
            json.endObject();
        } catch (IOException e) {
            throw new UncheckedIOException("fabric " + fabric.requireName().getValue() + " cannot be written as JSON",
                e);
        }
        return packed.toByteArray();
    }

    /** A fabric as the controller knows it, with every default. */
    static byte[] pack(FabricSpec spec) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStreamWriter json = new OutputStreamWriter(new GZIPOutputStream(packed), StandardCharsets.UTF_8)) {
            json.write(SpecJson.of(spec).toString());
        } catch (IOException e) {
            throw new UncheckedIOException("fabric " + spec.name() + " cannot be written as JSON", e);
        }
        return packed.toByteArray();
    }

    /** The fabric that was packed. */
    Fabric unpack(byte[] packed) {
        NormalizationResultHolder holder = new NormalizationResultHolder();
        try (JsonReader json = new JsonReader(new InputStreamReader(
                new GZIPInputStream(new ByteArrayInputStream(packed)), StandardCharsets.UTF_8));
                JsonParserStream parser = JsonParserStream.create(ImmutableNormalizedNodeStreamWriter.from(holder),
                    codecs(models.get()))) {
            parser.parse(json);
        } catch (IOException e) {
            throw new UncheckedIOException("a stored configuration cannot be read", e);
        }
        YangInstanceIdentifier path = serializer.toYangInstanceIdentifier(FABRICS);
        Fabrics alone = (Fabrics) serializer.fromNormalizedNode(path, holder.getResult().data()).getValue();
        return alone.nonnullFabric().values().iterator().next();
    }

    private static JSONCodecFactory codecs(EffectiveModelContext model) {
        return JSONCodecFactorySupplier.RFC7951.getShared(model);
    }
}
